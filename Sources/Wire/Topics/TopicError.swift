/// Why a text from the settings cannot be part of topics.
package enum TopicError: Error, Hashable, Sendable, CustomStringConvertible {
    case emptyLevel
    case tooLong
    case forbiddenCharacter(level: String)
    case systemTopic
    case strayBrace(String)
    case vehicleMissing
    case repeatedName(String)

    package var description: String {
        switch self {
        case .emptyLevel:
            "expected a topic without empty levels, got a slash at its beginning or end, or two in a row"
        case .tooLong:
            "expected a topic pattern of at most \(TopicLevels.bytes) bytes, got a longer one"
        case .forbiddenCharacter(let level):
            "expected a topic level without wildcards and control characters, such as {name}, got \"\(level)\""
        case .systemTopic:
            "expected a topic that does not begin with $, which brokers keep for themselves"
        case .strayBrace(let level):
            "expected braces that enclose the whole level, such as {name}, got \"\(level)\""
        case .vehicleMissing:
            "expected a level {v} for the vehicle's id, as in fleet/{v}, got none"
        case .repeatedName(let level):
            "expected different names of levels, got \(level) twice"
        }
    }
}

/// Checks what settings say about topics.
enum TopicLevels {
    /// Leaves nine tenths of `WireLimits.topicBytes` to ids.
    static let bytes = 120

    /// The levels of `text`, each fit to stand in a topic: MQTT 5 §4.7.
    static func split(_ text: String) throws(TopicError) -> [String] {
        guard text.utf8.count <= bytes else { throw .tooLong }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.allSatisfy({ !$0.isEmpty }) else { throw .emptyLevel }
        for level in levels {
            let isForbidden = level.unicodeScalars.contains { scalar in
                scalar == "+" || scalar == "#" || scalar.properties.generalCategory == .control
            }
            guard !isForbidden else { throw .forbiddenCharacter(level: level) }
        }
        guard !text.hasPrefix("$") else { throw .systemTopic }
        return levels
    }
}
