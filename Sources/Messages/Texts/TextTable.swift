/// The texts for drivers: one table for each language.
public enum TextTable {
    public static func table(_ language: Language) -> [TextKey: String] {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    /// A text with its values.
    ///
    /// - Parameter values: by the names that stand in braces.
    public static func text(_ key: TextKey, _ language: Language, _ values: [String: String] = [:]) -> String {
        guard let pattern = table(language)[key] else { preconditionFailure("every table has every key") }
        guard !values.isEmpty else { return pattern }
        var text = ""
        var rest = pattern[...]
        // A value may hold braces: what is filled in is not looked at again.
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start] + (values[String(rest[rest.index(after: start)..<end])] ?? "")
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}
