/// What MQTT filters take in (MQTT 5 §4.7.1).
package enum TopicFilter {
    /// Whether there is a topic that both take in.
    package static func overlap(_ a: String, _ b: String) -> Bool {
        let (a, b) = (levels(a), levels(b))
        for (x, y) in zip(a, b) {
            if x == "#" || y == "#" { return true }
            guard x == y || x == "+" || y == "+" else { return false }
        }
        // `a/#` takes in `a` itself.
        return a.count == b.count || a.dropFirst(b.count).first == "#" || b.dropFirst(a.count).first == "#"
    }

    private static func levels(_ filter: String) -> [Substring] {
        filter.split(separator: "/", omittingEmptySubsequences: false)
    }
}
