import Geo

/// The names of all settings, and what to say about others.
struct KnownNames {
    let names: [String]
    /// The words before the dots, and the settings that stand alone, in order.
    private let roots: [String]
    /// Sections that may hold something else than keys.
    let shortForms: Set<String>

    init(_ names: [String], shortForms: Set<String> = []) {
        self.names = names
        self.shortForms = shortForms
        roots = names.map(Self.root).reduce(into: []) { roots, root in
            if roots.last != root { roots.append(root) }
        }
    }

    /// What is wrong with the keys in the file; what is wrong with values is their kinds' affair.
    func unknownKeys(in file: SettingNode?) -> [SettingsProblem] {
        (file?.members ?? []).flatMap { member -> [SettingsProblem] in
            let name = member.key.name
            if names.contains(name) && !name.contains(".") { return [] }
            return roots.contains(name) ? unknownKeys(inSection: member.value) : [unknown(member.key)]
        }
    }

    private func unknownKeys(inSection section: SettingNode) -> [SettingsProblem] {
        switch section.shape {
        case .empty: return []
        case .group(let members): return members.map(\.key).filter { !names.contains($0.name) }.map(unknown)
        case .text, .list:
            // It is the setting's affair then.
            if shortForms.contains(section.name) { return [] }
            return section.refused("keys indented under it: \(keys(of: section.name))").problems
        }
    }

    private func unknown(_ key: SettingNode) -> SettingsProblem {
        let name = key.name
        let section = Self.root(name)
        let right =
            if names.contains(name) {
                "write \(name.dropFirst(section.count + 1)) indented under \(section)"
            } else if let near = Spelling.nearest(to: name, among: names + roots) {
                "did you mean \(near)?"
            } else if section != name && roots.contains(section) {
                "\(section) holds \(keys(of: section))"
            } else {
                "the file holds \(roots.joined(separator: ", "))"
            }
        return key.problem(wrong: "unknown key \(name)", right: right)
    }

    private func keys(of section: String) -> String {
        let keys = names.filter { $0.hasPrefix(section + ".") }.map { String($0.dropFirst(section.count + 1)) }
        return keys.joined(separator: ", ")
    }

    private static func root(_ name: String) -> String {
        String(name.prefix { $0 != "." })
    }
}
