/// Reads NBI records of fixed width, one a line.
///
/// Positions after FHWA, NBI Record Format, https://www.fhwa.dot.gov/bridge/nbi/format.cfm (appendix E of the coding
/// guide, FHWA-PD-96-001): 432 characters as published, 445 as submitted, alike up to 426. Clearances are four digits,
/// metres with two decimals implied.
struct NBIFixedWidthReader {
    static let lengths: Set<Int> = [432, 445]

    /// First and last character, from 1.
    private static let positions: [NBIItem: ClosedRange<Int>] = [
        .state: 1...3, .structure: 4...18, .recordType: 19...19, .features: 38...61, .facility: 63...80,
        .routeClearance: 106...109, .latitude: 130...137, .longitude: 138...146, .deckClearance: 243...246,
        .underReference: 247...247, .underclearance: 248...251, .inspection: 287...290,
    ]

    private static let heights: Set<NBIItem> = [.routeClearance, .deckClearance, .underclearance]

    /// Whether a line has the length of a record and begins with a state code.
    static func recognises(_ line: Row) -> Bool {
        lengths.contains(line.text.count) && line.text.prefix(3).allSatisfy(\.isASCIIDigit)
    }

    func read(_ lines: inout TextLines, into collection: inout ClearanceCollection) {
        for row in lines where !row.isBlank {
            collection.takeRecord(row) { () throws(RowError) in try Self.record(row) }
        }
    }

    private static func record(_ row: Row) throws(RowError) -> NBIRecord {
        let characters = Array(row.text)
        guard lengths.contains(characters.count) else {
            throw RowError(.length, "\(characters.count) characters")
        }
        var fields: [NBIItem: String] = [:]
        for (item, positions) in positions {
            let text = String(characters[(positions.lowerBound - 1)...(positions.upperBound - 1)])
            fields[item] = heights.contains(item) ? decimal(text) : text
        }
        return NBIRecord(fields: fields)
    }

    /// `0495` is 4.95; what is not four digits stays as it is, to be judged as it stands.
    private static func decimal(_ text: String) -> String {
        guard text.allSatisfy(\.isASCIIDigit), let hundredths = Int(text) else { return text }
        let decimals = hundredths % 100
        return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
    }
}
