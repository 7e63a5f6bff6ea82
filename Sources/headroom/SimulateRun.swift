import Broker
import Fleet
import Foundation
import Geo
import Synchronization
import Wire

/// Publishes what simulated trucks report, in real time, over one connection and on one thread.
final class SimulateRun {
    struct Plan: Sendable {
        var broker: BrokerSettings
        var pattern: TopicPattern
        var qos: QoS
        var trucks: [SimulatedTruck]
        var driving: Drive.Settings
        var seed: UInt64
        /// Nil: until every truck has arrived.
        var duration: Seconds?
        var isWatched: Bool
    }

    /// How often the thread looks up from waiting: for an order to stop, and to show progress.
    private static let look: Duration = .milliseconds(200)
    private static let prepareMax: Duration = .seconds(30)

    private struct Driver {
        var drive: Drive
        /// Nil: it has sent its last.
        var next: Fix?
    }

    private let plan: Plan
    private let isStopping: () -> Bool
    private let connection: BrokerConnection
    private var watch: SimulateWatch?
    private var backoff: Backoff
    private var nextAttempt = ContinuousClock.now
    /// Subscriptions and profiles that the broker has not answered for, before the first fix.
    private var unanswered = 0
    private var hasBeenConnected = false
    private var drivers: [Driver] = []
    private var start = Timestamp.now
    private var fixesSent = 0
    private var progress = SimulateProgress()

    init(_ plan: Plan, isStopping: @escaping () -> Bool) throws {
        self.plan = plan
        self.isStopping = isStopping
        connection = try BrokerConnection(plan.broker)
        watch = plan.isWatched ? SimulateWatch(plan.trucks, plan.pattern) : nil
        backoff = Backoff(seed: plan.seed)
    }

    /// Until every truck has arrived, the time is over or it is told to stop.
    func run() throws {
        try prepare()
        depart()
        while isUnderWay { try pass() }
        progress.finish()
        say("\(fixesSent) fixes of \(plan.trucks.count) trucks sent in \(Int(Timestamp.now.since(start))) s")
        clear()
        connection.disconnect()
        try judge()
    }

    // MARK: In order

    /// Connects, subscribes, and publishes the profiles, so that no fix comes before them.
    private func prepare() throws {
        let deadline = ContinuousClock.now + Self.prepareMax
        if let watch { connection.subscribe(try watch.topics.map { try Subscription($0) }) }
        try connection.connect()
        while !hasBeenConnected || unanswered > 0 {
            guard ContinuousClock.now < deadline else { throw CommandFailure.failed("the broker does not answer") }
            if isStopping() { return }
            try exchange(timeout: Self.look)
        }
    }

    private func depart() {
        start = .now
        drivers = plan.trucks.enumerated().map { index, truck in
            var drive = Drive(
                truck.trip, plan.driving, from: start.adding(truck.phase * plan.driving.interval),
                seed: plan.seed &+ UInt64(index))
            let first = drive.next()
            return Driver(drive: drive, next: first)
        }
        say("\(plan.trucks.count) trucks set off")
    }

    private var isUnderWay: Bool {
        if isStopping() { return false }
        if let duration = plan.duration, Timestamp.now.since(start) >= duration { return false }
        return drivers.contains { $0.next != nil } || connection.unacknowledged > 0
    }

    private func pass() throws {
        let due = drivers.compactMap(\.next?.time).min()
        let wait = due.map { Duration.seconds(max(0, $0.since(.now))) } ?? Self.look
        try exchange(timeout: min(wait, Self.look))
        try publishDue()
        progress.update(share: share, fixes: fixesSent, driving: drivers.count { $0.next != nil }, of: drivers.count)
    }

    /// Retained profiles would outlive the trucks.
    private func clear() {
        for truck in plan.trucks where truck.height != nil {
            guard let topic = plan.pattern.topic(for: truck.address, .profile) else { continue }
            while true {
                do {
                    _ = try connection.publish(Publication(topic: topic, payload: [], qos: plan.qos, retain: true))
                    break
                } catch {
                    guard error.code == .windowFull, (try? exchange(timeout: Self.look)) != nil else { return }
                }
            }
        }
        let deadline = ContinuousClock.now + .seconds(5)
        while connection.isConnected, connection.unacknowledged > 0, ContinuousClock.now < deadline {
            guard (try? exchange(timeout: Self.look)) != nil else { return }
        }
    }

