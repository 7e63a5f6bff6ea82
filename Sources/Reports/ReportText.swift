import Foundation
import Geo
import Messages
import Wire

/// A report for people.
struct ReportText {
    /// Of bridges and of vehicles: a page of each.
    private static let rowsMax = 50

    let report: FleetReport

    var document: String {
        let span = [report.span.lowerBound, report.span.upperBound].map(RFC3339.text).joined(separator: " to ")
        let parts =
            [["Alerts from \(span)", ""] + totals]
            + [
                table("Day (UTC)", report.days.map { ($0.key, $0.counts) }),
                table("Hour (UTC)", report.hours.map { (String(format: "%02d", $0.key), $0.counts) }),
                table("Bridge", report.bridges.map { ("\($0.key.posted) \($0.key.name) (\($0.key.id))", $0.counts) }),
                table("Vehicle", report.vehicles.map { ($0.key.text, $0.counts) }), passes, blind,
            ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private var totals: [String] {
        var lines = report.total.columns.map { "\(Self.padded("\($0.heading)", 14)) \($0.count)" }
        if let lead = report.lead {
            lines.append(
                "told ahead     median \(Int(lead.distance.median)) m or \(Int(lead.time.median)) s,"
                    + " nine of ten from \(Int(lead.distance.tenth)) m or \(Int(lead.time.tenth)) s on")
        }
        if report.unreadable > 0 { lines.append("unreadable     \(report.unreadable) messages") }
        return lines
    }

    private var blind: [String] {
        guard !report.blind.isEmpty else { return [] }
        let shown = report.blind.prefix(Self.rowsMax)
        let width = shown.map(\.vehicle.text.count).max() ?? 0
        let lines = shown.map { vehicle, time in
            let spots = time.spots.map { "\($0.spot.rawValue) \(Self.hours($0.seconds))" }.joined(separator: ", ")
            return "\(Self.padded(vehicle.text, width))  \(Self.right(Self.hours(time.total), 10))  \(spots)"
        }
        let more = report.blind.count > shown.count ? ["and \(report.blind.count - shown.count) more"] : []
        return ["Not warned: for how long, and because of what"] + lines + more
    }

    private static func hours(_ duration: Seconds) -> String { String(format: "%.2f h", duration / 3_600) }

    private var passes: [String] {
        guard !report.passes.isEmpty else { return [] }
        return ["Passed under"]
            + report.passes.map { pass in
                "\(RFC3339.text(pass.time))  \(pass.vehicle)  \(pass.bridge.posted) \(pass.bridge.name) (\(pass.bridge.id))"
            }
    }

    private func table(_ heading: String, _ rows: [(name: String, counts: AlertCounts)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let shown = rows.prefix(Self.rowsMax)
        let width = max(heading.count, shown.map(\.name.count).max() ?? 0)
        let columns = AlertCounts().columns.map { "\($0.heading)" }
        let lines = shown.map { row in
            Self.padded(row.name, width)
                + zip(columns, row.counts.columns).map { "  " + Self.right("\($1.count)", $0.count) }.joined()
        }
        let more = rows.count > shown.count ? ["and \(rows.count - shown.count) more"] : []
        return [Self.padded(heading, width) + columns.map { "  " + $0 }.joined()] + lines + more
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
