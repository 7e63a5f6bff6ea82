package import Store

/// Runs with faults drawn from seeds, each beside the run of the same inputs without them.
package final class Campaign {
    /// One run.
    package struct Report {
        package var seed: UInt64
        /// What did not hold; empty: nothing.
        package var problems: [String]
        /// How many faults there were, by their names.
        package var faults: [String: Int]
        /// How many keys of messages the run without faults has.
        package var keys: Int
        /// Of all that was published and stored: equal for equal runs.
        package var digest: UInt64
    }

    /// So many seeds in a row have the same inputs.
    package static let seedsPerScenario: UInt64 = 8

    private let durability: StoreDurability
    private var undisturbed: (number: UInt64, scenario: Scenario, outcome: Outcome)?

    private let trace: (Int, String) -> Void

    /// - Parameter trace: is told what happens in runs with faults, with the milliseconds since the start.
    package init(durability: StoreDurability = .power, trace: @escaping (Int, String) -> Void = { _, _ in }) {
        (self.durability, self.trace) = (durability, trace)
    }

    package func run(seed: UInt64) throws -> Report {
        try report(FaultPlan(seed: seed, length: Scenario.length), seed: seed, trace: trace)
    }

    /// Which faults of a run that failed are enough for it to fail.
    package func shrink(seed: UInt64) throws -> [String] {
        var plan = FaultPlan(seed: seed, length: Scenario.length)
        for index in plan.faults.indices.reversed() {
            let smaller = plan.without(index)
            if try !report(smaller, seed: seed, trace: { _, _ in }).problems.isEmpty { plan = smaller }
        }
        return plan.faults.map { "after \($0.time) ms: \($0.fault)" }
    }

    private func report(_ plan: FaultPlan, seed: UInt64, trace: @escaping (Int, String) -> Void) throws -> Report {
        let (scenario, whole) = try undisturbed(seed / Self.seedsPerScenario)
        let outcome = try Simulation(scenario, plan, seed: seed, durability: durability, trace: trace).run()
        return Report(
            seed: seed,
            problems: outcome.violation.map { [$0] } ?? outcome.differences(from: whole, before: plan.wrongClock),
            faults: outcome.faults, keys: whole.messages.count, digest: outcome.digest)
    }

    private func undisturbed(_ number: UInt64) throws -> (Scenario, Outcome) {
        if let undisturbed, undisturbed.number == number { return (undisturbed.scenario, undisturbed.outcome) }
        let scenario = try Scenario(number: number)
        let outcome = try Simulation(scenario, .none, seed: number, durability: durability) { [trace] time, text in
            trace(time, "without faults: \(text)")
        }.run()
        if let violation = outcome.violation { throw UndisturbedRunError(scenario: number, violation: violation) }
        undisturbed = (number, scenario, outcome)
        return (scenario, outcome)
    }

    /// Something did not hold in a run without faults.
    struct UndisturbedRunError: Error {
        var scenario: UInt64
        var violation: String
    }
}
