/// A place in a JSON document (RFC 6901).
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// From the root down: names of members, or numbers of elements. Empty: the whole document.
    let tokens: [String]

    init(tokens: [String]) { self.tokens = tokens }

    /// Nil where `text` is neither empty nor begins with a slash, or a `~` is followed by anything but 0 or 1.
    package init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        var tokens: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    package var description: String {
        tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    /// Nil where there is no such place, or null stands there.
    func value(in root: JSONValue) -> JSONValue? {
        var value = root
        for token in tokens {
            guard let next = value[token] ?? Self.index(token).flatMap({ value.element($0) }) else { return nil }
            value = next
        }
        return value.isNull ? nil : value
    }

    /// Digits without a zero before them.
    private static func index(_ token: String) -> Int? {
        guard token.utf8.allSatisfy({ (0x30...0x39).contains($0) }), token == "0" || !token.hasPrefix("0") else {
            return nil
        }
        return Int(token)
    }

    private static func unescaped(_ part: Substring) -> String? {
        let pieces = part.split(separator: "~", omittingEmptySubsequences: false)
        guard pieces.dropFirst().allSatisfy({ $0.first == "0" || $0.first == "1" }) else { return nil }
        return pieces.dropFirst().reduce(into: String(pieces[0])) { token, piece in
            token += (piece.first == "0" ? "~" : "/") + piece.dropFirst()
        }
    }
}
