import Geo

/// Reads the keys of one group inside a setting, and keeps what is wrong.
struct GroupReader {
    private let group: SettingNode
    private let members: [SettingNode.Member]
    private var names: [String] = []
    var problems: [SettingsProblem] = []

    /// - Throws: where `node` is no group of keys.
    init(_ node: SettingNode, _ expected: String) throws(SettingsError) {
        guard let members = node.members else { throw node.refused(expected) }
        group = node
        self.members = members
    }

    func has(_ key: String) -> Bool { member(key) != nil }

    /// Nil where it is missing or refused; both are reported.
    mutating func required<Value>(_ key: String, _ kind: SettingKind<Value>) -> Value? {
        if !has(key) {
            problems.append(group.problem(key, expected: kind.expected, got: "nothing"))
        }
        return optional(key, kind)
    }

    /// Nil where it is missing, or refused, which is reported.
    mutating func optional<Value>(_ key: String, _ kind: SettingKind<Value>) -> Value? {
        names.append(key)
        guard let member = member(key) else { return nil }
        do throws(SettingsError) {
            return try kind.read(member.value)
        } catch {
            problems += error.problems
            return nil
        }
    }

    private func member(_ key: String) -> SettingNode.Member? {
        members.first { $0.key.name == "\(group.name).\(key)" }
    }

    /// Throws all that was found wrong, unknown keys too. To be called when all keys have been read.
    mutating func finish() throws(SettingsError) {
        let known = names.map { "\(group.name).\($0)" }
        for key in members.map(\.key) where !known.contains(key.name) {
            let near = Spelling.nearest(to: key.name, among: known)
            let right = near.map { "did you mean \($0)?" } ?? "it may have \(names.joined(separator: ", "))"
            problems.append(key.problem(wrong: "unknown key \(key.name)", right: right))
        }
        guard problems.isEmpty else { throw SettingsError(problems) }
    }
}
