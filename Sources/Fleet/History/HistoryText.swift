/// What is wrong with counts that were handed on as text.
public struct HistoryTextError: Error, CustomStringConvertible {
    /// From 1 on.
    public var line: Int
    public var expected: String
    public var got: String

    public var description: String { "\(line): expected \(expected), got \"\(got.prefix(60))\"" }
}

/// Counts as they are handed on to another fleet: CSV, a row a line. Places and clearances are hexadecimal.
extension HazardHistory {
    private static let header = "place,clearance,passes,besides"

    public var text: String {
        rows.reduce(into: Self.header + "\n") { text, row in
            text += String(row.place, radix: 16) + "," + String(row.clearance, radix: 16)
            text += ",\(row.count.passes),\(row.count.besides)\n"
        }
    }

    /// - Parameter text: what `text` gave, in any order of rows.
    /// - Throws: at the first line that is not of this form.
    public init(text: String) throws(HistoryTextError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first.map(String.init) == Self.header else {
            throw HistoryTextError(line: 1, expected: Self.header, got: String(lines.first ?? ""))
        }
        var rows: [Row] = []
        for (number, line) in zip(2..., lines.dropFirst()) where !line.isEmpty {
            guard let row = Row(line) else {
                throw HistoryTextError(
                    line: number,
                    expected: "two hexadecimal and two whole numbers with commas between, the last not above the third",
                    got: String(line))
            }
            rows.append(row)
        }
        self.init()
        add(rows.sorted(by: <))
    }
}

extension HazardHistory.Row {
    fileprivate init?(_ line: Substring) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 4, let place = UInt64(fields[0], radix: 16), let clearance = UInt32(fields[1], radix: 16),
            let passes = UInt32(fields[2]), let besides = UInt32(fields[3]), besides <= passes
        else { return nil }
        self.init(place: place, clearance: clearance, count: HazardHistory.Count(passes: passes, besides: besides))
    }
}
