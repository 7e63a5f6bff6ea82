import Fleet
import Geo
import Messages

/// A comparison as people read it: one row for each way of reporting.
package struct TrackingReport {
    private let summary: TrackingSummary
    private let fences: String

    /// - Parameter fences: where the fences come from: `of fences.geojson`, `drawn along the roads`.
    package init(_ summary: TrackingSummary, fences: String) {
        self.summary = summary
        self.fences = fences
    }

    package var text: String { ([head, ""] + table + [""] + notes + misses).joined(separator: "\n") }

    private var head: String {
        let truth = summary.truth
        return "\(summary.trips.grouped) trips, \(summary.kilometres.text(decimals: 0)) km, "
            + "\(summary.hours.text(decimals: 1)) h; \(summary.fences.grouped) fence\(summary.fences == 1 ? "" : "s") \(fences).\n"
            + "A fix every second tells of \(truth.alerts.happened.grouped) stages of alerts and "
            + "\(truth.fenceEvents.happened.grouped) fence events; that is the truth here."
    }

    // MARK: The table

    private static let groups = [
        "", "", "", "", "battery", "missed", "missed", "false", "late", "late", "delay", "delay",
    ]
    private static let columns = [
        "", "messages", "GPS s", "J/h", "per hour", "alerts", "fences", "events", "> 1 s", "> 10 s", "median", "worst",
    ]

    private var table: [String] {
        let rows = [Self.groups, Self.columns] + summary.allResults.map(row)
        let widths = Self.columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
    }

    private func row(_ result: TrackingResult) -> [String] {
        let events = result.events
        return [
            result.title, result.messages.grouped, result.gpsSeconds.text(decimals: 0),
            range(result) { summary.perHour($0).text(decimals: 0) },
            range(result) { summary.batteryPercentPerHour($0).text(decimals: 1) } + " %",
            result.alerts.missed.grouped, result.fenceEvents.missed.grouped, events.unfounded.grouped,
            events.late.grouped, events.veryLate.grouped, delay(events.medianDelay), delay(events.worstDelay),
        ]
    }

    private func range(_ result: TrackingResult, _ text: (EnergyModel.Joules) -> String) -> String {
        "\(text(result.joulesLow))–\(text(result.joulesHigh))"
    }

    private func delay(_ seconds: Seconds?) -> String { seconds.map { $0.text(decimals: 1) + " s" } ?? "–" }

    // MARK: Below it

    private func between(_ text: (EnergyModel) -> String) -> String { "\(text(.low)) to \(text(.high))" }

    private var notes: [String] {
        let battery = (EnergyModel.battery / 3600).text(decimals: 0)
        return [
            "Energy: receiver and radio alone, of a battery of \(battery) Wh, from low to high figures. Receiver "
                + "\(between { ($0.receiver * 1000).text(decimals: 0) }) mW (measured: arXiv 1503.02656, 1910.13041),",
            "LTE radio \(between { ($0.tailPower * 1000).text(decimals: 0) }) mW for \(between { $0.tail.text(decimals: 0) }) s "
                + "after each message (assumed); what cells and the system's own fences tell costs nothing.",
            "Delay: the time that an event bears, against the truth; by the reports' rhythm it may lie before it.",
        ]
    }

    /// A circle that costs an event is a fault; what the others miss is their nature.
    private var misses: [String] {
        summary.strategies.filter { $0.strategy == TrackingStrategy.quietCircle(interval: 1).name }.compactMap {
            result in
            let trips = result.events.missedOn
            guard !trips.isEmpty else { return nil }
            let shown = trips.prefix(20).map { "\($0)" }.joined(separator: ", ")
            return "Missed by \(result.title): trip \(shown)"
                + (trips.count > 20 ? ", … (\(trips.count.grouped) in all)" : "")
        }
    }
}
