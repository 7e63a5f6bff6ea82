import Yams

/// YAML on one line, as settings are printed.
enum FlowStyle {
    /// Of Yams' tree, and not of `SettingNode`, whose members are named after the texts of their keys: keys within keys would be
    /// written twice at each level.
    static func text(_ node: Node) -> String {
        switch node {
        case .scalar(let scalar): SettingNode.isNull(scalar) ? "" : quoted(scalar.string)
        case .sequence(let items): list(items.map(text))
        case .mapping(let members):
            "{" + members.map { "\(text($0.key)): \(text($0.value))" }.joined(separator: ", ") + "}"
        // The parser puts the anchor's node in an alias' place.
        case .alias: ""
        }
    }

    static func list(_ items: [String]) -> String {
        "[" + items.joined(separator: ", ") + "]"
    }

    /// `text`, in quotes where YAML, or a reader who copies it into a list, could take it for something else.
    static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || " ./_+-".unicodeScalars.contains(scalar)
        }
        let isWord =
            isPlain && text.first != " " && text.last != " " && text.first != "-" && text.lowercased() != "null"
        return isWord && !text.isEmpty ? text : enclosed(text)
    }

    /// `text` in double quotes, whatever it holds.
    static func enclosed(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case "\n": return "\\n"
        case _ where scalar.properties.generalCategory == .control:
            // Control characters lie below U+00A0: two digits.
            let digits = String(scalar.value, radix: 16)
            return "\\x" + (digits.count < 2 ? "0" : "") + digits
        default: return String(scalar)
        }
    }
}
