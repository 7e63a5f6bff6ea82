package import Fleet
package import Geo
package import Messages
package import Roads

/// Ways of reporting on the same trips, with the same rules and fences, beside what a fix every second says: all that workers
/// share.
package struct TrackingComparison: Sendable {
    /// What all others are measured against.
    package static let truth = TrackingStrategy.continuous(interval: 1)
    /// The group of vehicles that report by quiet circle.
    private static let quietGroup = "quiet-circle"

    package let plan: TrackingPlan
    /// For everybody, at all times.
    let fences: [Fence]
    /// Draws the trips.
    let evaluator: Evaluator

    /// - Parameters:
    ///   - height: effective, of every truck.
    ///   - settings: the interval between reports aside, which each strategy has its own of.
    ///   - fences: for whom and when they are in force does not count: simulated trucks are of no group, their trips on no date.
    package init(
        _ network: RoadNetwork, height: Centimetres, settings: EngineSettings, fences: [Fence], plan: TrackingPlan
    ) {
        self.plan = plan
        self.fences = fences.map { fence in
            Fence(id: fence.id, name: fence.name, shape: fence.shape, dwell: fence.dwell, hysteresis: fence.hysteresis)
        }
        evaluator = Evaluator(network, height: height, settings: settings, plan: plan.trips)
    }

    // MARK: The gateway of each strategy

    func settings(for strategy: TrackingStrategy) -> EngineSettings {
        var settings = evaluator.settings
        settings.trackingGroups = [Self.quietGroup]
        if case .quietCircle(let interval) = strategy { settings.fixes.reportInterval = interval }
        return settings
    }

    /// The engine itself looks away from fixes in quiet circles. The truth must not rest on them: no device is taken to
    /// report every half second, and circles are for devices that report as often as they are asked to.
    var truthSettings: EngineSettings {
        var settings = evaluator.settings
        settings.fixes.reportInterval = 0.5
        return settings
    }

    func profile(for strategy: TrackingStrategy) -> HeightProfile {
        let isQuiet = if case .quietCircle = strategy { true } else { false }
        return HeightProfile(
            height: evaluator.table.height, margin: 0, source: "comparison", groups: isQuiet ? [Self.quietGroup] : [])
    }

    // MARK: Sums

    /// Adds up what the workers bring, in whatever order.
    package func sum(_ accounts: [TrackingAccount]) -> TrackingSummary {
        let accounts = accounts.sorted { $0.number < $1.number }
        let empty = TrackingSummary(
            truth: TrackingResult(Self.truth), strategies: plan.strategies.map { TrackingResult($0) },
            fences: fences.count)
        return accounts.reduce(into: empty) { sum, account in
            sum.trips += 1
            sum.kilometres += account.kilometres
            sum.hours += account.hours
            sum.truth += account.truth
            for index in account.strategies.indices { sum.strategies[index] += account.strategies[index] }
        }
    }
}

/// The account of one trip.
package struct TrackingAccount: Sendable {
    package let number: Int
    var kilometres: Double
    var hours: Double
    var truth: TrackingResult
    /// In the plan's order.
    var strategies: [TrackingResult]
}
