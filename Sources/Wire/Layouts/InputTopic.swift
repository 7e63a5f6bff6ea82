import Messages

/// The topics that an input takes in, and what their levels say: like a `TopicPattern`, and `+` and `#` may stand in it,
/// levels may be empty, and the vehicle need not be in it.
package struct InputTopic: Hashable, Sendable, CustomStringConvertible {
    private enum Level: Hashable, Sendable {
        case literal(String)
        case named(String)
        case vehicle
        /// `+`
        case any
        /// `#`: any number of levels, none too.
        case rest
    }

    /// As long as a topic may be that is not added to.
    private static let bytesMax = 1024

    private let levels: [Level]
    /// As it was written.
    package let description: String

    package init(_ text: String) throws(TopicError) {
        guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
        guard !text.hasPrefix("$") else { throw .systemTopic }
        guard !text.isEmpty else { throw .emptyLevel }
        var levels: [Level] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            let level = try Self.level(String(part))
            guard levels.last != .rest else { throw .forbiddenCharacter(level: "#") }
            switch level {
            case .vehicle, .named: guard !levels.contains(level) else { throw .repeatedName(String(part)) }
            case .literal, .any, .rest: break
            }
            levels.append(level)
        }
        self.levels = levels
        description = text
    }

    package var namesVehicle: Bool { levels.contains(.vehicle) }

    /// The named levels before the vehicle's; all of them where it has none.
    package var namesBeforeVehicle: [String] {
        levels.prefix { $0 != .vehicle }.compactMap { if case .named(let name) = $0 { name } else { nil } }
    }

    /// Whether it ends in `#`.
    package var isOpenEnded: Bool { levels.last == .rest }

    /// The named levels beside the vehicle's, in order.
    package var names: [String] {
        levels.compactMap { if case .named(let name) = $0 { name } else { nil } }
    }

    /// What to subscribe to.
    package var filter: String {
        levels.map { level in
            switch level {
            case .literal(let text): text
            case .named, .vehicle, .any: "+"
            case .rest: "#"
            }
        }.joined(separator: "/")
    }

    /// A topic that it takes in.
    ///
    /// - Parameter level: what a named level says, `v` being the vehicle's; asked with an empty name for one that may be
    ///   anything.
    func topic(_ level: (String) -> String) -> String {
        levels.map { part in
            switch part {
            case .literal(let text): text
            case .vehicle: level("v")
            case .named(let name): level(name)
            case .any, .rest: level("")
            }
        }.joined(separator: "/")
    }

    /// What the levels of a topic say.
    struct Match: Hashable {
        /// By name, `v` the vehicle's.
        var named: [String: Substring]
        /// The texts of the levels that were asked for, in that order.
        var levels: [String]
        /// What of the topic is beyond the pattern.
        var rest: ArraySlice<Substring>
    }

    /// Nil where the topic, cut at its slashes, is another's.
    ///
    /// - Parameter names: of the levels that are asked for; each is one of `self.names`.
    /// - Throws: `unknownTopic` where a level that is asked for cannot be taken over into other topics.
    func match(_ topic: [Substring], names: [String]) throws(InputError) -> Match? {
        let fixed = isOpenEnded ? levels.dropLast() : levels[...]
        guard topic.count >= fixed.count else { return nil }
        var match = Match(named: [:], levels: [], rest: topic[fixed.count...])
        for (level, text) in zip(fixed, topic) {
            switch level {
            case .literal(let literal): guard text == literal else { return nil }
            case .vehicle: match.named["v"] = text
            case .named(let name): match.named[name] = text
            case .any, .rest: break
            }
        }
        for name in names {
            guard let level = match.named[name].flatMap({ VehicleID($0) }) else { throw .unknownTopic }
            match.levels.append(level.text)
        }
        return match
    }

    private static func level(_ text: String) throws(TopicError) -> Level {
        if text == "+" { return .any }
        if text == "#" { return .rest }
        let isForbidden = text.unicodeScalars.contains { scalar in
            scalar == "+" || scalar == "#" || scalar.properties.generalCategory == .control
        }
        guard !isForbidden else { throw .forbiddenCharacter(level: text) }
        return switch try TopicPattern.level(text) {
        case .literal(let literal): .literal(literal)
        case .named(let name): .named(name)
        case .vehicle: .vehicle
        }
    }
}
