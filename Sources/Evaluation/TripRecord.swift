import Fleet
import Geo
import Messages
import Roads

/// What one simulated trip was told, beside what it did.
struct TripRecord {
    /// What an alert message said.
    struct Message {
        var stage: AlertMessage.Stage
        var attention: AlertMessage.Attention
        var isSideRoad: Bool
        var time: Timestamp
        /// Where along the trip the vehicle was.
        var distance: Metres
    }

    /// One alert from its first to its last message.
    struct Alert {
        /// Position in `HazardTable.hazards`: that of the entry that was told of last.
        var hazard: Int
        /// What was published.
        var stages: [Message]

        /// As it was raised.
        var isSideRoad: Bool { stages[0].isSideRoad }
        var raisedAt: Metres { stages[0].distance }
        /// Nil where the trip ended before.
        var end: Message? { stages.last.flatMap { $0.stage.isEnd ? $0 : nil } }
        var isNotice: Bool { stages[0].attention == .notice }
        /// What of it was to be heard; nil where it never was more than a notice.
        var alarm: Alert? {
            let heard = stages.filter { $0.attention == .alarm }
            return heard.allSatisfy(\.stage.isEnd) ? nil : Alert(hazard: hazard, stages: heard)
        }
        /// The worst stage before its end.
        var worst: AlertMessage.Stage { stages.map(\.stage).filter { !$0.isEnd }.max { $0.rank < $1.rank } ?? .ahead }
    }

    /// All stages of a truck that drives on.
    private static let allStages: [AlertMessage.Stage] = [.ahead, .detour, .stop, .passed]

    let drive: Drive
    let passes: [Pass]
    /// Notices and alarms, in the order in which they were raised.
    private(set) var alerts: [Alert] = []
    /// When each fix was reported, accepted or not.
    private(set) var reports: [Timestamp] = []
    /// Where along the trip each accepted fix was taken.
    private(set) var fixes: [Metres] = []
    /// The road that each of them was matched to, direction included; nil: to none.
    private(set) var matches: [EdgeID?] = []
    var engineTime: Duration = .zero
    /// Positions in `alerts`.
    private var known: [String: Int] = [:]

    init(_ drive: Drive, passes: [Pass]) {
        self.drive = drive
        self.passes = passes
    }

    var trip: Trip { drive.trip }

    /// - Parameters:
    ///   - matched: the edge on the map that the vehicle is likeliest on.
    ///   - hazard: of an open alert, by its id.
    mutating func note(_ fix: Fix, _ effects: Effects, matched: EdgeID?, hazard: (String) -> Int?) {
        reports.append(fix.time)
        let distance = drive.place(at: fix.time).distance
        if effects.fixesAccepted > 0 {
            fixes.append(distance)
            matches.append(matched)
        }
        for case .alert(let message) in effects.envelopes.map(\.message) {
            if known[message.id] == nil {
                guard let hazard = hazard(message.id) else { continue }
                known[message.id] = alerts.count
                alerts.append(Alert(hazard: hazard, stages: []))
            }
            if let hazard = hazard(message.id) { alerts[known[message.id]!].hazard = hazard }
            alerts[known[message.id]!].stages.append(
                Message(
                    stage: message.stage, attention: message.attention, isSideRoad: message.sideRoad, time: fix.time,
                    distance: distance))
        }
    }

    /// What was to be heard of them.
    var alarms: [Alert] { alerts.compactMap(\.alarm) }

    /// The first alarm that was raised before the detour point of a pass and not taken back before it. Where the low edge
    /// begins at the detour point, a noisy fix may have it passed a little early.
    func alarm(for pass: Pass, before detour: Metres) -> Alert? { Self.first(of: alarms, for: pass, before: detour) }

    /// The same of notices and alarms.
    func alert(for pass: Pass, before detour: Metres) -> Alert? { Self.first(of: alerts, for: pass, before: detour) }

    private static func first(of alerts: [Alert], for pass: Pass, before detour: Metres) -> Alert? {
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

    /// The first alarm on the path that went through all stages, and whose hazard was passed with a detour.
    var alertWithAllStages: Alert? {
        alarms.first { alert in
            !alert.isSideRoad && alert.stages.map(\.stage) == Self.allStages
                && passes.contains { $0.entries.contains(alert.hazard) && $0.detourDistance ?? -1 > alert.raisedAt }
        }
    }
}
