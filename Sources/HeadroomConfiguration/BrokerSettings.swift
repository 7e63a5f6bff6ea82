extension Settings {
    /// The connection to the MQTT broker.
    public struct Broker: Hashable, Sendable {
        /// The versions of MQTT, as they are written.
        public enum MQTTVersion: String, CaseIterable, Sendable {
            case v5 = "5"
            case v311 = "3.1.1"
        }

        public var url: BrokerAddress
        public var username: String?
        /// Set by `LoadedSettings.validated` where it stands in `passwordFile`.
        public var password: Secret?
        public var passwordFile: String?
        public var caFile: String?
        public var certFile: String?
        public var keyFile: String?
        public var mqttVersion: MQTTVersion
        public var clientID: String

        init(_ read: inout SettingsReader) {
            read.section("broker", "The MQTT broker.")
            url = read(
                "broker.url", .brokerAddress, default: "mqtt://127.0.0.1:1883",
                "mqtt://host:port, or mqtts://host:port for TLS. Without a port: 1883, or 8883 with TLS.")
            username = read(
                "broker.username", .optional(.text), default: "",
                "Who the gateway is to the broker. Empty: none is sent.")
            password = read(
                "broker.password", .optional(.secret), default: "",
                "Better in password_file, or in HEADROOM_BROKER_PASSWORD: this file may be read by others.")
            passwordFile = read(
                "broker.password_file", .optional(.file), default: "",
                "A file that holds the password; a line end after it is not part of it.")
            caFile = read(
                "broker.ca_file", .optional(.file), default: "",
                "PEM certificates of those who may vouch for the broker. Empty: those the system trusts.")
            certFile = read(
                "broker.cert_file", .optional(.file), default: "",
                "The gateway's own certificate in PEM, where the broker asks for one, and its key.")
            keyFile = read("broker.key_file", .optional(.file), default: "", "The key of cert_file, in PEM.")
            mqttVersion = read(
                "broker.protocol", .oneOf, default: "5",
                "The MQTT version: 5, or 3.1.1 for NATS and for RabbitMQ before 3.13.")
            clientID = read(
                "broker.client_id", .topicLevel, default: "headroom",
                "One gateway each: a second of the same name takes the session over, and the first one ends.")
        }

        func requireSense(_ read: inout SettingsReader) {
            requirePasswordOnce(&read)
            requireCertificates(&read)
        }

        private func requirePasswordOnce(_ read: inout SettingsReader) {
            read.require(
                password == nil || passwordFile == nil, of: "broker.password", and: "broker.password_file",
                wrong: "the password is given twice", right: "keep broker.password_file or broker.password")
            // libmosquitto, and MQTT 3.1.1 itself, send no password without a user.
            read.require(
                username != nil || (password == nil && passwordFile == nil), of: "broker.username",
                and: "broker.password_file", "broker.password", wrong: "there is a password but no user",
                right: "write broker.username")
        }

        private func requireCertificates(_ read: inout SettingsReader) {
            let isUnused = !url.usesTLS && (caFile ?? certFile ?? keyFile) != nil
            read.require(
                !isUnused, of: "broker.url", and: "broker.ca_file", "broker.cert_file", "broker.key_file",
                wrong: "certificates are given, but the connection to \(url) is not encrypted",
                right: "write broker.url: mqtts://…, or remove them")
            read.require(
                (certFile == nil) == (keyFile == nil), of: "broker.cert_file", and: "broker.key_file",
                wrong: "a certificate and its key need each other",
                right: "write both broker.cert_file and broker.key_file, or none")
            // libmosquitto 2.0 takes a client's certificate only together with those of authorities.
            read.require(
                certFile == nil || caFile != nil, of: "broker.cert_file", and: "broker.ca_file",
                wrong: "a certificate of the gateway's own needs a CA file beside it", right: "write broker.ca_file")
        }
    }
}
