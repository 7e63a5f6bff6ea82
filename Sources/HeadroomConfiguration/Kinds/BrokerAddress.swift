import Console

/// Where a broker is, and whether the connection is encrypted: `mqtt://host:1883` or `mqtts://host:8883`.
struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// How addresses of one protocol begin, and the usual ports.
    struct Language: Hashable, Sendable {
        let scheme: String
        let encryptedScheme: String
        let port: Int
        let encryptedPort: Int

        static let mqtt = Language(scheme: "mqtt", encryptedScheme: "mqtts", port: 1883, encryptedPort: 8883)
        static let amqp = Language(scheme: "amqp", encryptedScheme: "amqps", port: 5672, encryptedPort: 5671)

        /// For people.
        var expected: String { "\(scheme)://host:port, or \(encryptedScheme)://host:port for TLS" }
    }

    var address: NetworkAddress
    var usesTLS: Bool
    let language: Language

    init(address: NetworkAddress, usesTLS: Bool, _ language: Language = .mqtt) {
        self.address = address
        self.usesTLS = usesTLS
        self.language = language
    }

    /// Without a port the usual one. Nil where `url` is none of the protocol.
    init?(_ url: String, _ language: Language = .mqtt) {
        guard let end = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<end.lowerBound].lowercased()
        guard scheme == language.scheme || scheme == language.encryptedScheme else { return nil }
        let usesTLS = scheme == language.encryptedScheme
        let rest = url[end.upperBound...]
        let host = rest.last == "/" ? rest.dropLast() : rest
        let port = usesTLS ? language.encryptedPort : language.port
        guard let address = NetworkAddress(String(host), defaultPort: port), address.port > 0 else { return nil }
        self.init(address: address, usesTLS: usesTLS, language)
    }

    var description: String {
        (usesTLS ? language.encryptedScheme : language.scheme) + "://" + address.description
    }
}
