import ArgumentParser
import Broker
import Foundation
import Gateway
import HeadroomConfiguration
import RabbitMQ
import Store

/// `headroom cluster …`
struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Several gateways for one fleet, over RabbitMQ and PostgreSQL.",
        subcommands: [Plan.self, Status.self])

    /// `headroom cluster plan --config FILE`
    struct Plan: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints what the cluster needs in RabbitMQ and PostgreSQL, and what is missing.",
            discussion: """
                Exits with 0 where nothing is missing, and else with 1. --apply declares what RabbitMQ lacks; the tables \
                are made by the first gateway that starts. RabbitMQ tells AMQP clients of no bindings: --apply declares \
                them in any case, without effect where they are there.
                """)

        @OptionGroup var config: ConfigOption

        @Option(help: "text or json.")
        var format = ClusterFormat.text

        @Flag(help: "Declare in RabbitMQ what is missing.")
        var apply = false

        func run() throws {
            let scene = try ClusterTarget(try config.checkedSettings())
            let connection = try scene.connection()
            defer { connection.close() }
            if apply {
                do {
                    try scene.requireKeys()
                    try scene.cluster.declare(over: connection)
                } catch {
                    throw CommandError.failed("\(error)")
                }
            }
            let plan = try scene.asked { () throws(RabbitMQError) in try ClusterPlan(scene.cluster, over: connection) }
            let report = ClusterPlanReport(scene.cluster, plan, shards: scene.shards())
            Terminal.print(try report.text(format))
            if !report.isComplete { throw ExitCode(1) }
        }
    }

    /// `headroom cluster status --config FILE`
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints how much waits in the cluster's queues, who consumes them, and who owns the vehicles.",
            discussion: """
                Exits with 1 where a queue is missing or has no consumer, or a shard no owner. AMQP does not tell how many messages are under way: \
                rabbitmqctl list_queues does, and each gateway's metric headroom_cluster_queue_lag_seconds how far it is behind.
                """)

        @OptionGroup var config: ConfigOption

        @Option(help: "text or json.")
        var format = ClusterFormat.text

        func run() throws {
            let scene = try ClusterTarget(try config.checkedSettings())
            let connection = try scene.connection()
            defer { connection.close() }
            let report = ClusterStatusReport(
                queues: try scene.counts(over: connection), undelivered: try scene.undelivered(over: connection),
                shards: scene.shards())
            Terminal.print(try report.text(format))
            if !report.isServed { throw ExitCode(1) }
        }
    }
}

enum ClusterFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// What the settings say of the cluster.
struct ClusterTarget {
    let cluster: ClusterTopology
    private let rabbitMQ: RabbitMQSettings
    private let settings: Settings
    /// Why it is not known by which keys the queues divide the vehicles.
    private var keyProblem: StoreError?

    init(_ settings: Settings) throws {
        guard let rabbitMQ = settings.rabbitMQ else {
            throw CommandError.usage("the configuration names no cluster; write cluster.url: amqp://…")
        }
        (self.settings, self.rabbitMQ) = (settings, rabbitMQ)
        do {
            var configuration = try GatewayConfiguration(settings, version: programVersion)
            do throws(StoreError) { try configuration.takeUpKeyPattern() } catch { keyProblem = error }
            cluster = try ClusterTopology(configuration, queues: settings.cluster.queues)
        } catch {
            throw CommandError.usage("\(error)")
        }
    }

    /// - Throws: where the store cannot be asked; bindings that were made up for another one lead to other queues.
    func requireKeys() throws(StoreError) { if let keyProblem { throw keyProblem } }

    func connection() throws -> RabbitMQConnection {
        try asked { () throws(RabbitMQError) in
            try RabbitMQConnection(rabbitMQ, password: settings.rabbitMQPassword.text)
        }
    }

    /// What the queues hold that gateways consume, and by whom they are.
    func counts(over connection: RabbitMQConnection) throws -> [ClusterStatusReport.Queue] {
        try asked { () throws(RabbitMQError) in
            var counts: [ClusterStatusReport.Queue] = []
            for queue in [cluster.sorting] + cluster.shards {
                counts.append(.init(queue, try connection.counts(of: queue)))
            }
            return counts
        }
    }

    /// How many messages RabbitMQ has put aside.
    func undelivered(over connection: RabbitMQConnection) throws -> Int {
        try asked { () throws(RabbitMQError) in try connection.counts(of: cluster.undelivered)?.ready ?? 0 }
    }

    func asked<Answer>(_ question: () throws(RabbitMQError) -> Answer) throws -> Answer {
        do { return try question() } catch { throw CommandError.failed("\(error)") }
    }

    func shards() -> ClusterShards {
        guard case .postgreSQL(let address) = settings.storeLocation else { return .noTables }
        do {
            return try ShardRow.all(at: address, shards: cluster.shards.count).map(ClusterShards.rows) ?? .noTables
        } catch {
            return .unknown("\(error)")
        }
    }
}
