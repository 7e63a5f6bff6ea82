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
    let judge: TripJudge
    /// Trips that others drew; nil: they are drawn by the plan.
    let given: [Trip]?
    /// How the fleet turned on trips that are not driven here.
    let turns: TurnCounts

    /// - Parameters:
    ///   - height: effective, of every truck.
    ///   - given: as many trips as the plan has natural ones, driven in their place.
    package init(
        _ network: RoadNetwork, height: Centimetres, settings: EngineSettings, plan: EvaluationPlan,
        given: [Trip]? = nil
    ) {
        self.given = given
        self.network = network
        self.settings = settings
        // What one trip teaches would depend on which were driven before it.
        self.settings.countsTurns = false
        self.plan = plan
        table = HazardTable(network, height: height, rules: settings.detours)
        turns = Self.turns(network, plan)
        judge = TripJudge(network, table, settings, TurnModel(counts: turns), noise: plan.noise)
    }

    /// Trips of numbers behind those of the plan are its own and no others.
    private static func turns(_ network: RoadNetwork, _ plan: EvaluationPlan) -> TurnCounts {
        var counts = TurnCounts()
        guard plan.learned > 0 else { return counts }
        var draw = TripSampler(network, seed: plan.seed)
        for number in 0..<plan.learned {
            draw.restart(SplitMix64(seed: plan.seed, stream: plan.numbers.upperBound + number))
            if let trip = draw.anywhere() { counts.add(trip.edges, network) }
        }
        return counts
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
