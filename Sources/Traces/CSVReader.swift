import Fleet
import Foundation
import Geo
import Messages
import RoadImport
import Wire

/// Reads delimited text (`,` `;` tab or `|`) with named columns, a fix a line.
struct CSVReader {
    private let header: TraceFile.Line
    private let columns: CSVColumns
    private let text: DelimitedText
    /// Where a line names none.
    private let vehicle: VehicleID

    /// - Throws: where the first line that is not blank names no columns of a trace.
    init(_ file: TraceFile, vehicle: VehicleID) throws(TraceFileError) {
        guard let header = file.lines.first(where: { !$0.isBlank }) else {
            preconditionFailure("what is blank is no CSV")
        }
        self.header = header
        self.vehicle = vehicle
        text = DelimitedText(header: header.text)
        do throws(TraceError) {
            guard let names = text.fields(header.text) else { throw TraceError("a text without its closing quote") }
            columns = try CSVColumns(names)
        } catch {
            throw .unusable("\(file.path):\(header.number): \(error)")
        }
    }

    func read(_ file: TraceFile, into trace: inout Trace) {
        if !columns.ignored.isEmpty { trace.remark("columns not used: \(columns.ignored.joined(separator: ", "))") }
        for line in file.lines {
            if line.isBlank {
                trace.pass(.blank)
            } else if line.number == header.number {
                trace.pass(.header)
            } else {
                do throws(TraceError) {
                    let row = try Row(line, columns, text)
                    let fixes = RecordedFixes(vehicle: try row.vehicle ?? vehicle, fixes: [try row.fix])
                    trace.add([fixes], line: line.number)
                } catch {
                    trace.reject(error, line: line.number)
                }
            }
        }
    }
}

/// The fields of a line.
private struct Row {
    private let fields: [String]
    private let columns: CSVColumns
    private let hasDecimalCommas: Bool

    init(_ line: TraceFile.Line, _ columns: CSVColumns, _ text: DelimitedText) throws(TraceError) {
        guard let fields = text.fields(line.text) else { throw TraceError("a text without its closing quote") }
        guard fields.count == columns.count else {
            throw TraceError("wrong number of columns", "\(fields.count) of \(columns.count)")
        }
        self.fields = fields
        self.columns = columns
        hasDecimalCommas = text.delimiter != ","
    }

    /// Nil where the line names none.
    var vehicle: VehicleID? {
        get throws(TraceError) {
            guard let text = text(.vehicle) else { return nil }
            guard let vehicle = VehicleID(text) else { throw TraceError(.invalidVehicleID, text) }
            return vehicle
        }
    }

    var fix: Fix {
        get throws(TraceError) {
            guard let latitude = try number(.latitude), let longitude = try number(.longitude) else {
                throw TraceError("a line without lat and lon")
            }
            let position = Coordinate(latitude: latitude, longitude: longitude)
            guard position.isValid else { throw TraceError("a place off the map", "\(latitude), \(longitude)") }
            return Fix(
                position: position, time: try time, accuracy: try known(.accuracy), speed: try known(.speed),
                course: try course, altitude: try number(.altitude))
        }
    }

    private var course: Degrees? {
        get throws(TraceError) {
            guard let course = try known(.course) else { return nil }
            guard course <= 360 else { throw TraceError("a course above 360°", "\(course)") }
            return course == 360 ? 0 : course
        }
    }

    /// RFC 3339, or epoch seconds, from 10¹¹ on milliseconds.
    private var time: Timestamp {
        get throws(TraceError) {
            guard let text = text(.time) else { throw TraceError("a line without a time") }
            if let number = Double(text), number.magnitude < 1e15 {
                return Timestamp(milliseconds: Int64((number >= 1e11 ? number : number * 1000).rounded()))
            }
            let isUTC = columns[.time]?.isUTC ?? false
            guard let time = RFC3339.timestamp(text) ?? (isUTC ? RFC3339.timestamp(text + "Z") : nil) else {
                throw TraceError(
                    "a time that cannot be read",
                    "\(text); write 2026-11-21T14:03:22Z or epoch seconds, or name the column time_utc")
            }
            return time
        }
    }

    /// Receivers write −1 for an accuracy, a speed or a course that they do not know.
    private func known(_ field: CSVColumns.Field) throws(TraceError) -> Double? {
        try number(field).flatMap { $0 < 0 ? nil : $0 }
    }

    private func number(_ field: CSVColumns.Field) throws(TraceError) -> Double? {
        guard let text = text(field), let column = columns[field] else { return nil }
        let plain = hasDecimalCommas ? text.replacing(",", with: ".") : text
        guard let number = Double(plain), number.isFinite else { throw TraceError("no number in \(field)", text) }
        return number * column.factor
    }

    /// Nil where the file has no such column, or the line leaves it empty.
    private func text(_ field: CSVColumns.Field) -> String? {
        guard let column = columns[field] else { return nil }
        let text = fields[column.index].trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? nil : text
    }
}
