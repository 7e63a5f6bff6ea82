import Fleet
package import Geo
import Messages

/// What one strategy cost and what it told, on some trips.
///
/// Counts only, so that trips add up. The members are the keys of `headroom compare-tracking --format json`.
package struct TrackingResult: Equatable, Sendable, Codable {
    package var strategy: String
    /// Seconds between reports; nil where they come at no interval.
    package var interval: Seconds?
    /// What the device published.
    package var messages = 0
    /// How long its receiver was on.
    package var gpsSeconds: Seconds = 0
    /// How long its radio was connected, at most: by `EnergyModel.high`.
    package var radioSeconds: Seconds = 0
    /// For receiver and radio, by `EnergyModel.low` and `EnergyModel.high`, and the middle of both.
    package var joulesLow: EnergyModel.Joules = 0
    package var joulesHigh: EnergyModel.Joules = 0
    package var joules: EnergyModel.Joules = 0
    /// Low-clearance alerts, every stage by itself.
    package var alerts = EventTally()
    /// Enter, exit and dwell.
    package var fenceEvents = EventTally()

    init(_ strategy: TrackingStrategy) {
        self.strategy = strategy.name
        interval = strategy.interval
    }

    init(_ strategy: TrackingStrategy, _ record: TrackingRecord, truth: TrackingRecord, number: Int) {
        self.init(strategy)
        let (low, high) = (record.energy.low, record.energy.high)
        messages = high.messages
        gpsSeconds = high.receiverSeconds
        radioSeconds = high.connectedSeconds
        (joulesLow, joulesHigh, joules) = (low.joules, high.joules, (low.joules + high.joules) / 2)
        func tally(_ kind: GroundTruthEvent.Kind) -> EventTally {
            let comparison = GroundTruthComparison(
                truth: truth.groundTruth.filter { $0.kind == kind },
                said: record.groundTruth.filter { $0.kind == kind })
            return EventTally(comparison, number: number)
        }
        (alerts, fenceEvents) = (tally(.alert), tally(.fence))
    }

    static func += (sum: inout TrackingResult, more: TrackingResult) {
        sum.messages += more.messages
        sum.gpsSeconds += more.gpsSeconds
        sum.radioSeconds += more.radioSeconds
        sum.joulesLow += more.joulesLow
        sum.joulesHigh += more.joulesHigh
        sum.joules += more.joules
        sum.alerts += more.alerts
        sum.fenceEvents += more.fenceEvents
    }

    /// For people: `continuous, 10 s`.
    var title: String {
        interval.map { "\(strategy), \($0.text(decimals: $0 == $0.rounded() ? 0 : 1)) s" } ?? strategy
    }

    /// Alerts and fence events together.
    var events: EventTally {
        var sum = alerts
        sum += fenceEvents
        return sum
    }
}

/// How many events of one kind were told, and how late.
package struct EventTally: Equatable, Sendable, Codable {
    /// More than so much later than the truth is late, and very late.
    static let lateness: (late: Seconds, veryLate: Seconds) = (1, 10)

    /// In truth.
    package var happened = 0
    /// Events that happened and were not told.
    package var missed = 0
    /// Told, and not so in truth.
    package var unfounded = 0
    /// Told, with a time more than 1 s later than in truth.
    package var late = 0
    /// Told, with a time more than 10 s later than in truth; they count as `late` too.
    package var veryLate = 0
    /// Seconds after the truth, one for each that was told, negative before it; sorted.
    package var delays: [Seconds] = []
    /// Trips on which something was missed, by number; ascending.
    package var missedOn: [Int] = []

    init() {}

    init(_ comparison: GroundTruthComparison, number: Int) {
        happened = comparison.missed.count + comparison.delays.count
        missed = comparison.missed.count
        unfounded = comparison.unfounded.count
        late = comparison.delays.count { $0 > Self.lateness.late }
        veryLate = comparison.delays.count { $0 > Self.lateness.veryLate }
        delays = comparison.delays.sorted()
        missedOn = missed > 0 ? [number] : []
    }

    /// Trips of `more` have higher numbers, or are the same.
    static func += (sum: inout EventTally, more: EventTally) {
        sum.happened += more.happened
        sum.missed += more.missed
        sum.unfounded += more.unfounded
        sum.late += more.late
        sum.veryLate += more.veryLate
        sum.delays = (sum.delays + more.delays).sorted()
        sum.missedOn = Set(sum.missedOn).union(more.missedOn).sorted()
    }

    /// Nil where nothing was told.
    package var medianDelay: Seconds? { Evaluation.quantile(0.5, of: delays) }
    package var worstDelay: Seconds? { delays.last }
}

/// All strategies on all trips.
package struct TrackingSummary: Equatable, Sendable, Codable {
    /// A fix every second, which all others are measured against.
    package var truth: TrackingResult
    /// In the plan's order.
    package var strategies: [TrackingResult]
    /// How many there were.
    package var fences: Int
    package var trips = 0
    package var kilometres = 0.0
    /// On the way, and standing at the destination for two minutes.
    package var hours = 0.0

    init(truth: TrackingResult, strategies: [TrackingResult], fences: Int) {
        (self.truth, self.strategies, self.fences) = (truth, strategies, fences)
    }

    var allResults: [TrackingResult] { [truth] + strategies }

    func perHour(_ amount: Double) -> Double { hours > 0 ? amount / hours : 0 }

    /// Percent of `EnergyModel.battery` an hour.
    func batteryPercentPerHour(_ joules: EnergyModel.Joules) -> Double {
        perHour(joules) / EnergyModel.battery * 100
    }
}
