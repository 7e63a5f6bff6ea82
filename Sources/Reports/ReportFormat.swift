import Messages
import Wire

/// A format in which a report is written.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// For people.
    case text
    /// One table: `part,key,name,alerts,notices,stops,passed,cleared,acknowledged,taken`, with a row for all alerts, each day,
    /// hour, bridge and vehicle that had any.
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
            [["part", "key", "name"] + headings]
            + report.rows.map { $0.labels + $0.counts.columns.map { "\($0.count)" } }
        return rows.map(CommaSeparatedValues.line).joined()
    }
}

extension FleetReport {
    /// What is counted for all alerts and for parts of them; labels: of which part, its key, its name.
    var rows: [(labels: [String], counts: AlertCounts)] {
        [(["total", "", ""], total)] + days.map { (["day", $0.key, ""], $0.counts) }
            + hours.map { (["hour", "\($0.key)", ""], $0.counts) }
            + bridges.map { (["bridge", $0.key.id, $0.key.name], $0.counts) }
            + vehicles.map { (["vehicle", $0.key.text, ""], $0.counts) }
    }
}
