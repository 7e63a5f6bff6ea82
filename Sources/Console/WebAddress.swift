/// Addresses that a browser loads something from.
package enum WebAddress {
    /// Scheme, host and port of an address, as a browser compares them; nil where it has none, or no host that is known
    /// before anything is filled in.
    package static func origin(of address: String) -> String? {
        guard let end = address.firstRange(of: "://") else { return nil }
        let scheme = address[..<end.lowerBound].lowercased()
        let authority = address[end.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let defaultPort = scheme == "https" ? 443 : 80
        guard scheme == "https" || scheme == "http",
            let host = NetworkAddress(String(authority), defaultPort: defaultPort)
        else { return nil }
        return "\(scheme)://\(host.port == defaultPort ? host.withoutPort : host.description)".lowercased()
    }
}

extension NetworkAddress {
    fileprivate var withoutPort: String { host.contains(":") ? "[\(host)]" : host }
}
