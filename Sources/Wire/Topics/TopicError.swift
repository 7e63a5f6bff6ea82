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
            "A topic has an empty level; write it without a slash at either end or two in a row"
        case .tooLong:
            "A topic pattern is longer than \(TopicLevels.bytes) bytes"
        case .forbiddenCharacter(let level):
            "The topic level \"\(level)\" holds a wildcard or a control character; use {name} for a level that varies"
        case .systemTopic:
            "A topic begins with $, which brokers keep for themselves"
        case .strayBrace(let level):
            "In the topic level \"\(level)\" braces do not enclose the whole level; write {name}"
        case .vehicleMissing:
            "A topic pattern has no {v} for the vehicle's id, as in fleet/{v}"
        case .repeatedName(let level):
            "A topic pattern has \(level) twice; names must differ"
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
