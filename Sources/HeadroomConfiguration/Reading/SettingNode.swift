import Yams

/// A piece of the configuration as it was written, with its name and where it stands: a view of Yams' tree.
///
/// What the environment says is a node too, so that one reader serves both.
struct SettingNode {
    enum Shape {
        /// Nothing, `~` or `null`.
        case empty
        case text(String)
        case list([SettingNode])
        case group([Member])
    }

    struct Member {
        var key: SettingNode
        var value: SettingNode
    }

    /// `fixes.max_age`, `fleet.inputs[0].topic`.
    let name: String
    let origin: SettingOrigin
    /// What relative paths start from.
    let directory: String
    /// Yams' own: to be written as it stands; whoever reads it asks for its `shape`.
    let node: Node

    init(_ node: Node, name: String, origin: SettingOrigin, directory: String) {
        self.node = node
        self.name = name
        self.origin = origin
        self.directory = directory
    }

    var shape: Shape {
        switch node {
        case .scalar(let scalar):
            return Self.isNull(scalar) ? .empty : .text(scalar.string)
        case .sequence(let sequence):
            return .list(sequence.enumerated().map { index, item in child(item, name: "\(name)[\(index)]") })
        case .mapping(let mapping):
            return .group(mapping.map { member(key: $0.key, value: $0.value) })
        case .alias:
            // The parser puts the anchor's node in an alias' place.
            return .empty
        }
    }

    /// The members of a group; nil where this is none.
    var members: [Member]? {
        if case .group(let members) = shape { members } else { nil }
    }

    /// Every text in it, at any depth.
    var texts: [SettingNode] {
        switch shape {
        case .empty: []
        case .text: [self]
        case .list(let items): items.flatMap(\.texts)
        case .group(let members): members.flatMap(\.value.texts)
        }
    }

    private func member(key: Node, value: Node) -> Member {
        let label = child(key, name: "").label
        let path = name.isEmpty ? label : "\(name).\(label)"
        return Member(key: child(key, name: path), value: child(value, name: path))
    }

    /// What a key is called in messages; a key that is a list or a group is none, and no known one bears its text.
    private var label: String {
        if case .scalar(let scalar) = node, !Self.isNull(scalar) { scalar.string } else { FlowStyle.text(node) }
    }

    private func child(_ node: Node, name: String) -> SettingNode {
        SettingNode(node, name: name, origin: origin.moved(to: node.mark), directory: directory)
    }

    /// The null of YAML's core schema. A quoted `"null"` is a text, a quoted `""` says nothing.
    static func isNull(_ scalar: Node.Scalar) -> Bool {
        scalar.string.isEmpty || (scalar.style == .plain && ["~", "null", "Null", "NULL"].contains(scalar.string))
    }
}

extension SettingOrigin {
    /// The same file at `mark`.
    func moved(to mark: Mark?) -> SettingOrigin {
        guard let mark else { return self }
        return moved(line: mark.line, column: mark.column)
    }

    func moved(line: Int, column: Int) -> SettingOrigin {
        guard case .file(let path, _, _) = self else { return self }
        return .file(path, line: line, column: column)
    }
}

extension SettingNode {
    /// `text` as an absolute path.
    func path(_ text: String) -> String { text.path(from: directory) }

    /// A problem that stands here.
    func problem(wrong: String, right: String? = nil) -> SettingsProblem {
        SettingsProblem(origin, wrong: wrong, right: right)
    }

    /// Refuses what is written here, in favour of `expected`.
    func refused(_ expected: String) -> SettingsError {
        let got =
            switch shape {
            case .empty: "nothing"
            case .text(let text): Self.excerpt(text)
            case .list: "a list"
            case .group: "a group of keys"
            }
        return SettingsError([problem(expected: expected, got: got)])
    }

    /// `fleet.qos: expected a whole number from 0 to 2, got "3"`.
    ///
    /// - Parameter key: what it is about, below this node; empty: the node itself.
    func problem(_ key: String = "", expected: String, got: String) -> SettingsProblem {
        problem(wrong: "\(key.isEmpty ? name : "\(name).\(key)"): expected \(expected), got \(got)")
    }

    /// A long text would drown the message.
    private static func excerpt(_ text: String) -> String {
        FlowStyle.enclosed(text.count > 60 ? text.prefix(60) + "…" : text)
    }
}

extension String {
    /// As an absolute path, where relative ones start from `directory`. `..` is left to the system, which knows the
    /// symbolic links.
    func path(from directory: String) -> String {
        if hasPrefix("/") { return self }
        let relative = hasPrefix("./") ? dropFirst(2) : self[...]
        return directory == "/" ? "/\(relative)" : "\(directory)/\(relative)"
    }
}
