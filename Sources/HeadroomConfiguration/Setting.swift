/// One setting as it is in force, and where it came from.
package struct Setting: Sendable {
    /// `broker.url`.
    package let name: String
    /// What it is for.
    package let about: String
    /// As it was written, files as absolute paths, secrets as `***`; empty where there is none.
    package let text: String
    package let origin: SettingOrigin
    /// The default as it would be written.
    let standard: String
    /// The files it names, and where each is written.
    let files: [NamedFile]

    struct NamedFile: Sendable {
        var path: String
        var origin: SettingOrigin
        /// Whether it is made where there is none.
        var isNew: Bool
    }

    init(name: String, about: String, form: SettingForm, role: SettingRole, node: SettingNode, standard: SettingNode) {
        self.name = name
        self.about = about
        self.text = Self.text(node, form, role)
        self.origin = node.origin
        self.standard = Self.text(standard, form, .plain)
        let isFile = role == .file || role == .newFile
        files = (isFile ? node.texts : []).map { file in
            NamedFile(path: file.path(file.ownText), origin: file.origin, isNew: role == .newFile)
        }
    }

    private static func text(_ node: SettingNode, _ form: SettingForm, _ role: SettingRole) -> String {
        switch (node.shape, role) {
        case (.empty, _): form == .text || form == .group ? "" : FlowStyle.list([])
        case (.list(let items), .secret) where items.isEmpty: FlowStyle.list([])
        case (_, .secret): "***"
        case (.text(let text), .file), (.text(let text), .newFile): FlowStyle.quoted(node.path(text))
        case (.list(let items), .file): FlowStyle.list(items.map { FlowStyle.quoted($0.path($0.ownText)) })
        default: FlowStyle.text(node.node)
        }
    }
}

extension SettingNode {
    /// Empty where it is no text.
    fileprivate var ownText: String {
        if case .text(let text) = shape { text } else { "" }
    }
}
