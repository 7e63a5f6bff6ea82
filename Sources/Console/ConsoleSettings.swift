import Foundation
import Gateway

/// Where the console listens and whom it lets in: the `console` part of the configuration.
package struct ConsoleSettings: Hashable, Sendable {
    /// When a request needs a token.
    package enum Authentication: String, CaseIterable, Sendable {
        /// Where the console listens beyond loopback.
        case remote
        case required
        /// Never: anyone who reaches the port reads everything.
        case none
    }

    /// The hosts `0.0.0.0` and `::` listen on every interface; port 0 picks a free one.
    package var listen: NetworkAddress
    package var authentication: Authentication
    /// Read by `TokenList`; nil: nobody has a token.
    package var tokensFile: String?
    /// Further names under which people and proxies reach the console, without port.
    package var names: [String]
    package var map: Map
    /// Nil: plain HTTP.
    package var tls: TLS?

    /// A loopback address that answers the health checks and metrics alone; nil: none.
    package var health: NetworkAddress?

    /// The files of a certificate chain and of its key, in PEM.
    package struct TLS: Hashable, Sendable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// What the page's map is drawn with, and what lies under it.
    package struct Map: Hashable, Sendable {
        /// The folder of MapLibre GL JS; need not exist.
        package var library: String
        /// Address of a MapLibre style; nil: none.
        package var style: String?
        /// Address of raster tiles; nil: none.
        package var tiles: String?
        package var attribution: String?

        package init(
            library: String = "/usr/local/share/maplibre-gl", style: String? = nil, tiles: String? = nil,
            attribution: String? = nil
        ) {
            self.library = library
            self.style = style
            self.tiles = tiles
            self.attribution = attribution
        }

        /// The origins of style and tiles; the page may load from nowhere else but here.
        var origins: [String] { Set([style, tiles].compactMap { $0.flatMap(WebAddress.origin) }).sorted() }
    }

    package init(
        listen: NetworkAddress = NetworkAddress(host: "127.0.0.1", port: 8080),
        authentication: Authentication = .remote,
        tokensFile: String? = nil, names: [String] = [], map: Map = Map(), tls: TLS? = nil,
        health: NetworkAddress? = nil
    ) {
        self.listen = listen
        self.authentication = authentication
        self.tokensFile = tokensFile
        self.names = names
        self.map = map
        self.tls = tls
        self.health = health
    }

    /// Whether authentication is in force.
    package var needsToken: Bool {
        switch authentication {
        case .remote: !listen.isLoopback
        case .required: true
        case .none: false
        }
    }

    /// `https` where the console has a certificate of its own.
    package var scheme: String { tls == nil ? "http" : "https" }

    /// Whether it listens on all addresses of the machine; the host then names none of them.
    package var listensEverywhere: Bool { listen.host == "0.0.0.0" || listen.host == "::" }

    /// Whether nothing else can listen on `address`, an address on loopback, because the console does.
    package func occupies(_ address: NetworkAddress) -> Bool {
        guard listen.port > 0, listen.port == address.port else { return false }
        // The name may lead to either address.
        let isNamed = [listen, address].contains { $0.host.lowercased() == "localhost" }
        return listensEverywhere || listen.host == address.host || isNamed && listen.isLoopback
    }
}

/// Whether `text` is an IPv4 address in four decimal parts.
func isIPv4(_ text: String) -> Bool { addressBytes(text, AF_INET, count: 4) != nil }

/// Whether `text` is an IPv6 address, without brackets.
func isIPv6(_ text: String) -> Bool { addressBytes(text, AF_INET6, count: 16) != nil }

/// The bytes of an address of a family, in network order; nil where `text` is none.
func addressBytes(_ text: String, _ family: CInt, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
}
