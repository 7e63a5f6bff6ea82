import Console

/// Where the broker is, and whether the connection is encrypted: `mqtt://host:1883` or `mqtts://host:8883`.
struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    var address: NetworkAddress
    var usesTLS: Bool

    init(address: NetworkAddress, usesTLS: Bool) {
        self.address = address
        self.usesTLS = usesTLS
    }

    /// Without a port the usual one: 1883, or 8883 with TLS. Nil where `url` is none of the two.
    init?(_ url: String) {
        guard let end = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<end.lowerBound].lowercased()
        guard scheme == "mqtt" || scheme == "mqtts" else { return nil }
        let usesTLS = scheme == "mqtts"
        let rest = url[end.upperBound...]
        let host = rest.last == "/" ? rest.dropLast() : rest
        guard let address = NetworkAddress(String(host), defaultPort: usesTLS ? 8883 : 1883), address.port > 0
        else { return nil }
        self.init(address: address, usesTLS: usesTLS)
    }

    var description: String { (usesTLS ? "mqtts://" : "mqtt://") + address.description }
}
