import Foundation
import PostgreSQLTestSupport
import RabbitMQTestSupport
import Store
import Testing

struct ClusterCommandTests {
    private let scratch: Scratch
    private let prefix = "c" + UUID().uuidString.prefix(8).lowercased()

    init() throws { scratch = try Scratch() }

    private func configuration(queues: Int) throws -> String {
        let rabbitMQ = try RabbitMQServer.shared.get()
        let database = try PostgreSQLServer.shared.get().newSchema()
        return try scratch.write(
            """
            broker: {url: "mqtt://127.0.0.1:\(rabbitMQ.mqttPort)", protocol: 3.1.1}
            cluster: {url: "amqp://127.0.0.1:\(rabbitMQ.amqpPort)", queues: \(queues)}
            headroom: {topic: \(prefix)}
            store: {url: "\(database.url)"}
            console: {listen: "127.0.0.1:\(try LoopbackPort.free())"}
            """, to: "cluster-\(queues).yaml")
    }

    private func cluster(
        _ arguments: String..., file: String
    ) async throws -> (status: Int32?, output: String, errors: String) {
        let answer = try await run(
            Repository.program, ["cluster"] + arguments + ["--config", file], scratch)
        return (answer.status, answer.output, answer.errors)
    }

    @Test("The plan says what is missing, declares it once, and refuses another number of queues")
    func plan() async throws {
        let file = try configuration(queues: 2)
        let before = try await cluster("plan", file: file)
        #expect(before.status == 1 && before.output.contains("queue \(prefix).vehicles.1: "), "\(before)")
        #expect(before.output.contains("missing") && !before.output.contains("declared"))
        for _ in 0..<2 {
            let applied = try await cluster("plan", "--apply", file: file)
            #expect(applied.status == 0 && !applied.output.contains("missing"), "\(applied)")
        }
        let plan = try #require(
            try JSONSerialization.jsonObject(
                with: Data(try await cluster("plan", "--format", "json", file: file).output.utf8)) as? [String: Any])
        #expect(plan["isComplete"] as? Bool == true && plan["declaredShards"] as? Int == 2)
        let other = try await cluster("plan", "--apply", file: try configuration(queues: 3))
        #expect(other.status == 1 && other.errors.contains("expected 3 queues of vehicles, got 2"), "\(other)")
    }

    @Test(
        "A gateway with another number of queues than declared ends with exit 1, says what to do, and consumes nothing")
    func otherQueueCount() async throws {
        _ = try await cluster("plan", "--apply", file: try configuration(queues: 2))
        let answer = try await run(
            Repository.program, ["serve", "--config", try configuration(queues: 3)], scratch)
        #expect(answer.status == 1, "\(answer)")
        #expect(answer.errors.contains("expected 3 queues of vehicles, got 2 declared"), "\(answer)")
        #expect(answer.errors.contains("Set cluster.queues to 2"))
    }

    @Test("The status names every queue, and fails as long as one has no consumer")
    func status() async throws {
        let file = try configuration(queues: 2)
        let missing = try await cluster("status", file: file)
        #expect(missing.status == 1 && missing.output.contains("\(prefix).sorting: missing"), "\(missing)")
        _ = try await cluster("plan", "--apply", file: file)
        let idle = try await cluster("status", file: file)
        #expect(idle.status == 1 && idle.output.contains("\(prefix).vehicles.0: 0 ready, 0 consumers"), "\(idle)")
    }

    @Test("doctor asks RabbitMQ too: what is missing has failed, and nothing once it is declared")
    func doctor() async throws {
        let file = try configuration(queues: 2)
        let examine = { [scratch] in
            try await run(Repository.program, ["doctor", "--config", file, "--listen", "0 s"], scratch)
        }
        let before = try await examine()
        #expect(before.status == 1, "\(before)")
        #expect(before.output.contains(#/failed +queues +missing: .*\.vehicles\.1/#), "\(before)")
        _ = try await cluster("plan", "--apply", file: file)
        let after = try await examine()
        #expect(after.status == 0, "\(after)")
        for finding in ["ok +queues", "ok +consumers +0 of 3", "ok +store", "ok +broker", "ok +read"] {
            #expect(after.output.contains(try Regex(finding)), "\(finding): \(after)")
        }
        let port = try RabbitMQServer.shared.get().mqttPort
        let clients = BrokerClients(options: ["-h", "127.0.0.1", "-p", "\(port)", "-V", "311"], scratch: scratch)
        try await clients.publish("\(prefix)/fences/depot", "{}")
        let waiting = try await examine()
        #expect(waiting.output.contains(#/warning +consumers +0 of 3 .*2 messages wait/#), "\(waiting)")
    }

    @Test("Without a cluster in the configuration both say what to write")
    func configurations() async throws {
        let alone = try scratch.write("broker: {client_id: alone}", to: "alone.yaml")
        for command in ["plan", "status"] {
            let answer = try await cluster(command, file: alone)
            #expect(answer.status == 2 && answer.errors.contains("write cluster.url"), "\(answer)")
        }
    }
}
