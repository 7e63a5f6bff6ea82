import Broker
import Fleet
import FleetTestSupport
import Foundation
import Gateway
import GatewayTestSupport
import Geo
import Messages
import MQTT
import Store

/// One run: a gateway, its machine, its broker, and the time of all of them, which goes on where the gateway waits for something.
///
/// Used by one thread.
final class Simulation: @unchecked Sendable {
    /// After the last message all faults are over, and all that is due comes about.
    private static let calm = 80_000
    /// So many passes more, and nothing is under way.
    private static let lastPasses = 100
    /// What a pass takes at least, in milliseconds, where it does not wait.
    private static let passTime = 2
    /// How much longer it takes for each look at the clock, in microseconds; which of them, the seed decides. The gateway looks once
    /// for each message that it handles: on the slowest machine a turn ends after some thirty.
    private static let lookTimes = [0, 400, 2_500]
    /// After so many milliseconds a client finds out that its broker is silent.
    private static let keepAlive = 8_000

    private let scenario: Scenario
    private let configuration: GatewayConfiguration
    private let folder: URL
    let broker: TestBroker
    let disk: FaultyDisk
    let faults: FaultInjector
    var observer = Observer()
    /// Milliseconds since the start.
    private(set) var now = 0
    private let origin = ContinuousClock.now
    private let lookTime: Int
    /// For how many microseconds the present pass has gone on since it has waited.
    private var busyTime = 0
    private var gateway: GatewayProcess?
    /// Nil: it runs.
    private var startsAt: Int? = 0
    /// Is told what happens, with the milliseconds since the start; nil: nobody wants to know.
    private let trace: ((Int, String) -> Void)?
    private var nextArrival = 0
    private var awaySince: Int?
    private var hadSession = false
    private var isFinishing = false
    /// When each of the broker's publications reached it.
    private var publishedAt: [Int] = []

