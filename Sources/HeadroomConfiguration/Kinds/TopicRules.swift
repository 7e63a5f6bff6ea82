/// The rules for topics in the settings.
///
/// A pattern is a topic of which whole levels may be named: `acme/{region}/{v}`. `{v}` is the vehicle.
enum TopicRules {
    /// The longest `fleet.topic` or prefix in bytes: vehicles' names and what follows them need room too.
    static let bytesMax = 120

    /// Whether it holds `{v}` once, and no wildcard.
    static func isFleetTopic(_ pattern: String) -> Bool {
        isPattern(pattern) && isOutput(pattern) && vehicles(in: pattern) == 1
    }

    /// Whether it is a plain topic to which levels can be added.
    static func isPrefix(_ topic: String) -> Bool {
        isPattern(topic) && isOutput(topic) && names(in: topic).isEmpty
    }

    /// Whether it can stand as one level.
    static func isLevel(_ text: String) -> Bool {
        isPrefix(text) && !text.contains("/")
    }

    /// How often `{v}` stands in it.
    static func vehicles(in pattern: String) -> Int {
        levels(pattern).count { $0 == "{v}" }
    }

    /// Whether one topic can be both a `pattern`'s and a `topic`'s.
    static func matches(_ pattern: String, _ topic: String) -> Bool {
        let (named, plain) = (levels(pattern), levels(topic))
        return named.count == plain.count && zip(named, plain).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }

    /// Topics that are published to have no empty levels: nobody can tell `fleet//T42` from a mistake.
    private static func isOutput(_ pattern: String) -> Bool {
        pattern.utf8.count <= bytesMax && levels(pattern).allSatisfy { !$0.isEmpty }
    }

    private static func isPattern(_ pattern: String) -> Bool {
        let levels = levels(pattern)
        let names = names(in: pattern)
        guard !pattern.isEmpty, pattern.first != "$", Set(names).count == names.count,
            !pattern.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return false }
        return levels.allSatisfy { level in
            isName(level) || !level.unicodeScalars.contains { "+#{}".unicodeScalars.contains($0) }
        }
    }

    private static func names(in pattern: String) -> [Substring] {
        levels(pattern).filter(isName)
    }

    private static func isName(_ level: Substring) -> Bool {
        guard level.count > 2, level.first == "{", level.last == "}" else { return false }
        return level.dropFirst().dropLast().allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func levels(_ pattern: String) -> [Substring] {
        pattern.split(separator: "/", omittingEmptySubsequences: false)
    }
}
