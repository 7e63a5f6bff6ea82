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
        // Which columns are missing nobody knows: no item of such a row can be believed, nor that it limits no road.
        try RowError.requireColumns(columnCount, in: fields)
        return NBIRecord(fields: columns.compactMapValues { $0 < fields.count ? fields[$0] : nil })
    }
}
