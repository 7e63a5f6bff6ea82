import Fleet
import Foundation
import Messages
import Wire

/// What `headroom forget` has done, or found.
struct ForgetReport {
    enum Executor: String, Encodable {
        case command, gateway
        /// It was only looked at.
        case nobody
    }

    var vehicle: VehicleID
    var stored: ForgetAnswer.Removed
    var doneBy: Executor
    /// Topics that were cleared on the broker, or would be.
    var retained: [String] = []
    /// What could not be done.
    var problems: [String] = []
}

extension ForgetAnswer.Removed {
    fileprivate var lines: [String] {
        [
            state ? "what is known of it: its height, its alerts, where it was last" : nil,
            history > 0 ? "\(history) alerts, fence events, visits, responses to alerts and blind times" : nil,
            positions > 0 ? VisitsTable.count(positions, "position") : nil,
            unsent > 0 ? VisitsTable.count(unsent, "unsent message") : nil,
            inputs > 0 ? VisitsTable.count(inputs, "retained input") : nil,
            untaken > 0 ? VisitsTable.count(untaken, "alert") + " that dispatch has not taken" : nil,
            phones > 0 ? VisitsTable.count(phones, "paired phone") : nil,
        ].compactMap(\.self)
    }
}

extension ForgetReport {
    // MARK: For people

    var text: String {
        let (store, broker) =
            doneBy == .nobody ? ("Stored", "Retained on the broker") : ("Removed", "Cleared on the broker")
        let parts = [(store, stored.lines), (broker, retained)].filter { !$0.1.isEmpty }
        let lines = parts.flatMap { title, lines in ["\(title):"] + lines.map { "  \($0)" } }
        return ([heading] + lines).joined(separator: "\n")
    }

    private var heading: String {
        if stored.isNothing && retained.isEmpty { return "Nothing is stored about \(vehicle)." }
        return switch doneBy {
        case .nobody: "About \(vehicle) there is:"
        case .command: "\(vehicle) is forgotten."
        case .gateway: "\(vehicle) is forgotten, by the running gateway."
        }
    }

    // MARK: For programs

    var json: String { VisitsJSON.text(Line(report: self)) }

    private struct Line: Encodable {
        private enum CodingKeys: CodingKey {
            case vehicle, by, stored, retained, problems
        }

        let report: ForgetReport

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(report.vehicle, forKey: .vehicle)
            try members.encode(report.doneBy, forKey: .by)
            try members.encode(report.stored, forKey: .stored)
            try members.encode(report.retained, forKey: .retained)
            try members.encode(report.problems, forKey: .problems)
        }
    }
}
