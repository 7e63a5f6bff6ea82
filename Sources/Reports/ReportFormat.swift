import Geo
import Messages
import Wire

/// A format in which a report is written.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// For people.
    case text
    /// One table: `part,key,name,alerts,notices,stops,passed,cleared,acknowledged,taken,blind_seconds`, with a row for all
    /// alerts, each day, hour and bridge that had any, and each vehicle that had any or was not warned for a while. The last
    /// column is empty but for vehicles.
    case csv
    /// One object.
    case json

    /// As HTTP names it.
    package var contentType: String {
        switch self {
        case .text: "text/plain; charset=utf-8"
        case .csv: "text/csv"
        case .json: "application/json"
        }
    }

    /// The whole document, with a line feed at its end.
    package func document(_ report: FleetReport) -> [UInt8] {
        switch self {
        case .text: Array(ReportText(report: report).document.utf8)
        case .csv: Array(ReportCSV.document(report).utf8)
        case .json: JSONWriter.object { $0.members(of: report) } + [UInt8(ascii: "\n")]
        }
    }
}

/// A report as comma-separated values.
enum ReportCSV {
    static func document(_ report: FleetReport) -> String {
        let headings = AlertCounts().columns.map { "\($0.heading)" }
        let rows =
            [["part", "key", "name"] + headings + ["blind_seconds"]]
            + report.rows.map { row in
                row.labels + row.counts.columns.map { "\($0.count)" } + [row.blind.map { "\(Int($0))" } ?? ""]
            }
        return rows.map(CommaSeparatedValues.line).joined()
    }
}

extension FleetReport {
    /// What is counted for all alerts and for parts of them.
    fileprivate struct Row {
        /// Of which part, its key, its name.
        var labels: [String]
        var counts: AlertCounts
        var blind: Seconds?
    }

    fileprivate var rows: [Row] {
        let times = Dictionary(uniqueKeysWithValues: blind.map { ($0.vehicle, $0.time.total) })
        let known = Set(vehicles.map(\.key))
        let others = blind.map(\.vehicle).filter { !known.contains($0) }.map { ($0, AlertCounts()) }
        return [Row(labels: ["total", "", ""], counts: total)]
            + days.map { Row(labels: ["day", $0.key, ""], counts: $0.counts) }
            + hours.map { Row(labels: ["hour", "\($0.key)", ""], counts: $0.counts) }
            + bridges.map { Row(labels: ["bridge", $0.key.id, $0.key.name], counts: $0.counts) }
            + (vehicles.map { ($0.key, $0.counts) } + others).map { vehicle, counts in
                Row(labels: ["vehicle", vehicle.text, ""], counts: counts, blind: times[vehicle] ?? 0)
            }
    }
}