    private func judge() throws {
        guard let watch else { return }
        Terminal.print("\n\(watch.table)")
        guard watch.failures == 0 else {
            throw CommandFailure.failed(
                "\(watch.failures) of \(plan.trucks.count) trucks were not told what was expected")
        }
    }

    // MARK: Over the connection

    private func exchange(timeout: Duration) throws {
        if connection.isIdle, ContinuousClock.now >= nextAttempt {
            do { try connection.connect() } catch { retryLater(error.description) }
        }
        for event in connection.poll(timeout: timeout) { try handle(event) }
        for message in connection.takeMessages() {
            let elapsed = max(0, Timestamp.now.since(start))
            let lines = watch?.hear(topic: message.topic, payload: message.payload, after: elapsed)
            if let lines { Terminal.print(lines) }
        }
        connection.flush()
    }

    private func handle(_ event: BrokerEvent) throws {
        switch event {
        case .connected:
            backoff.reset()
            guard !hasBeenConnected else { return }
            hasBeenConnected = true
            unanswered += watch?.topics.count ?? 0
            try publishProfiles()
        case .subscribed(let filter, .refused(let reason)):
            throw CommandFailure.failed("the broker refuses the subscription to \(filter): \(reason)")
        case .published(_, let reason) where reason.isRefusal:
            throw CommandFailure.failed("the broker refuses what the trucks publish: \(reason)")
        case .subscribed, .published:
            unanswered = max(0, unanswered - 1)
        case .refused(let reason):
            throw CommandFailure.failed("the broker refuses the connection: \(reason)")
        case .disconnected(let reason):
            retryLater("\(reason)")
        case .unreachable(let error), .lost(let error):
            guard hasBeenConnected else { throw CommandFailure.failed(error.description) }
            retryLater(error.description)
        }
    }

    private func retryLater(_ reason: String) {
        nextAttempt = .now + backoff.next()
        say("the connection is gone, the trucks wait with their fixes: \(reason)")
    }

    private func publishProfiles() throws {
        for truck in plan.trucks {
            guard let payload = truck.profile, let topic = plan.pattern.topic(for: truck.address, .profile) else {
                continue
            }
            while connection.unacknowledged >= 500 { try exchange(timeout: Self.look) }
            _ = try connection.publish(Publication(topic: topic, payload: payload, qos: plan.qos, retain: true))
            unanswered += 1
        }
    }

    /// A fix that cannot leave now stays due, and the truck's later ones behind it.
    private func publishDue() throws {
        let now = Timestamp.now
        for index in drivers.indices {
            guard let topic = plan.pattern.topic(for: plan.trucks[index].address, .location) else { continue }
            while let fix = drivers[index].next, fix.time <= now {
                do {
                    let payload = SimulatedTruck.payload(fix)
                    _ = try connection.publish(Publication(topic: topic, payload: payload, qos: plan.qos))
                } catch {
                    switch error.code {
                    case .notConnected, .windowFull, .connectionLost: return
                    default: throw error
                    }
                }
                fixesSent += 1
                drivers[index].next = drivers[index].drive.next()
            }
        }
    }

    // MARK: What people see

    private var share: Double {
        let longest = drivers.map { $0.drive.duration + plan.driving.standing }.max() ?? 1
        return Timestamp.now.since(start) / min(longest, plan.duration ?? longest)
    }

    private func say(_ text: String) { Terminal.error("simulate: \(text)") }
}

/// A line on a terminal that says how far the trucks are; nothing elsewhere.
struct SimulateProgress {
    private static let width = 24
    private var shown = ""

    mutating func update(share: Double, fixes: Int, driving: Int, of trucks: Int) {
        guard Terminal.showsProgress else { return }
        let filled = Int(min(max(share, 0), 1) * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let line = "\r\(bar) \(driving) of \(trucks) trucks under way, \(fixes) fixes sent "
        guard line != shown else { return }
        shown = line
        FileHandle.standardError.write(Data(line.utf8))
    }

    func finish() {
        if !shown.isEmpty { FileHandle.standardError.write(Data("\n".utf8)) }
    }
}

extension Timestamp {
    /// The wall clock.
    fileprivate static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
    }
}
