import Broker
import Console

extension Settings {
    mutating func readBroker(_ read: inout SettingsReader) {
        read.section("broker", "The MQTT broker.")
        read(
            "broker.url", .brokerAddress, into: &broker.address, default: "mqtt://127.0.0.1:1883",
            "mqtt://host:port, or mqtts://host:port for TLS. Without a port: 1883, or 8883 with TLS.")
        read(
            "broker.username", .optional(.text), into: &broker.username, default: "",
            "Who the gateway is to the broker. Empty: none is sent.")
        read(
            "broker.password", .optional(.secret), into: &broker.password, default: "",
            "Better in password_file, or in HEADROOM_BROKER_PASSWORD: this file may be read by others.")
        read(
            "broker.password_file", .optional(.file), into: &passwordFile, default: "",
            "A file that holds the password; a line end after it is not part of it.")
        read.keepOne(&broker.password, "broker.password", orOf: &passwordFile, "broker.password_file")
        read(
            "broker.ca_file", .optional(.file), into: &broker.tls.caFile, default: "",
            "PEM certificates of those who may vouch for the broker. Empty: those the system trusts.")
        read(
            "broker.cert_file", .optional(.file), into: &broker.tls.certFile, default: "",
            "The gateway's own certificate in PEM, where the broker asks for one, and its key.")
        read(
            "broker.key_file", .optional(.file), into: &broker.tls.keyFile, default: "", "The key of cert_file, in PEM."
        )
        read(
            "broker.protocol", .oneOf, into: &broker.protocolVersion, default: "5",
            "The MQTT version: 5, or 3.1.1 for NATS and for RabbitMQ before 3.13.")
        read(
            "broker.client_id", .topicLevel, into: &broker.clientID, default: "headroom",
            "One gateway each: a second of the same name takes the session over, and the first one ends.")
    }

    func requireUser(_ read: inout SettingsReader) {
        // libmosquitto, and MQTT 3.1.1 itself, send no password without a user.
        read.require(
            broker.username != nil || (broker.password == nil && passwordFile == nil), of: "broker.username",
            and: "broker.password_file", "broker.password", wrong: "there is a password but no user",
            right: "write broker.username")
    }

    func requireCertificates(_ read: inout SettingsReader) {
        let tls = broker.tls
        read.require(
            broker.usesTLS || cluster.address?.usesTLS == true || tls == .init(), of: "broker.url",
            and: "broker.ca_file", "broker.cert_file",
            "broker.key_file",
            wrong: "certificates are given, but the connection to \(broker.address) is not encrypted",
            right: "write broker.url: mqtts://…, or remove them")
        read.require(
            (tls.certFile == nil) == (tls.keyFile == nil), of: "broker.cert_file", and: "broker.key_file",
            wrong: "a certificate and its key need each other",
            right: "write both broker.cert_file and broker.key_file, or none")
        // libmosquitto 2.0 takes a client's certificate only together with those of authorities.
        read.require(
            tls.certFile == nil || tls.caFile != nil, of: "broker.cert_file", and: "broker.ca_file",
            wrong: "a certificate of the gateway's own needs a CA file beside it", right: "write broker.ca_file")
    }
}

extension BrokerSettings {
    /// Host, port and encryption together.
    var address: BrokerAddress {
        get { BrokerAddress(address: NetworkAddress(host: host, port: port), usesTLS: usesTLS) }
        set { (host, port, usesTLS) = (newValue.address.host, newValue.address.port, newValue.usesTLS) }
    }
}
