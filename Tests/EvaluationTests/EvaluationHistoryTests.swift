import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Evaluation
@testable import Fleet

/// Trips of one fleet, and what is known of its other trips.
struct EvaluationHistoryTests {
    private func evaluator(_ change: (inout EvaluationPlan) -> Void) throws -> Evaluator {
        var plan = EvaluationPlan()
        (plan.natural, plan.passing, plan.places) = (12, 0, 12)
        change(&plan)
        return Evaluator(
            try SimulationRoads.demo.open(), height: SimulationRoads.demo.height, settings: EngineSettings(), plan: plan
        )
    }

    @Test("The trips of a fleet go between its places, which the seed says")
    func places() throws {
        func ends(_ seed: UInt64) throws -> Set<EdgeID> {
            let evaluator = try evaluator { $0.seed = seed }
            var worker = EvaluationWorker(evaluator) { .zero }
            return Set(
                evaluator.plan.numbers.compactMap { worker.trip($0)?.edges.first }.map(evaluator.network.original))
        }
        #expect((2...12).contains(try ends(1).count))
        #expect(try ends(1) == ends(1))
        #expect(try ends(1) != ends(2))
    }

    @Test("What is known is what further trips did, the same for equal plans, and nothing without them")
    func observed() throws {
        func history(_ observed: Int) throws -> HazardHistory { try evaluator { $0.observed = observed }.history }
        #expect(try !history(5).isEmpty)
        #expect(try history(5) == history(5))
        #expect(try history(0).isEmpty)
    }

    @Test("Where the fleet is known to drive under a bridge round the corner, the passes there are told the full mile")
    func told() throws {
        let drawing = try Drawing.sideStreet()
        func share(_ history: HazardHistory) throws -> Int {
            var plan = EvaluationPlan()
            (plan.intervals, plan.noise) = ([1], 0)
            let evaluator = Evaluator(
                drawing.network, height: EvaluationTrial.height, settings: EngineSettings(), plan: plan,
                history: history)
            let edges = try ["as", "sb", "bc", "cd"].map(drawing.edge)
            let trip = Trip(drawing.network, edges: edges, speed: 20)
            let evaluation = EvaluationWorker(evaluator) { .zero }.account(of: trip, number: 0).evaluations[0]
            #expect(evaluation.droveTheMile == 1)
            return evaluation.droveAndToldAtTheMile
        }
        var observation = TripObservation(drawing.network, height: EvaluationTrial.height, EngineSettings())
        #expect(try share(observation.finish()) == 0)
        for _ in 0..<10 { observation.add(try ["as", "sb", "bc", "cd"].map(drawing.edge)) }
        #expect(try share(observation.finish()) == 1)
    }
}
