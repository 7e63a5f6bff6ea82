import Fleet
import Geo
import Messages
import Roads

/// What one simulated trip was told, beside what it did.
struct TripRecord {
    /// One alert from its first to its last message.
    struct Alert {
        /// Position in `HazardTable.hazards`: that of the entry that was told of last.
        var hazard: Int
        /// As it was raised.
        var isSideRoad: Bool
        /// What was published, with where along the trip the vehicle was.
        var stages: [(stage: AlertMessage.Stage, time: Timestamp, distance: Metres)]

        var raisedAt: Metres { stages[0].distance }
        /// The worst stage before its end.
        var worst: AlertMessage.Stage { stages.map(\.stage).filter { !$0.isEnd }.max { $0.rank < $1.rank } ?? .ahead }
    }

    /// All stages of a truck that drives on.
    private static let allStages: [AlertMessage.Stage] = [.ahead, .detour, .stop, .passed]

    let drive: Drive
    let passes: [Pass]
    /// In the order in which they were raised.
    private(set) var alerts: [Alert] = []
    /// When each fix was reported, accepted or not.
    private(set) var reports: [Timestamp] = []
    /// Where along the trip each accepted fix was taken.
    private(set) var fixes: [Metres] = []
    var engineTime: Duration = .zero
    /// Positions in `alerts`.
    private var known: [String: Int] = [:]

    init(_ drive: Drive, passes: [Pass]) {
        self.drive = drive
        self.passes = passes
    }

    var trip: Trip { drive.trip }

    /// - Parameter hazard: of an open alert, by its id.
    mutating func note(_ fix: Fix, _ effects: Effects, hazard: (String) -> Int?) {
        reports.append(fix.time)
        let distance = drive.place(at: fix.time).distance
        if effects.fixesAccepted > 0 { fixes.append(distance) }
        for case .alert(let message) in effects.envelopes.map(\.message) {
            if known[message.id] == nil {
                guard let hazard = hazard(message.id) else { continue }
                known[message.id] = alerts.count
                alerts.append(Alert(hazard: hazard, isSideRoad: message.sideRoad, stages: []))
            }
            if let hazard = hazard(message.id) { alerts[known[message.id]!].hazard = hazard }
            alerts[known[message.id]!].stages.append((message.stage, fix.time, distance))
        }
    }

    /// The first alert that was raised before the detour point of a pass and not taken back before it. Where the low edge
    /// begins at the detour point, a noisy fix may have it passed a little early.
    func alert(for pass: Pass, before detour: Metres) -> Alert? {
        alerts.first { alert in
            let end = alert.stages.first { $0.stage == .cleared }
            return pass.entries.contains(alert.hazard) && alert.raisedAt < detour
                && end?.distance ?? .infinity >= detour
        }
    }

    /// Whether the trip came to the hazard of an alert after the alert was raised, or was in its low zone then.
    func wasRight(_ alert: Alert) -> Bool {
        // Half a truck's length of map error each way, and noise.
        passes.contains {
            $0.entries.contains(alert.hazard) && max($0.entryDistance + 50, $0.zoneEnd) >= alert.raisedAt
        }
    }

    /// Whether the device reported nothing for less than so long before it came to a place along the trip. A report exactly that
    /// long before does not count: whether a rule reaches so far is then a matter of rounding.
    func isSilent(for seconds: Seconds, before distance: Metres) -> Bool {
        let end = drive.time(at: distance)
        return !reports.contains { $0 < end && end.since($0) < seconds }
    }

    /// The first alert on the path that went through all stages, and whose hazard was passed with a detour.
    var alertWithAllStages: Alert? {
        alerts.first { alert in
            !alert.isSideRoad && alert.stages.map(\.stage) == Self.allStages
                && passes.contains { $0.entries.contains(alert.hazard) && $0.detourDistance ?? -1 > alert.raisedAt }
        }
    }
}
