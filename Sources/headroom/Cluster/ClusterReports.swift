import Foundation
import Gateway
import RabbitMQ
import Store

/// What PostgreSQL has of the cluster.
enum ClusterShards {
    case rows([ShardRow])
    /// The first gateway makes them.
    case noTables
    case unknown(String)

    var lines: [String] {
        switch self {
        case .rows(let rows): rows.map(\.line)
        case .noTables: ["  no tables yet: the first gateway that starts makes them"]
        case .unknown(let reason): ["  cannot be asked: \(reason)"]
        }
    }

    fileprivate var areOwned: Bool {
        if case .rows(let rows) = self { rows.allSatisfy { $0.owner != nil } } else { false }
    }

    fileprivate var json: ClusterShardsJSON {
        switch self {
        case .rows(let rows):
            ClusterShardsJSON(
                shards: rows.map { .init(shard: $0.shard, epoch: $0.epoch, owner: $0.owner) }, problem: nil)
        case .noTables: ClusterShardsJSON(shards: [], problem: nil)
        case .unknown(let reason): ClusterShardsJSON(shards: nil, problem: reason)
        }
    }
}

extension ShardRow {
    fileprivate var line: String {
        guard let epoch else { return "  shard \(shard): no owner yet" }
        return "  shard \(shard): \(owner.map { "owned by \($0)" } ?? "no owner"), epoch \(epoch)"
    }
}

private struct ClusterShardsJSON: Encodable {
    struct Shard: Encodable {
        var shard: Int
        var epoch: Int64?
        var owner: String?
    }
    var shards: [Shard]?
    var problem: String?
}

/// What `headroom cluster plan` prints.
struct ClusterPlanReport {
    private let cluster: ClusterTopology
    private let plan: ClusterPlan
    private let shards: ClusterShards

    init(_ cluster: ClusterTopology, _ plan: ClusterPlan, shards: ClusterShards) {
        (self.cluster, self.plan, self.shards) = (cluster, plan, shards)
    }

    /// Whether RabbitMQ has all it needs and PostgreSQL answers.
    var isComplete: Bool {
        if case .unknown = shards { return false }
        return plan.isComplete(for: cluster)
    }

    func text(_ format: ClusterFormat) throws -> String { format == .text ? text : try json }

    private var text: String {
        let topology = cluster.topology
        var lines = ["RabbitMQ"]
        for (exchange, entry) in zip(topology.exchanges, plan.exchanges) {
            let plugin = exchange.plugin.map { ", needs the plugin \($0)" } ?? ""
            lines.append("  exchange \(exchange.name): \(exchange.type)\(plugin): \(entry.state.word)")
        }
        for (queue, entry) in zip(topology.queues, plan.queues) {
            lines.append("  queue \(queue.name): \(Self.text(queue.arguments)): \(entry.state.word)")
        }
        lines += plan.bindings.map { "  binding \($0)" }
        if plan.declaredShards > 0, plan.declaredShards != cluster.shards.count {
            lines.append("  \(plan.declaredShards) queues of vehicles are declared, not \(cluster.shards.count)")
        }
        return (lines + ["PostgreSQL"] + shards.lines).joined(separator: "\n")
    }

    private static func text(_ arguments: [String: RabbitMQValue]) -> String {
        arguments.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    private var json: String {
        get throws {
            let topology = cluster.topology
            return try ClusterJSON.text(
                Document(
                    exchanges: zip(topology.exchanges, plan.exchanges).map {
                        .init(name: $0.name, type: $0.type, isDeclared: $1.state == .declared)
                    },
                    queues: zip(topology.queues, plan.queues).map {
                        .init(
                            name: $0.name, arguments: $0.arguments.mapValues { "\($0)" },
                            isDeclared: $1.state == .declared)
                    },
                    bindings: plan.bindings.map { .init(source: $0.source, target: $0.targetName, key: $0.key) },
                    declaredShards: plan.declaredShards, isComplete: isComplete, postgreSQL: shards.json))
        }
    }

    private struct Document: Encodable {
        struct Exchange: Encodable {
            var name: String
            var type: String
            var isDeclared: Bool
        }
        struct Queue: Encodable {
            var name: String
            var arguments: [String: String]
            var isDeclared: Bool
        }
        struct Binding: Encodable {
            var source: String
            var target: String
            var key: String
        }
        var exchanges: [Exchange]
        var queues: [Queue]
        var bindings: [Binding]
        var declaredShards: Int
        var isComplete: Bool
        var postgreSQL: ClusterShardsJSON
    }
}

/// What `headroom cluster status` prints.
struct ClusterStatusReport {
    struct Queue: Encodable {
        var name: String
        /// Nil: the queue is not declared.
        var ready: Int?
        var consumers: Int?

        init(_ name: String, _ counts: RabbitMQQueueCounts?) {
            (self.name, ready, consumers) = (name, counts?.ready, counts?.consumers)
        }
    }

    let queues: [Queue]
    /// How many messages RabbitMQ could not deliver, and nobody has looked at.
    let undelivered: Int
    let shards: ClusterShards

    /// Whether every queue has somebody who consumes it, and every shard somebody who owns it.
    var isServed: Bool { queues.allSatisfy { ($0.consumers ?? 0) > 0 } && shards.areOwned }

    func text(_ format: ClusterFormat) throws -> String { format == .text ? text : try json }

    private var text: String {
        let lines = queues.map { queue in
            guard let ready = queue.ready, let consumers = queue.consumers else {
                return "  \(queue.name): missing; headroom cluster plan --apply declares it"
            }
            return "  \(queue.name): \(ready) ready, \(consumers) \(consumers == 1 ? "consumer" : "consumers")"
        }
        let rest = ["  \(undelivered) put aside as undeliverable", "PostgreSQL"] + shards.lines
        return (["RabbitMQ"] + lines + rest).joined(separator: "\n")
    }

    private var json: String {
        get throws {
            try ClusterJSON.text(
                Document(queues: queues, undelivered: undelivered, isServed: isServed, postgreSQL: shards.json))
        }
    }

    private struct Document: Encodable {
        var queues: [Queue]
        var undelivered: Int
        var isServed: Bool
        var postgreSQL: ClusterShardsJSON
    }
}

private enum ClusterJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension ClusterPlan.State {
    fileprivate var word: String {
        switch self {
        case .missing: "missing"
        case .declared: "declared"
        }
    }
}
