import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Evaluation
@testable import Fleet

/// How the accounts of trips add up, whoever drove them, and how they read.
struct EvaluationSumTests {
    private func demo(_ change: (inout EvaluationPlan) -> Void = { _ in }) throws -> Evaluator {
        var plan = EvaluationPlan()
        (plan.natural, plan.passing) = (12, 0)
        plan.gaps = 0.01
        plan.outliers = 0.01
        change(&plan)
        return Evaluator(
            try SimulationRoads.demo.open(), height: SimulationRoads.demo.height, settings: EngineSettings(), plan: plan
        )
    }

    private func accounts(_ evaluator: Evaluator, _ numbers: some Sequence<Int>) -> [TripAccount] {
        var worker = EvaluationWorker(evaluator) { .zero }
        return numbers.compactMap { worker.account(ofTrip: $0) }
    }

    @Test("Two workers that share the trips in any way bring the result of one")
    func workers() throws {
        let evaluator = try demo()
        let numbers = evaluator.plan.numbers
        let alone = evaluator.sum(accounts(evaluator, numbers))
        let shared = evaluator.sum(
            accounts(evaluator, numbers.reversed().filter { !$0.isMultiple(of: 3) })
                + accounts(evaluator, numbers.filter { $0.isMultiple(of: 3) }))
        #expect(alone == shared)
        #expect(alone.count == 2)
        #expect(alone[0].natural.trips > 8)
        #expect(alone[0].natural.fixesReported > 5 * alone[1].natural.fixesReported)
    }

    @Test("All intervals drive the same trips")
    func sharedTrips() throws {
        let pairs = try demo { $0.intervals = [1, 5, 30] }.sumOfAll
        #expect(pairs.map(\.natural.interval) == [1, 5, 30])
        #expect(Set(pairs.map(\.natural.kilometres)).count == 1)
        #expect(Set(pairs.map(\.natural.trips)).count == 1)
    }

    @Test("A trip's number is all that its way and its noise hang on")
    func numbers() throws {
        let evaluator = try demo()
        var worker = EvaluationWorker(evaluator) { .zero }
        let after = (0..<5).map { worker.trip($0)?.edges }.last
        var other = EvaluationWorker(evaluator) { .zero }
        #expect(other.trip(4)?.edges == after)
        #expect(other.trip(3)?.edges != after)
        let trip = try #require({ other.trip(4) }())
        let fixes = Array(evaluator.plan.drive(trip, number: 4, interval: 1))
        #expect(Array(evaluator.plan.drive(trip, number: 4, interval: 1)) == fixes)
        #expect(Array(evaluator.plan.drive(trip, number: 5, interval: 1)) != fixes)
    }

    @Test("Natural trips and those drawn to pass are counted apart")
    func apart() throws {
        let drawing = try Drawing.bridge()
        let trial = EvaluationTrial(drawing) { ($0.natural, $0.passing) = (2, 2) }
        let accounts = try [(3, "aj je ef fg gz"), (0, "aj jn nm my yz"), (1, "aj je ef fg gz"), (2, "aj je ef fg gz")]
            .map { try trial.account($0.1, number: $0.0) }
        let pair = try #require(trial.worker.evaluator.sum(accounts).first)
        #expect([pair.natural.trips, pair.natural.passes, pair.natural.falseAlerts] == [2, 1, 1])
        #expect([pair.passing.trips, pair.passing.passes, pair.passing.falseAlerts] == [2, 2, 0])
        #expect(abs(pair.passing.kilometres - 13) < 0.01)
        #expect(pair.natural.falseByCause == [.tookTheDetour: 1])
    }

    @Test("Counts add up, leads are sorted, missed trips keep their order")
    func addition() {
        var sum = Evaluation(interval: 1)
        for number in 1...3 {
            var one = Evaluation(interval: 1)
            (one.trips, one.stops, one.circleFalse) = (1, number, 10 * number)
            one.leadMetres = [Double(100 - number), Double(200 - number)]
            one.missed = [number]
            one.falseByStage = ["ahead": number]
            sum += one
        }
        #expect([sum.trips, sum.stops, sum.circleFalse] == [3, 6, 60])
        #expect(sum.leadMetres == [97, 98, 99, 197, 198, 199])
        #expect(sum.missed == [1, 2, 3])
        #expect(sum.falseByStage == ["ahead": 6])
    }

    @Test("The engine's time is what the stopwatch says went by while it worked")
    func engineTime() throws {
        let evaluator = try demo { $0.intervals = [10] }
        var now = Duration.zero
        var worker = EvaluationWorker(evaluator) {
            now += .microseconds(7)
            return now
        }
        let it = try #require({ worker.account(ofTrip: 0) }()).evaluations[0]
        #expect(it.fixesReported > 3)
        #expect(abs(it.engineMicrosecondsPerFix - 7) < 1e-9)
    }

    @Test(
        "A quantile is the smallest lead that so many do not exceed",
        arguments: [
            (0.1, [], nil), (0.5, [4], 4), (0.1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
            (0.1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 2), (0.5, [1, 2, 3, 4], 2), (0.5, [1, 2, 3], 2), (1, [1, 2], 2),
            (0, [1, 2], 1),
        ] as [(Double, [Double], Double?)])
    func quantiles(share: Double, sorted: [Double], quantile: Double?) {
        #expect(Evaluation.quantile(share, of: sorted) == quantile)
    }
}

extension Evaluator {
    fileprivate var sumOfAll: [EvaluationPair] {
        var worker = EvaluationWorker(self) { .zero }
        return sum(plan.numbers.compactMap { worker.account(ofTrip: $0) })
    }
}
