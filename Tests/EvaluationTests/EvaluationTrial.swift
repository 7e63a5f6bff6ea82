import FleetTestSupport
import Geo
import Messages
import Roads

@testable import Evaluation
@testable import Fleet

/// A drawn network, trips over its edges, and what the evaluation says of them.
struct EvaluationTrial {
    static let height = 412

    let drawing: Drawing
    let worker: EvaluationWorker

    init(_ drawing: Drawing, _ change: (inout EvaluationPlan) -> Void = { _ in }) {
        var plan = EvaluationPlan()
        plan.intervals = [1]
        plan.noise = 0
        change(&plan)
        self.drawing = drawing
        let evaluator = Evaluator(
            drawing.network, height: Self.height, settings: EngineSettings(), plan: plan)
        worker = EvaluationWorker(evaluator) { .zero }
    }

    /// - Parameter edges: the two nodes of each, such as `aj je ef`.
    func trip(_ edges: String, speed: MetresPerSecond = 20) throws -> Trip {
        let edges = try edges.split(separator: " ").map { try drawing.edge(String($0)) }
        return Trip(drawing.network, edges: edges, speed: speed)
    }

    func account(_ edges: String, number: Int = 0) throws -> TripAccount {
        worker.account(of: try trip(edges), number: number)
    }

    /// At the first interval.
    func evaluation(_ edges: String, number: Int = 0) throws -> Evaluation {
        try account(edges, number: number).evaluations[0]
    }

    func picture(_ edges: String) throws -> String {
        worker.picture(
            of: try trip(edges), number: 7, attribution: "© OpenStreetMap contributors (ODbL)")
    }
}
