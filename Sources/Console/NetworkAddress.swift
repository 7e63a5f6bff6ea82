/// A host and a port.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address; IPv6 without brackets.
    package var host: String
    /// `0 ... 65535`; 0 stands for any free one, where something listens.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `host:port`, with IPv6 addresses in brackets: `[::1]:8080`. Without a port, `defaultPort`.
    ///
    /// Nil where it is no such text, or has no port and there is no default.
    package init?(_ text: String, defaultPort: Int? = nil) {
        guard let (host, rest) = Self.host(in: text) else { return nil }
        if rest.isEmpty, let defaultPort {
            self.init(host: host, port: defaultPort)
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits)
            else { return nil }
            self.init(host: host, port: Int(port))
        }
    }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether only this machine can connect to it: `localhost`, `127.0.0.0/8` or `::1`. Other names are not looked
    /// up: their addresses may change.
    package var isLoopback: Bool {
        host.lowercased() == "localhost" || host == "::1" || (host.hasPrefix("127.") && isIPv4(host))
    }

    /// Whether `text` is a host name, whose letters are those of ASCII, or an IP address, IPv6 without brackets.
    package static func isHost(_ text: String) -> Bool {
        isIPv6(text)
            || text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            }
    }

    private static func host(in text: String) -> (host: String, rest: Substring)? {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = text[..<end].dropFirst()
            // A zone may follow the address: `fe80::1%eth0`.
            let address = host.prefix { $0 != "%" }
            guard address.contains(":"), address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { return nil }
            return (String(host), text[text.index(after: end)...])
        }
        let host = text.prefix { $0 != ":" }
        let isName = host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }
        return host.isEmpty || !isName ? nil : (String(host), text[host.endIndex...])
    }
}
