package import PostgreSQLTestSupport
package import Store

/// Runs with faults drawn from seeds, each beside the run of the same inputs without them.
package final class Campaign {
    /// One run.
    package struct Report {
        package var seed: UInt64
        /// What did not hold; empty: nothing.
        package var problems: [String]
        /// How much differs from a run without faults because a power loss undid commits.
        package var undone: Int
        /// The longest pass, in seconds of processor time.
        package var passTime: Double
        /// How many faults there were, by their names.
        package var faults: [String: Int]
        /// How many keys of messages the run without faults has.
        package var keys: Int
        /// Of all that was published and stored: equal for equal runs.
        package var digest: UInt64
    }

    /// So many seeds in a row have the same inputs: the run without faults, for which hazards are found besides, takes as long as two
    /// others.
    package static let seedsPerScenario: UInt64 = 16

    /// The faults of one run.
    private enum Plan {
        case gateway(FaultPlan)
        case cluster(ClusterFaultPlan)

        var count: Int {
            switch self {
            case .gateway(let plan): plan.faults.count
            case .cluster(let plan): plan.entries.count
            }
        }

        var lines: [String] {
            switch self {
            case .gateway(let plan): plan.faults.map { "after \($0.time) ms: \($0.fault)" }
            case .cluster(let plan): plan.entries.map { "after \($0.time) ms, gateway \($0.member): \($0.fault)" }
            }
        }

        /// The same but for one fault.
        func without(_ index: Int) -> Plan {
            switch self {
            case .gateway(let plan): .gateway(plan.without(index))
            case .cluster(let plan): .cluster(plan.without(index))
            }
        }
    }

    private let durability: StoreDurability
    private let server: PostgreSQLServer?
    private var undisturbed: (number: UInt64, scenario: Scenario, outcome: Outcome)?

    private let trace: ((Int, String) -> Void)?

    /// - Parameters:
    ///   - server: where gateways that share the fleet have their store; nil: there is one gateway, with an SQLite file.
    ///   - trace: is told what happens, with the milliseconds since the start; nil: nobody wants to know, and no text is made.
    package init(
        durability: StoreDurability = .power, cluster server: PostgreSQLServer? = nil,
        trace: ((Int, String) -> Void)? = nil
    ) {
        (self.durability, self.server, self.trace) = (durability, server, trace)
    }

    package func run(seed: UInt64) throws -> Report {
        try report(plan(seed), seed: seed, trace: trace)
    }

    private func plan(_ seed: UInt64) -> Plan {
        server == nil
            ? .gateway(FaultPlan(seed: seed, length: Scenario.length))
            : .cluster(ClusterFaultPlan(seed: seed, length: Scenario.length, members: ClusterSimulation.memberCount))
    }

    /// Which faults of a run that failed are enough for it to fail.
    package func shrink(seed: UInt64) throws -> [String] {
        var plan = plan(seed)
        for index in (0..<plan.count).reversed() {
            let smaller = plan.without(index)
            if try !report(smaller, seed: seed, trace: nil).problems.isEmpty { plan = smaller }
        }
        return plan.lines
    }

    private func report(_ plan: Plan, seed: UInt64, trace: ((Int, String) -> Void)?) throws -> Report {
        let (scenario, whole) = try undisturbed(seed / Self.seedsPerScenario)
        let outcome = try outcome(of: scenario, plan, seed: seed, trace: trace)
        let wrongClock = if case .gateway(let plan) = plan { plan.wrongClock } else { nil as Int? }
        let all = outcome.differences(from: whole, before: wrongClock)
        let differences =
            outcome.undoneAt.map { outcome.differences(from: whole, before: min($0, wrongClock ?? $0)) } ?? all
        return Report(
            seed: seed, problems: outcome.violation.map { [$0] } ?? differences, undone: all.count - differences.count,
            passTime: outcome.passTime, faults: outcome.faults, keys: whole.messages.count, digest: outcome.digest)
    }

    private func outcome(
        of scenario: Scenario, _ plan: Plan, seed: UInt64, trace: ((Int, String) -> Void)?
    ) throws -> Outcome {
        switch (plan, server) {
        case (.cluster(let plan), let server?):
            try ClusterSimulation(scenario, plan, server: server, trace: trace).run()
        case (.gateway(let plan), _):
            try Simulation(scenario, plan, seed: seed, durability: durability, trace: trace).run()
        case (.cluster, nil): preconditionFailure("a cluster has a server")
        }
    }

    private func undisturbed(_ number: UInt64) throws -> (Scenario, Outcome) {
        if let undisturbed, undisturbed.number == number { return (undisturbed.scenario, undisturbed.outcome) }
        let scenario = try Scenario(number: number)
        let plan = server == nil ? Plan.gateway(.none) : .cluster(.none)
        let whole = trace.map { trace in { (time: Int, text: String) in trace(time, "without faults: \(text)") } }
        let outcome = try outcome(of: scenario, plan, seed: number, trace: whole)
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