    init(
        _ scenario: Scenario, _ plan: FaultPlan, seed: UInt64, durability: StoreDurability,
        trace: ((Int, String) -> Void)? = nil
    ) throws {
        (self.scenario, self.trace) = (scenario, trace)
        lookTime = Self.lookTimes[Int(seed % UInt64(Self.lookTimes.count))]
        folder = FileManager.default.temporaryDirectory.appending(path: "campaign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        disk = FaultyDisk(folder: folder.resolvingSymlinksInPath().path, seed: seed)
        var configuration = try GatewayConfiguration.north(
            store: folder.appending(path: "headroom.sqlite").path, snapshotInterval: 20, keepEvents: 86_400,
            keepPositions: 86_400, durability: durability)
        // Fewer than there are vehicles, so that changes of fences and clearances wait until turns have written them, and what they
        // mean is judged in several turns.
        (configuration.statesAtOnce, configuration.engine.judgedAtOnce) = (2, 2)
        self.configuration = configuration
        broker = TestBroker(configuration.topics)
        faults = FaultInjector(plan)
        observer.durability = durability
        faults.simulation = self
        disk.failure = { [unowned faults] in faults.failure(of: $0) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// - Returns: what came of it.
    func run() throws -> Outcome {
        while now < Scenario.length + Self.calm, observer.violation == nil { try step() }
        for _ in 0..<Self.lastPasses where observer.violation == nil && !isQuiet { try step() }
        if observer.violation == nil { observer.check(settled: gateway, broker) }
        disk.isDead = observer.violation != nil
        if let violation = observer.violation { tell(violation) }
        gateway?.close()
        gateway = nil
        tellPublished()
        var outcome = try Outcome(
            published: Array(zip(broker.published, publishedAt)), rows: Outcome.rows(of: configuration.store),
            undoneAt: observer.undoneAt)
        outcome.violation = observer.violation ?? outcome.violation
        (outcome.waitMax, outcome.endings, outcome.cuts) = (observer.waitMax, observer.endings, observer.cuts)
        (outcome.mayDiffer, outcome.lateFences) = (observer.mayDiffer, observer.lateFences)
        outcome.absences = observer.absences
        outcome.passTime = observer.passTime
        outcome.faults = faults.counts
        return outcome
    }

    private func tellPublished() {
        for publication in broker.published[publishedAt.count...] {
            publishedAt.append(now)
            if publication.retain { continue }
            tell("from the gateway: \(publication.topic) \(String(decoding: publication.payload, as: UTF8.self))")
        }
    }

    func tell(_ text: @autoclosure () -> String) { trace?(now, text()) }

    // MARK: The gateway

    private var isQuiet: Bool { gateway?.outboxCount == 0 && broker.unacknowledged.isEmpty }

    var connection: TestConnection? { gateway?.connection }

    private func step() throws {
        guard let gateway else {
            if let startsAt, now >= startsAt { return start() }
            return advance(by: 100)
        }
        do {
            faults.passBegins()
            let before = gateway.outboxCount
            let began = Self.processorTime
            try gateway.pass()
            observer.note(passOf: Self.processorTime - began)
            observer.note(turnOf: gateway.outboxCount - before)
            tellPublished()
            endPass()
        } catch {
            if !disk.isDead { observer.note(ending: error) }
            ended()
        }
        if disk.isDead { ended() }
        if faults.takeRestart(), self.gateway != nil { restart() }
    }

    /// Of this thread, in seconds: how long a pass takes must not depend on what else the machine does.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func start() {
        startsAt = nil
        disk.isDead = false
        do {
            let gateway = try GatewayProcess(
                configuration, scenario, broker, clock, pause: { [unowned self] in pause($0) })
            gateway.connection.mayGo = { [unowned self] in go($0) }
            self.gateway = gateway
            faults.apply()
            try gateway.restore()
            tell("the gateway has started")
            observer.note(startAt: now)
            try observer.check(restored: gateway)
        } catch {
            if !disk.isDead { observer.note(ending: error) }
            ended()
        }
    }

    private func restart() {
        isFinishing = true
        defer { isFinishing = false }
        do { try gateway?.finish() } catch { if !disk.isDead { observer.note(ending: error) } }
        ended()
    }

    /// The process is gone, however it ended.
    private func ended() {
        observer.note(endAt: now)
        tell("the gateway has ended")
        gateway?.close()
        gateway = nil
        startsAt = max(startsAt ?? 0, now + 100)
        if faults.takePowerLoss() { losePower() }
        disk.isDead = false
    }

    private func losePower() {
        let hasUnsynced = disk.unsyncedBytes > 0
        if disk.losePower() || hasUnsynced && configuration.durability == .process { observer.note(undoneAt: now) }
    }

    /// The process ends where it is.
    func kill(down: Int) {
        disk.isDead = true
        startsAt = now + down
    }

    private var gatewayTime: Timestamp { Timestamp.at(Seconds(now + faults.clockOffset) / 1_000) }

    private var clock: GatewayClock {
        GatewayClock(
            time: { [unowned self] in gatewayTime },
            elapsed: { [unowned self] in
                busyTime += lookTime
                return origin + .milliseconds(now) + .microseconds(busyTime)
            })
    }

    /// What the pass has taken has passed for all others, too.
    private func endPass() {
        let taken = (busyTime + 999) / 1_000
        busyTime = 0
        advance(by: Self.passTime + taken)
    }

    private func pause(_ duration: Duration) -> Bool {
        if disk.isDead { return false }
        advance(by: Int(duration / .milliseconds(1)))
        return true
    }

    // MARK: Its connection

    /// - Returns: whether the process goes on.
    private func go(_ step: TestConnection.Step) -> Bool {
        // The passes of a stop are not steps of this simulation; without time they would never be over.
        if isFinishing, case .poll = step { endPass() }
        guard !disk.isDead else { return false }
        switch step {
        case .poll(let timeout): wait(Int(timeout / .milliseconds(1)))
        case .take: faults.meet(.receive)
        case .publish: faults.meet(.publish)
        case .acknowledge:
            faults.meet(.acknowledge)
            if let connection, !disk.isDead, connection.isConnected {
                observer.check(acknowledged: connection.held, disk, time: now, clock: gatewayTime)
            }
        case .transmit: faults.meet(.transmit)
        case .flushed: faults.meet(.flushed)
        }
        return !disk.isDead
    }

    /// Waits until there is something to read.
    private func wait(_ milliseconds: Int) {
        let end = now + milliseconds
        while now < end, connection?.hasNews == false, !disk.isDead {
            let arrival = nextArrival < scenario.arrivals.count ? scenario.arrivals[nextArrival].time : end
            advance(by: max(1, min(arrival, end, faults.nextTime ?? end) - now))
        }
    }

    // MARK: Time

    private func advance(by milliseconds: Int) {
        now += milliseconds
        if broker.hasSession, !hadSession { observer.note(sessionAt: now) }
        hadSession = broker.hasSession
        // A broker that has forgotten the gateway's session would drop them; those who publish are as long in coming back.
        while broker.hasSession, nextArrival < scenario.arrivals.count, scenario.arrivals[nextArrival].time <= now {
            let (planned, message) = (scenario.arrivals[nextArrival].time, scenario.arrivals[nextArrival].message)
            tell("to the broker: \(message.topic) \(message.payload.replacing("\n", with: ""))")
            broker.publish(message.topic, message.payload, retain: message.isRetained)
            observer.note(arrived: message, time: now, planned: planned, copies: broker.copies)
            nextArrival += 1
        }
        faults.advance(to: now)
        awaySince = broker.isAway ? awaySince ?? now : nil
        if let awaySince, now - awaySince >= Self.keepAlive { connection?.lose(.keepAlive) }
    }
}
