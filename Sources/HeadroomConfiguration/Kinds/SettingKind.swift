/// How the settings of one kind are written, and what is made of them.
struct SettingKind<Value: Sendable>: Sendable {
    /// Completes the sentence "write …".
    var expected: String
    var form = SettingForm.text
    var role = SettingRole.plain
    /// Refuses what is not `expected`.
    var read: @Sendable (SettingNode) throws(SettingsError) -> Value
}

/// The shape in which a setting is written. In the environment, lists are separated by commas.
enum SettingForm: Sendable {
    case text, list
    /// A group of keys: YAML, in the environment too.
    case group
    /// A list of groups of keys: YAML, in the environment too.
    case groups
}

/// What a setting's text stands for.
enum SettingRole: Sendable {
    case plain
    /// Never shown.
    case secret
    /// Files that must exist.
    case file
    /// A file that is made where there is none.
    case newFile
}

extension SettingKind {
    /// A text that `value` understands; nil is refused.
    init(
        _ expected: String, role: SettingRole = .plain,
        value: @escaping @Sendable (String, SettingNode) -> Value?
    ) {
        self.init(expected: expected, role: role) { node throws(SettingsError) in
            guard case .text(let text) = node.shape, let value = value(text, node) else {
                throw node.refused(expected)
            }
            return value
        }
    }

    /// Nil where nothing is written.
    static func optional<Written>(_ kind: SettingKind<Written>) -> Self where Value == Written? {
        Self(expected: kind.expected, form: kind.form, role: kind.role) { node throws(SettingsError) in
            if case .empty = node.shape { return nil }
            return try kind.read(node)
        }
    }

    /// A list of any length; every item that is refused is reported.
    static func list<Item>(of kind: SettingKind<Item>, example: String) -> Self where Value == [Item] {
        let expected = "a list, such as \(example)"
        let form = kind.form == .groups ? SettingForm.groups : .list
        return Self(expected: expected, form: form, role: kind.role) { node throws(SettingsError) in
            switch node.shape {
            case .empty: return []
            case .list(let items): return try collect(items, kind.read)
            case .text, .group: throw node.refused(expected)
            }
        }
    }

    /// As a list; what stands twice in it counts once.
    static func set<Item>(of kind: SettingKind<Item>, example: String) -> Self where Value == Set<Item> {
        let list = SettingKind<[Item]>.list(of: kind, example: example)
        return Self(expected: list.expected, form: list.form, role: list.role) { node throws(SettingsError) in
            Set(try list.read(node))
        }
    }
}

/// What `read` makes of each of the nodes, or all that is wrong with any.
private func collect<Value>(
    _ nodes: [SettingNode], _ read: (SettingNode) throws(SettingsError) -> Value
) throws(SettingsError) -> [Value] {
    var values: [Value] = []
    var problems: [SettingsProblem] = []
    for node in nodes {
        do throws(SettingsError) {
            values.append(try read(node))
        } catch {
            problems += error.problems
        }
    }
    guard problems.isEmpty else { throw SettingsError(problems) }
    return values
}
