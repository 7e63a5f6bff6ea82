import Fleet
package import Geo
import Messages

/// How many passes were told in time, how far ahead, and how many alerts were for nothing: some trips, one interval.
///
/// Counts only, so that accounts of single trips add up. The members are the keys of `headroom evaluate --format json`;
/// shares are theirs to form. Only `engineMicroseconds` differs from run to run.
package struct Evaluation: Equatable, Sendable, Codable {
    /// Why an alert was for nothing.
    package enum Cause: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
        /// The truck left the path before the detour point.
        case leftThePath = "left the path before the detour point"
        /// It came to the detour point and took the detour.
        case tookTheDetour = "took the detour"
        /// "Do not turn onto …", and it did not.
        case turnNotTaken = "turn-off not taken"
        case tripEnded = "trip ended"
    }

    // MARK: What was driven

    /// Seconds between fixes.
    package var interval: Seconds
    package var trips = 0
    package var kilometres = 0.0
    /// Driving time.
    package var hours = 0.0
    /// What the devices sent: with gaps fewer than one an interval.
    package var fixesReported = 0
    /// Reported fixes that the engine used.
    package var fixesAccepted = 0
    /// Used fixes of vehicles under way that were matched to a road, and those of them on the road that the trip drove there.
    package var fixesMatched = 0
    package var fixesMatchedRight = 0
    /// What the engine took for all of them.
    package var engineMicroseconds = 0.0

    // MARK: Passes

    /// Low edges entered.
    package var passes = 0
    /// Those on public roads with a detour and two accepted fixes before the detour point.
    package var tellable = 0
    /// Tellable passes with an alarm open at the detour point.
    package var toldBefore = 0
    /// Tellable passes with a notice or an alarm open there.
    package var noticedBefore = 0
    /// Tellable passes where the device was silent for as long before the detour point as rule 2 could have spoken.
    package var silenced = 0
    /// Silenced passes that were told all the same, before the silence.
    package var silencedToldBefore = 0
    /// Tellable passes whose second fix came at least the notice before the detour point.
    package var noticeable = 0
    /// Noticeable passes that were told at least the notice before.
    package var toldWithNotice = 0
    /// Trips with a noticeable pass that was told later, by number; ascending.
    package var late: [Int] = []
    /// Passes that drove the mile, with the hazard on the predicted path at the last fix before it.
    package var onPathForTheMile = 0
    /// Passes of `onPathForTheMile` that were told at least that mile before.
    package var toldAtTheMile = 0
    /// Tellable passes that were driven for a mile before the detour point.
    package var droveTheMile = 0
    /// Passes of `droveTheMile` that were told at least that mile before.
    package var droveAndToldAtTheMile = 0
    /// The same of notices and alarms.
    package var droveAndNoticedAtTheMile = 0
    /// Tellable passes by the id of the structure.
    package var sites: [String: SiteEvaluation] = [:]
    /// From the alert to the detour point along the road, one for each that was told before; sorted.
    package var leadMetres: [Metres] = []
    /// The same in driving time; sorted.
    package var leadSeconds: [Seconds] = []
    /// Trips with a tellable pass that was not told before, by number; ascending.
    package var missed: [Int] = []

    // MARK: Alerts

    /// Alerts that began as a notice, whatever became of them.
    package var notices = 0
    /// Notices whose hazard the trip did not pass.
    package var falseNotices = 0
    /// Notices and alarms, as are the next three.
    package var raised = 0
    /// Those raised within 30 s after another one of the same structure ended as `passed`, or 5 minutes after it was `cleared`.
    package var repeated = 0
    /// Those raised while another one of the same structure was open.
    package var doubled = 0
    /// Those that ended as `cleared` though the truck had come to the structure, or was in its low zone.
    package var clearedPasses = 0
    /// Alarms, as are all that follow.
    package var alerts = 0
    /// Alerts that came to the stage `stop`.
    package var stops = 0
    /// Alerts that came to `stop` while the truck still had a detour.
    package var wrongStops = 0
    /// Trips with such a stop, by number; ascending.
    package var wronglyStopped: [Int] = []
    /// Alerts whose hazard the trip did not pass.
    package var falseAlerts = 0
    /// False alerts by the worst stage before the end: `ahead`, `detour`, `stop`.
    package var falseByStage: [String: Int] = [:]
    package var falseByCause: [Cause: Int] = [:]
    /// False alerts for structures that the trip crossed above or below.
    package var falseAboveOrBelow = 0
    /// What one circle of a mile round each low bridge would have said on the same trips.
    package var circleAlerts = 0
    /// Circle alerts on trips that passed under no edge of that bridge.
    package var circleFalse = 0

    package init(interval: Seconds) { self.interval = interval }

    // MARK: What follows from the counts

    package var falsePer1000Kilometres: Double { kilometres > 0 ? Double(falseAlerts) / kilometres * 1000 : 0 }
    package var falseNoticesPerHour: Double { hours > 0 ? Double(falseNotices) / hours : 0 }
    package var circleFalsePer1000Kilometres: Double { kilometres > 0 ? Double(circleFalse) / kilometres * 1000 : 0 }
    package var engineMicrosecondsPerFix: Double { engineMicroseconds / Double(max(1, fixesReported)) }

    /// The smallest of `sorted` that at least `share` of them do not exceed (nearest rank); nil where there are none.
    ///
    /// - Parameter share: `0 ... 1`.
    static func quantile(_ share: Double, of sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let rank = Int((Double(sorted.count) * share).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}

extension Evaluation {
    /// Adds the account of further trips at the same interval, whose numbers are higher.
    static func += (sum: inout Evaluation, more: Evaluation) {
        for count in counts { sum[keyPath: count] += more[keyPath: count] }
        sum.kilometres += more.kilometres
        sum.hours += more.hours
        sum.engineMicroseconds += more.engineMicroseconds
        sum.leadMetres = (sum.leadMetres + more.leadMetres).sorted()
        sum.leadSeconds = (sum.leadSeconds + more.leadSeconds).sorted()
        sum.sites.merge(more.sites) { one, other in
            var site = one
            site += other
            return site
        }
        sum.missed += more.missed
        sum.late += more.late
        sum.wronglyStopped += more.wronglyStopped
        sum.falseByStage.merge(more.falseByStage, uniquingKeysWith: +)
        sum.falseByCause.merge(more.falseByCause, uniquingKeysWith: +)
    }

    private static var counts: [WritableKeyPath<Evaluation, Int>] {
        [
            \.trips, \.fixesReported, \.fixesAccepted, \.fixesMatched, \.fixesMatchedRight, \.passes, \.tellable,
            \.toldBefore, \.silenced,
            \.silencedToldBefore, \.noticeable, \.toldWithNotice, \.onPathForTheMile, \.toldAtTheMile, \.droveTheMile,
            \.droveAndToldAtTheMile, \.noticedBefore, \.droveAndNoticedAtTheMile, \.notices, \.falseNotices, \.alerts,
            \.raised, \.repeated, \.doubled, \.clearedPasses,
            \.stops, \.wrongStops, \.falseAlerts, \.falseAboveOrBelow,
            \.circleAlerts, \.circleFalse,
        ]
    }
}

/// One interval of fixes. False alerts per distance mean something on natural trips only.
package struct EvaluationPair: Equatable, Sendable, Codable {
    /// Trips from anywhere to anywhere.
    package var natural: Evaluation
    /// Trips drawn so that they pass under a low edge.
    package var passing: Evaluation
}
