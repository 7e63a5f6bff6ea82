package import Fleet
package import Geo
import Hashing
import Messages
package import Roads

/// Judges what simulated trips are told: all that its workers share.
package struct Evaluator: Sendable {
    package let plan: EvaluationPlan
    let network: RoadNetwork
    private(set) var settings: EngineSettings
    let table: HazardTable
    private(set) var judge: TripJudge
    /// Trips that others drew; nil: they are drawn by the plan.
    let given: [Trip]?
    /// How the fleet turned on trips that are not driven here.
    let turns: TurnCounts
    /// What it did at low bridges on others.
    let history: HazardHistory

    /// - Parameters:
    ///   - height: effective, of every truck.
    ///   - given: as many trips as the plan has natural ones, driven in their place.
    ///   - history: what the fleet is known to have done; nil: what the plan's further trips do.
    package init(
        _ network: RoadNetwork, height: Centimetres, settings: EngineSettings, plan: EvaluationPlan,
        given: [Trip]? = nil, history: HazardHistory? = nil
    ) {
        self.given = given
        self.network = network
        self.settings = settings
        // What one trip teaches would depend on which were driven before it.
        (self.settings.countsTurns, self.settings.countsPassages) = (false, false)
        self.plan = plan
        table = HazardTable(network, height: height, settings)
        turns = Self.turns(network, plan)
        self.history = history ?? Self.history(network, height, settings, plan)
        judge = TripJudge(network, table, settings, TurnModel(counts: turns), noise: plan.noise)
    }

    /// The same trips, judged by another threshold of probability.
    package func with(minProbability: Double) -> Evaluator {
        var other = self
        other.settings.alerts.minProbability = minProbability
        other.judge = TripJudge(network, table, other.settings, TurnModel(counts: turns), noise: plan.noise)
        return other
    }

    private static func turns(_ network: RoadNetwork, _ plan: EvaluationPlan) -> TurnCounts {
        var counts = TurnCounts()
        forEachTrip(from: plan.numbers.upperBound, plan.learned, network, plan) { counts.add($0.edges, network) }
        return counts
    }

    private static func history(
        _ network: RoadNetwork, _ height: Centimetres, _ settings: EngineSettings, _ plan: EvaluationPlan
    ) -> HazardHistory {
        guard plan.observed > 0 else { return HazardHistory() }
        var observation = TripObservation(network, height: height, settings)
        let first = plan.numbers.upperBound + plan.learned
        forEachTrip(from: first, plan.observed, network, plan) { observation.add($0.edges) }
        return observation.finish()
    }

    /// Trips of numbers behind those of the plan, and of no others.
    private static func forEachTrip(
        from first: Int, _ count: Int, _ network: RoadNetwork, _ plan: EvaluationPlan, _ body: (Trip) -> Void
    ) {
        guard count > 0 else { return }
        var draw = plan.sampler(network)
        for number in first..<first + count {
            draw.restart(SplitMix64(seed: plan.seed, stream: number))
            if plan.variesWays { draw.drawDriver() }
            if let trip = draw.anywhere() { body(trip) }
        }
    }

    /// Adds up what the workers bring, in whatever order.
    ///
    /// - Returns: one for each interval of the plan.
    package func sum(_ accounts: [TripAccount]) -> [EvaluationPair] {
        let accounts = accounts.sorted { $0.number < $1.number }
        return plan.intervals.indices.map { index in
            let empty = Evaluation(interval: plan.intervals[index])
            return accounts.reduce(into: EvaluationPair(natural: empty, passing: empty)) { pair, account in
                if plan.isNatural(account.number) {
                    pair.natural += account.evaluations[index]
                } else {
                    pair.passing += account.evaluations[index]
                }
            }
        }
    }
}

/// The account of one trip.
package struct TripAccount: Sendable {
    package let number: Int
    /// One for each interval of the plan.
    let evaluations: [Evaluation]
    /// Whether, at the first interval, an alert for a low edge that was passed went through all stages: a trip to look
    /// at.
    package let hasAllStages: Bool
}
