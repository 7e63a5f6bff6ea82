/// What MQTT filters take in (MQTT 5 §4.7.1), byte by byte.
package enum TopicFilter {
    /// Whether there is a topic that both take in.
    package static func overlap(_ a: String, _ b: String) -> Bool {
        var (a, b): (Substring.UTF8View?, Substring.UTF8View?) = (a[...].utf8, b[...].utf8)
        while a != nil || b != nil {
            let (x, y) = (takeLevel(&a), takeLevel(&b))
            // `a/#` takes in `a` itself.
            if isWildcard(x, "#") || isWildcard(y, "#") { return true }
            guard let x, let y, x.elementsEqual(y) || isWildcard(x, "+") || isWildcard(y, "+") else { return false }
        }
        return true
    }

    /// - Parameter rest: nil: there is no level any more.
    private static func takeLevel(_ rest: inout Substring.UTF8View?) -> Substring.UTF8View? {
        guard let levels = rest else { return nil }
        let end = levels.firstIndex(of: UInt8(ascii: "/"))
        rest = end.map { levels[levels.index(after: $0)...] }
        return levels[..<(end ?? levels.endIndex)]
    }

    private static func isWildcard(_ level: Substring.UTF8View?, _ wildcard: Unicode.Scalar) -> Bool {
        level.map { $0.count == 1 && $0.first == UInt8(ascii: wildcard) } ?? false
    }
}
