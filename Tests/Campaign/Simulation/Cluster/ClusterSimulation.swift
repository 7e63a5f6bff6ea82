import Broker
import Fleet
import FleetTestSupport
import Gateway
import GatewayTestSupport
import Messages
import MQTT
import PostgreSQL
import PostgreSQLTestSupport
import Store
import Wire

/// One run of a cluster: gateways that share a fleet, their RabbitMQ and the time simulated, their store on a real PostgreSQL server.
///
/// What has no time of its own (profiles, fences, clearances) comes before the first fault: it counts from when a gateway has it.
final class ClusterSimulation: @unchecked Sendable {
    static let queueCount = 4
    static let memberCount = 2
    /// After so many milliseconds RabbitMQ and the broker take a gateway that stands still for gone.
    static let heartbeat = 10_000
    /// Milliseconds that a pass takes, and that pass at most until the next one.
    private static let (passTime, pauseMax) = (5, 200)
    /// After the last message all faults are over, and all that is due comes about.
    private static let calm = 80_000
    private static let changesEnd = 5_000
    /// So many turns more, and nothing is under way.
    private static let lastTurns = 1_000

    private let scenario: Scenario
    private let address: PostgreSQLAddress
    let rabbitMQ: SimulatedRabbitMQ
    private var members: [ClusterMember] = []
    /// Milliseconds since the start.
    private(set) var now = 0
    private let origin = ContinuousClock.now
    private(set) var isOver = false
    private var arrivals: ArraySlice<(time: Int, message: Script.Message)>
    private var faults: ArraySlice<ClusterFaultPlan.Entry>
    private var published: [(publication: Publication, time: Int)] = []
    private var takenOf: [Int] = []
    private var counts: [String: Int] = [:]
    private var (endings, absences): (Int, [Range<Int>]) = (0, [])
    private var violation: String?
    private let trace: ((Int, String) -> Void)?

    init(
        _ scenario: Scenario, _ plan: ClusterFaultPlan, server: PostgreSQLServer, trace: ((Int, String) -> Void)?
    ) throws {
        (self.scenario, self.trace) = (scenario, trace)
        let address = try server.newSchema()
        self.address = address
        let configurations = try (0..<Self.memberCount).map { try GatewayConfiguration.member($0, at: address) }
        rabbitMQ = SimulatedRabbitMQ(try ClusterTopology(configurations[0], queues: Self.queueCount))
        arrivals = scenario.arrivals.filter { $0.message.fixTime != nil || $0.time < Self.changesEnd }[...]
        faults = plan.entries[...]
        takenOf = configurations.map { _ in 0 }
        members = configurations.enumerated().map { index, configuration in
            var address = address
            address.applicationName = "\(ClusterRows.schema(at: address))-\(index)"
            return ClusterMember(index, of: self, configuration, address)
        }
    }

    /// - Returns: what came of it.
    func run() throws -> Outcome {
        while now < Scenario.length + Self.calm, violation == nil { turn() }
        for _ in 0..<Self.lastTurns where violation == nil && !rabbitMQ.isDone { turn() }
        if !rabbitMQ.isDone { violate("messages are never acknowledged") }
        if !rabbitMQ.undelivered.isEmpty { violate("messages were put aside: \(rabbitMQ.undelivered)") }
        isOver = true
        for member in members { member.end() }
        while members.contains(where: \.isRunning) { turn() }
        let rows = violation == nil ? try ClusterRows.all(at: address, shards: Self.queueCount) : []
        var outcome = try Outcome(published: published, rows: rows)
        outcome.violation = violation ?? outcome.violation
        (outcome.endings, outcome.absences, outcome.faults) = (endings, absences, counts)
        // Whoever takes a queue over sends what waits to be sent once more.
        outcome.cuts = counts.values.reduce(0, +) * Self.queueCount
        members = []
        try ClusterRows.drop(address, shards: Self.queueCount)
        return outcome
    }

    func makeEngine(_ settings: EngineSettings) -> Engine {
        Engine(settings, network: scenario.town.network, fences: scenario.town.fences, hazards: scenario.hazards)
    }

    var elapsed: ContinuousClock.Instant { origin + .milliseconds(now) }

    func violate(_ text: String) {
        tell(text)
        if violation == nil { violation = text }
    }

    func count(_ fault: String) {
        tell("fault: \(fault)")
        counts[fault, default: 0] += 1
    }

    func noteStart(of member: ClusterMember) { tell("gateway \(member.index) starts") }

    func noteEnd(of member: ClusterMember) {
        tell("gateway \(member.index) has ended")
        endings += 1
        noteAbsence(Self.heartbeat)
    }

    /// For so long, and until another gateway has taken over, nobody may be asked for anything.
    func noteAbsence(_ duration: Int) { absences.append(now..<now + duration + Self.heartbeat) }

    /// Ends the sessions that a gateway has with the store, as the end of its process does.
    func endSessions(of member: PostgreSQLAddress) {
        let sessions = "FROM pg_stat_activity WHERE application_name = '\(member.applicationName ?? "")'"
        do {
            try PostgreSQLServer.run("SELECT pg_terminate_backend(pid, 10000) \(sessions)", at: address)
        } catch { violate("the sessions of a gateway cannot be ended: \(error)") }
    }

    // MARK: Time

    private func turn() {
        for member in members { member.step() }
        takePublished()
        let next = min(arrivals.first?.time ?? .max, faults.first?.time ?? .max)
        now = max(now + Self.passTime, min(now + Self.pauseMax, next))
        while let first = arrivals.first, first.time <= now {
            arrivals.removeFirst()
            tell("to RabbitMQ: \(first.message.topic) \(first.message.payload.replacing("\n", with: ""))")
            rabbitMQ.publish(topic: first.message.topic, Array(first.message.payload.utf8))
        }
        while let first = faults.first, first.time <= now {
            faults.removeFirst()
            members[first.member].arm(first.fault)
        }
    }

    private func takePublished() {
        for member in members {
            for publication in member.broker.published[takenOf[member.index]...] {
                published.append((publication, now))
                if publication.retain { continue }
                let payload = String(decoding: publication.payload, as: UTF8.self)
                tell("from gateway \(member.index): \(publication.topic) \(payload)")
            }
            takenOf[member.index] = member.broker.published.count
        }
    }

    private func tell(_ text: @autoclosure () -> String) { trace?(now, text()) }
}

extension GatewayConfiguration {
    fileprivate static func member(_ index: Int, at address: PostgreSQLAddress) throws -> GatewayConfiguration {
        let north = try GatewayConfiguration.north(snapshotInterval: 20, keepEvents: 86_400, keepPositions: 86_400)
        let id = "member-\(index)"
        var member = GatewayConfiguration(
            broker: BrokerSettings(clientID: id), pattern: north.pattern, topics: try GatewayTopics(clientID: id),
            qos: north.qos, engine: north.engine, store: "", location: .postgreSQL(address), durability: .process,
            snapshotInterval: north.snapshotInterval, keepEvents: north.keepEvents,
            keepPositions: north.keepPositions, version: "1")
        (member.statesAtOnce, member.engine.judgedAtOnce) = (2, 2)
        return member
    }
}
