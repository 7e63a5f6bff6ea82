/// Reads delimited NBI files: a header that names each column by its item (`MIN_VERT_CLR_010`), text quoted with `'`.
///
/// Files of all years: columns are found by the item number at the end of their names, whatever their count and order.
struct NBIDelimitedReader {
    private let columns: [NBIItem: Int]
    private let columnCount: Int
    private let text = DelimitedText(delimiter: ",", quotes: ["'", "\""])

    /// Nil where the line is no header of such a file.
    init?(header: Row) {
        guard let names = text.fields(header.text.uppercased()) else { return nil }
        var columns: [NBIItem: Int] = [:]
        for item in NBIItem.allCases {
            columns[item] = names.firstIndex { $0.hasSuffix("_\(item.rawValue)") }
        }
        // The date of inspection is not worth refusing a file for.
        columns[.inspection] = columns[.inspection] ?? names.count
        guard columns.count == NBIItem.allCases.count else { return nil }
        self.columns = columns
        columnCount = names.count
    }

    func read(_ lines: inout TextLines, into collection: inout ClearanceCollection) {
        for row in lines where !row.isBlank {
            collection.takeRecord(row) { () throws(RowError) in try self.record(row) }
        }
    }

    private func record(_ row: Row) throws(RowError) -> NBIRecord {
        guard let fields = text.fields(row.text) else { throw RowError(.openQuote) }
        guard fields.count == columnCount else { return try damagedRecord(fields) }
        return NBIRecord(fields: columns.compactMapValues { $0 < fields.count ? fields[$0] : nil })
    }

    /// No item is so wide: where as many blanks stand, a block of the file was overwritten with them.
    private static let lostBlock = String(repeating: " ", count: 64)

    /// A record with a block of blanks over some of its columns: those before it are where they belong, and those behind
    /// it as well, counted from the end.
    private func damagedRecord(_ fields: [String]) throws(RowError) -> NBIRecord {
        let blocks = fields.indices.filter { fields[$0].contains(Self.lostBlock) }
        guard blocks.count == 1, fields.count < columnCount else {
            throw RowError(.columns, "\(fields.count) of \(columnCount)")
        }
        let lost = columnCount - fields.count
        let intact = columns.compactMapValues { column -> String? in
            if column < blocks[0] { return fields[column] }
            // The block ends within a field, of which nobody knows what is left.
            return (blocks[0] + lost + 1..<columnCount).contains(column) ? fields[column - lost] : nil
        }
        let names = NBIItem.allCases.filter { intact[$0] == nil }.map(\.title).joined(separator: ", ")
        return NBIRecord(
            fields: intact,
            damage: RowError(.lostColumns, "\(lost + 1) columns are overwritten with blanks, among them \(names)"))
    }
}
