import Gateway
import RabbitMQ

/// Whether RabbitMQ has what the gateways of a cluster share.
struct ClusterChecks {
    private let target: ClusterTarget

    init(_ target: ClusterTarget) { self.target = target }

    func run() -> [CheckResult] {
        do {
            let connection = try target.connection()
            defer { connection.close() }
            let plan = try target.asked { () throws(RabbitMQError) in
                try ClusterPlan(target.cluster, over: connection)
            }
            return [
                queues(plan), consumers(try target.counts(over: connection)),
                undelivered(try target.undelivered(over: connection)),
            ]
        } catch {
            return [
                CheckResult(
                    "queues", .failed, "\(error)", advice: "see `cluster` in the configuration, and RabbitMQ's log")
            ]
        }
    }

    private func queues(_ plan: ClusterPlan) -> CheckResult {
        do { try target.cluster.requireCount(plan.declaredShards) } catch {
            return CheckResult("queues", .failed, "\(error)")
        }
        let missing = (plan.exchanges + plan.queues).filter { $0.state == .missing }.map(\.name)
        guard missing.isEmpty else {
            return CheckResult(
                "queues", .failed, "missing: \(missing.joined(separator: ", "))",
                advice: "run `headroom cluster plan --apply`")
        }
        return CheckResult(
            "queues", .ok, "\(plan.exchanges.count) exchanges and \(plan.queues.count) queues are declared")
    }

    private func undelivered(_ count: Int) -> CheckResult {
        let finding = "\(count) messages were put aside as undeliverable"
        return count == 0
            ? CheckResult("undelivered", .ok, finding)
            : CheckResult(
                "undelivered", .warning, "\(finding), in \(target.cluster.undelivered)",
                advice: """
                    look at them before you remove any: `rabbitmq-queues peek \(target.cluster.undelivered) 1` shows the first one, \
                    and the `routing-keys` of its `x-death` have its topic. One of more than 255 bytes nobody can be given: see who may \
                    publish to such. Any other is a real message, which gateways were given 20 times and could not store: publish \
                    it again
                    """)
    }

    /// As long as no gateway runs, none has any; then nothing may wait either.
    private func consumers(_ queues: [ClusterStatusReport.Queue]) -> CheckResult {
        let idle = queues.filter { ($0.consumers ?? 0) == 0 }.map(\.name)
        let finding = "\(queues.count - idle.count) of \(queues.count) queues have a consumer"
        if idle.isEmpty { return CheckResult("consumers", .ok, finding) }
        guard idle.count < queues.count else {
            let waiting = queues.reduce(0) { $0 + ($1.ready ?? 0) }
            return waiting == 0
                ? CheckResult("consumers", .ok, finding)
                : CheckResult(
                    "consumers", .warning, "\(finding), and \(waiting) messages wait in them",
                    advice: "start a gateway; where one runs, see its log")
        }
        return CheckResult(
            "consumers", .warning, "\(finding); none has \(idle.joined(separator: ", "))",
            advice: "see `headroom cluster status`, and the log of each gateway")
    }
}
