/// A table as text (RFC 4180, with line feeds alone), that a spreadsheet does not take for formulas.
package enum CommaSeparatedValues {
    /// One row, with a line feed at its end.
    package static func line(_ fields: [String]) -> String {
        fields.map { quoted(guarded($0)) }.joined(separator: ",") + "\n"
    }

    /// A text that a spreadsheet would compute gets an apostrophe (owasp.org/www-community/attacks/CSV_Injection): names of
    /// streets, notes and ids come from elsewhere. A number stays one.
    private static func guarded(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first), Double(text) == nil
        else {
            return text
        }
        return "'" + text
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
