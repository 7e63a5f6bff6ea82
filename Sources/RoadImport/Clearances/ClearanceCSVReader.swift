internal import Foundation
import Geo
import Wire

/// Reads delimited text with named columns: `lat`, `lon`, `clearance` or `height`, and what else is known: `id`, `name`,
/// `road`, `approach` (courses, separated by spaces or semicolons), `passage`, `source`, `date`.
///
/// The delimiter (`,` `;` tab or `|`) is the one that the header has most of. A row is one line.
struct ClearanceCSVReader {
    private enum Column: CaseIterable {
        case latitude, longitude, clearance, id, name, road, approach, passage, source, date

        var names: [String] {
            switch self {
            case .latitude: ["lat", "latitude"]
            case .longitude: ["lon", "lng", "long", "longitude"]
            case .clearance: ["clearance", "height"]
            case .id: ["id"]
            case .name: ["name"]
            case .road: ["road"]
            case .approach: ["approach"]
            case .passage: ["passage"]
            case .source: ["source"]
            case .date: ["date"]
            }
        }
    }

    /// In the order of their names: the first that a row fills counts.
    private let columns: [Column: [Int]]
    private let columnCount: Int
    private let text: DelimitedText

    /// Nil where the line names no position or no clearance.
    init?(header: Row) {
        text = DelimitedText(header: header.text)
        guard let fields = text.fields(header.text) else { return nil }
        let names = fields.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        columns = Dictionary(
            uniqueKeysWithValues: Column.allCases.map { ($0, $0.names.compactMap { names.firstIndex(of: $0) }) })
        columnCount = names.count
        guard [.latitude, .longitude, .clearance].allSatisfy({ columns[$0]?.isEmpty == false }) else { return nil }
    }

    func read(_ lines: inout TextLines, into collection: inout ClearanceCollection) {
        for row in lines where !row.isBlank {
            let fields = Result { () throws(RowError) in try self.fields(row) }
            collection.take(row, isNamed: (try? fields.get())?.isNamed ?? true) { () throws(RowError) in
                [try fields.get().clearance()]
            }
        }
    }

    private func fields(_ row: Row) throws(RowError) -> ClearanceFields {
        guard let values = text.fields(row.text) else { throw RowError(.openQuote) }
        try RowError.requireColumns(columnCount, in: values)
        func value(_ column: Column) -> String? {
            columns[column]?.map { values[$0] }.first { !$0.allSatisfy(\.isWhitespace) }
        }
        let position = Coordinate(
            latitude: try Self.degrees(value(.latitude)), longitude: try Self.degrees(value(.longitude)))
        return ClearanceFields(
            id: value(.id), position: position, clearance: value(.clearance), name: value(.name),
            road: value(.road), approach: try Self.courses(value(.approach)), passage: value(.passage),
            source: value(.source), date: value(.date))
    }

    /// With a decimal comma where the delimiter leaves room for one.
    private static func degrees(_ text: String?) throws(RowError) -> Degrees {
        let trimmed = (text ?? "").trimmingCharacters(in: .whitespaces)
        guard let degrees = Degrees(trimmed.replacingOccurrences(of: ",", with: ".")) else {
            throw RowError(.position, trimmed)
        }
        return degrees
    }

    private static func courses(_ text: String?) throws(RowError) -> [Degrees] {
        var courses: [Degrees] = []
        for word in (text ?? "").split(whereSeparator: { " ;,/°".contains($0) }) {
            guard let course = Degrees(word) else { throw RowError(.approach, text ?? "") }
            courses.append(course)
        }
        return courses
    }
}
