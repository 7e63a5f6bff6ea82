/// Splits a line of delimited text into its fields, without their quotes.
///
/// A quote opens at a field's start only, perhaps behind blanks, and closes only before a delimiter or the end of the line. So `10'6"` and
/// `'HICK'S ACCESS ROAD'` are read as they are meant; two closing quotes in a row stand for one, as in RFC 4180.
package struct DelimitedText: Sendable {
    /// The delimiters that files are written with.
    static let delimiters: [Character] = [",", ";", "\t", "|"]

    package let delimiter: Character
    let quotes: Set<Character>

    init(delimiter: Character, quotes: Set<Character>) {
        self.delimiter = delimiter
        self.quotes = quotes
    }

    /// The delimiter (`,` `;` tab or `|`) is the one that the line has most of; text is quoted with `"`.
    package init(header: String) {
        let counts = Self.delimiters.map { delimiter in header.count { $0 == delimiter } }
        delimiter = zip(Self.delimiters, counts).max { $0.1 < $1.1 }?.0 ?? ","
        quotes = ["\""]
    }

    /// Nil where a text has no closing quote.
    package func fields(_ line: String) -> [String]? {
        let characters = Array(line)
        var fields: [String] = []
        var position = 0
        while true {
            guard let field = field(characters, &position) else { return nil }
            fields.append(field)
            guard position < characters.count else { return fields }
            // At a delimiter; one at the very end leaves an empty field behind it.
            position += 1
            if position == characters.count { return fields + [""] }
        }
    }

    private func field(_ line: [Character], _ position: inout Int) -> String? {
        if var start = line[position...].firstIndex(where: { $0 != " " }), quotes.contains(line[start]) {
            defer { position = start }
            return quoted(line, &start)
        }
        let end = line[position...].firstIndex(of: delimiter) ?? line.count
        defer { position = end }
        return String(line[position..<end])
    }

    private func quoted(_ line: [Character], _ position: inout Int) -> String? {
        let quote = line[position]
        var text = ""
        var next = position + 1
        while next < line.count {
            let character = line[next]
            next += 1
            guard character == quote else {
                text.append(character)
                continue
            }
            if next == line.count || line[next] == delimiter {
                position = next
                return text
            }
            // Within the text: doubled where the writer knew that it had to be.
            text.append(quote)
            if line[next] == quote { next += 1 }
        }
        return nil
    }
}
