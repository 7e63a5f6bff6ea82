/// A table as text (RFC 4180, with line feeds alone).
package enum CommaSeparatedValues {
    /// One row, with a line feed at its end.
    package static func line(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
