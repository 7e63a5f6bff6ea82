import Gateway
import HTTPTypes
import Hummingbird

/// `GET /healthz`: the process goes on, or is to be started again. `GET /readyz`: it does its work, or what keeps it from it.
/// Both open to all, and answered without the gateway thread.
struct HealthRoutes {
    private struct Answer: Encodable {
        var ready: Bool
        var problems: [String]
        /// Guarantees that do not hold, though it does its work.
        var degraded: [String]
    }

    let readiness: Readiness

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("healthz") { [readiness] _, _ in
            guard let problem = readiness.heartbeat.problem else { return Response.text("ok") }
            return Response.text(problem, status: .serviceUnavailable)
        }
        routes.get("readyz") { [readiness] _, _ in
            let problems = readiness.problems
            return try Response.json(
                Answer(
                    ready: problems.isEmpty, problems: problems,
                    degraded: readiness.degradations),
                status: problems.isEmpty ? .ok : .serviceUnavailable)
        }
    }
}
