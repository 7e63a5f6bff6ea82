import Broker
import Fleet
import Gateway
import FleetTestSupport
import GatewayTestSupport
import Geo
import Logging
import Messages
import MQTT
import Store
import Synchronization

/// A gateway of a cluster as it runs in production, on a simulated machine of its own.
///
/// Its thread and the one that gives it the turn never run at the same time. Its shards' threads ask only whether it is dead.
final class ClusterMember: @unchecked Sendable {
    let index: Int
    private let simulation: ClusterSimulation
    private let configuration: GatewayConfiguration
    private let address: PostgreSQLAddress
    /// Its node of the broker, which takes what it publishes.
    let broker: TestBroker

    private var process: Coroutine?
    private var connection: TestConnection?
    private var queues: [() -> SimulatedQueueConnection?] = []
    private let isDead = Atomic(false)
    private var isStopping = false
    /// Whether the pass has read messages: in one that has nothing to do, nothing can go wrong.
    private var isBusy = false
    private var startsAt: Int? = 0
    private var frozen: Range<Int>?
    /// Faults whose time has come, and whose place has not.
    private var armed: [(fault: ClusterFault, count: Int)] = []

    init(
        _ index: Int, of simulation: ClusterSimulation, _ configuration: GatewayConfiguration,
        _ address: PostgreSQLAddress
    ) {
        (self.index, self.simulation, self.configuration, self.address) = (index, simulation, configuration, address)
        broker = TestBroker(configuration.topics)
    }

    var isRunning: Bool { process != nil }

    // MARK: The turn

    /// Runs one pass, or as much of one as it comes to before it stands still.
    func step() {
        let now = simulation.now
        if let frozen {
            if now - frozen.lowerBound >= ClusterSimulation.heartbeat {
                loseQueues()
                connection?.lose(.keepAlive)
            }
            guard now >= frozen.upperBound else { return }
            self.frozen = nil
        }
        if process == nil, let startsAt, now >= startsAt { start() }
        guard let process else { return }
        process.resume()
        if process.isOver { ended() }
    }

    /// Tells it to end; it takes some turns.
    func stop() { isStopping = true }

    /// It is not started again, and has no turn any more.
    func end() {
        armed = []
        frozen = nil
        startsAt = nil
        stop()
    }

    private func start() {
        startsAt = nil
        isStopping = false
        isDead.store(false, ordering: .relaxed)
        simulation.noteStart(of: self)
        process = Coroutine { [self] coroutine in
            do {
                try run(coroutine)
            } catch {
                if !isDead.load(ordering: .relaxed) { simulation.violate("gateway \(index) ended: \(error)") }
            }
        }
    }

    private func ended() {
        (process, connection, queues) = (nil, nil, [])
        simulation.noteEnd(of: self)
        if startsAt == nil, !simulation.isOver { startsAt = simulation.now + 100 }
    }

    private func run(_ coroutine: Coroutine) throws {
        let pipeline = try makePipeline()
        defer { pipeline.dismiss() }
        try pipeline.restore()
        while !isDead.load(ordering: .relaxed) {
            if isStopping { return try pipeline.finish() }
            isBusy = false
            try pipeline.pass()
            coroutine.pause()
        }
    }

    private func makePipeline() throws -> Pipeline {
        let connection = broker.connection()
        connection.mayGo = { [unowned self] in go($0) }
        self.connection = connection
        var configuration = configuration
        configuration.cluster = ClusterSettings(queues: ClusterSimulation.queueCount, prefetch: 1_000) {
            [unowned self] in
            let connection = SimulatedQueueConnection(simulation.rabbitMQ) { [unowned self] in meet($0) }
            queues.append { [weak connection] in connection }
            return connection
        }
        let shared = SharedState(version: "1")
        shared.readiness.set(.roadsLoaded, true)
        return try Pipeline(
            configuration, parts: [],
            takeOver: { [unowned self] shard in
                let store = try Store.takeOver(
                    address, shard: shard, of: ClusterSimulation.queueCount, durability: .process)
                return (simulation.makeEngine(configuration.engine), store)
            }, cabStore: { [unowned self] in try Store(guestOf: address) }, connection: connection, shared: shared,
            clock: clock, storePause: { [unowned self] _ in !isDead.load(ordering: .relaxed) },
            logger: Logger(label: "campaign") { _ in SwiftLogNoOpLogHandler() })
    }

    /// A pass looks at the time after it has read messages, and before it decides.
    private var clock: GatewayClock {
        GatewayClock(
            time: { [unowned self] in Timestamp.at(Seconds(simulation.now) / 1_000) },
            elapsed: { [unowned self] in
                if process?.isCurrent == true { meet(.decide) }
                return simulation.elapsed
            })
    }

    // MARK: Faults

    func arm(_ fault: ClusterFault) {
        if case .restart = fault {
            guard isRunning else { return }
            simulation.count("restart")
            return stop()
        }
        armed.append((fault, fault.place?.count ?? 1))
    }

    /// - Returns: whether the process goes on.
    private func go(_ step: TestConnection.Step) -> Bool {
        switch step {
        // The passes of a stop are no turns of their own.
        case .poll: if isStopping { process?.pause() }
        case .take: break
        case .publish: meet(.publish)
        case .acknowledge: break
        case .transmit: meet(.transmit)
        case .flushed: meet(.flushed)
        }
        return !isDead.load(ordering: .relaxed)
    }

    /// The gateway has come to a step.
    private func meet(_ step: Fault.Step) {
        if step == .receive { isBusy = true }
        guard isBusy else { return }
        for index in armed.indices.reversed() where armed[index].fault.place?.step == step {
            guard armed[index].count <= 1 else {
                armed[index].count -= 1
                continue
            }
            bringAbout(armed.remove(at: index).fault, step)
        }
        while frozen != nil, !isDead.load(ordering: .relaxed) { process?.pause() }
    }

    private func bringAbout(_ fault: ClusterFault, _ step: Fault.Step) {
        guard !isDead.load(ordering: .relaxed) else { return }
        switch fault {
        case .kill(_, let down):
            simulation.count("kill at \(step)")
            isDead.store(true, ordering: .relaxed)
            startsAt = simulation.now + down
            loseQueues()
            simulation.endSessions(of: address)
        case .freeze(_, let duration):
            simulation.count("\(duration >= ClusterSimulation.heartbeat ? "long" : "short") freeze at \(step)")
            frozen = simulation.now..<simulation.now + duration
            simulation.noteAbsence(duration)
        case .cutQueues:
            simulation.count("queues cut at \(step)")
            loseQueues()
        case .cutMQTT:
            simulation.count("MQTT cut at \(step)")
            connection?.lose()
        case .cutStore:
            simulation.count("store cut at \(step)")
            simulation.endSessions(of: address)
        case .restart: break
        }
    }

    private func loseQueues() { for queue in queues { queue()?.lose() } }
}
