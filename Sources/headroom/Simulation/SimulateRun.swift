import Broker
import Evaluation
import Fleet
import Gateway
import Geo
import Hashing
import HeadroomConfiguration
import Messages
import MQTT
import Wire

/// Publishes what simulated trucks report, in real time, over one connection and on one thread.
final class SimulateRun {
    struct Plan: Sendable {
        var broker: BrokerSettings
        var pattern: TopicPattern
        var reports: SimulateReports
        var qos: QoS
        var trucks: [SimulatedTruck]
        var driving: Drive.Settings
        var seed: UInt64
        /// Nil: until every truck has arrived.
        var duration: Seconds?
        var isWatched: Bool
        /// Where trucks find another trip when they have arrived; nil: they stay there.
        var planner: TripPlanner?
    }

    /// How often the thread looks up from waiting: for an order to stop, for trips, and to show progress.
    private static let look: Duration = .milliseconds(200)
    /// Fixes that are due within it go out together: a pass for each would cost more than it brings.
    private static let grain: Duration = .milliseconds(2)
    private static let prepareMax: Duration = .seconds(30)
    /// How long the broker may take to answer for the last fixes, and for the profiles that are taken back.
    private static let settleMax: Duration = .seconds(5)

    private let plan: Plan
    private let isStopping: () -> Bool
    private let connection: BrokerConnection
    private var watch: SimulateWatch?
    private var backoff: Backoff
    private var nextAttempt = ContinuousClock.now
    /// Subscriptions and profiles that the broker has not answered for, before the first fix.
    private var unanswered = 0
    private var hasBeenConnected = false
    private var traffic: Traffic
    /// By truck, how many trips it has begun.
    private var trips: [Int]
    private var start = Timestamp.now
    private var account: SimulateAccount
    private var progress = SimulateProgress()

    init(_ plan: Plan, isStopping: @escaping () -> Bool) throws {
        self.plan = plan
        self.isStopping = isStopping
        connection = try BrokerConnection(plan.broker)
        watch = plan.isWatched ? SimulateWatch(plan.trucks, plan.pattern) : nil
        backoff = Backoff(seed: plan.seed)
        traffic = Traffic(vehicleCount: plan.trucks.count)
        trips = Array(repeating: 0, count: plan.trucks.count)
        account = SimulateAccount(qos: plan.qos)
    }

    /// Until every truck has arrived, the time is over or it is told to stop.
    func run() throws {
        try prepare()
        depart()
        while isUnderWay { try pass() }
        let end = Timestamp.now
        progress.finish()
        // What came due since the last pass is nobody's failure.
        account.unsent = traffic.count(dueBy: end.adding(-Self.look.seconds))
        try settle()
        // A truck whose profile is taken back may be asked for its height: that is no answer to its drive.
        let told = watch.take()
        clear()
        connection.disconnect()
        try judge(told, after: end.since(start))
    }

    // MARK: In order

    /// Connects, subscribes, and publishes the profiles, so that no fix comes before them.
    private func prepare() throws {
        let deadline = ContinuousClock.now + Self.prepareMax
        if let watch { connection.subscribe(try watch.topics.map { try Subscription($0) }) }
        connection.connect()
        while !hasBeenConnected || unanswered > 0 {
            guard ContinuousClock.now < deadline else { throw CommandError.failed("the broker does not answer") }
            if isStopping() { return }
            try exchange(timeout: Self.look)
        }
    }

    private func depart() {
        start = .now
        for (index, truck) in plan.trucks.enumerated() {
            setOff(index, on: truck.trip, at: start.adding(truck.phase * plan.driving.interval))
        }
        say("\(plan.trucks.count) trucks set off")
    }

    private func setOff(_ truck: Int, on trip: Trip, at time: Timestamp) {
        trips[truck] += 1
        var random = SplitMix64(seed: plan.seed &+ UInt64(truck), stream: trips[truck])
        traffic.setOff(truck, on: Drive(trip, plan.driving, from: time, seed: random.next()))
    }

    private var isUnderWay: Bool {
        if isStopping() { return false }
        if let duration = plan.duration, Timestamp.now.since(start) >= duration { return false }
        return traffic.underWay > 0 || plan.planner != nil || connection.unacknowledged > 0
    }

    private func pass() throws {
        let wait = traffic.next.map { Duration.seconds(max(0, $0.fix.time.since(.now))) } ?? Self.look
        try exchange(timeout: min(max(wait, Self.grain), Self.look))
        try publishDue()
        for (arrival, trip) in plan.planner?.take() ?? [] {
            setOff(arrival.truck, on: trip, at: max(arrival.next, .now))
        }
        progress.update(
            after: Timestamp.now.since(start), of: plan.duration ?? plan.routeSeconds, fixes: account.sent,
            driving: traffic.underWay + (plan.planner?.pending ?? 0), of: plan.trucks.count)
    }

    private func settle() throws {
        let deadline = ContinuousClock.now + Self.settleMax
        while !account.isSettled, ContinuousClock.now < deadline { try exchange(timeout: Self.look) }
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
        let deadline = ContinuousClock.now + Self.settleMax
        while connection.isConnected, connection.unacknowledged > 0, ContinuousClock.now < deadline {
            guard (try? exchange(timeout: Self.look)) != nil else { return }
        }
    }

    private func judge(_ watch: SimulateWatch?, after seconds: Seconds) throws {
        if let table = watch?.table { Terminal.print("\n\(table)") }
        Terminal.print(account.summary(of: plan.trucks.count, after: seconds))
        if let watch {
            Terminal.print("told: \(watch.summary)")
            guard watch.failures == 0 else {
                throw CommandError.failed(
                    "\(watch.failures) of \(plan.trucks.count) trucks were not told what was expected")
            }
        }
        guard account.isComplete else { throw CommandError.failed("not every fix has reached the broker") }
    }

    // MARK: Over the connection

    private func exchange(timeout: Duration) throws {
        if connection.isIdle, ContinuousClock.now >= nextAttempt { connection.connect() }
        for event in connection.poll(timeout: timeout) { try handle(event) }
        for message in connection.takeMessages() {
            let elapsed = max(0, Timestamp.now.since(start))
            let lines = watch?.receive(topic: message.topic, payload: message.payload, after: elapsed)
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
            throw CommandError.failed("the broker refuses the subscription to \(filter): \(reason)")
        case .published(_, let reason) where reason.isRefusal:
            throw CommandError.failed(
                "the broker refuses what the trucks publish, after \(account.acknowledged) fixes: \(reason)")
        case .published(let id, _):
            account.acknowledge(id)
            unanswered = max(0, unanswered - 1)
        case .subscribed:
            unanswered = max(0, unanswered - 1)
        case .refused(let reason):
            throw CommandError.failed("the broker refuses the connection: \(reason)")
        case .disconnected(let reason):
            retryLater("\(reason)")
        case .unreachable(let error), .lost(let error):
            guard hasBeenConnected else { throw CommandError.failed(error.description) }
            retryLater(error.description)
        case .retainedRead: break
        }
    }

    private func retryLater(_ reason: String) {
        account.connectionEnded()
        nextAttempt = .now + backoff.next()
        let unheard = watch == nil ? "" : ", and what they are told meanwhile is not heard"
        say("the connection and its session are gone, the trucks wait with their fixes\(unheard): \(reason)")
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

    /// A fix that cannot leave now stays due, and those behind it.
    private func publishDue() throws {
        let now = Timestamp.now
        while let report = traffic.next, report.fix.time <= now {
            let truck = plan.trucks[report.vehicle]
            let message = plan.reports.message(report.fix, of: truck)
            let publication = Publication(topic: message.topic, payload: message.payload, qos: plan.qos)
            do {
                let id = try connection.publish(publication)
                account.send(id, late: Timestamp.now.since(report.fix.time))
            } catch {
                switch error.code {
                case .notConnected, .windowFull, .connectionLost: return
                default: throw error
                }
            }
            if let ended = traffic.advance() { goOn(report.vehicle, from: ended) }
        }
    }

    /// A truck that drives by chance goes on to somewhere else.
    private func goOn(_ truck: Int, from drive: Drive) {
        guard let planner = plan.planner, let edge = drive.trip.edges.last else { return }
        planner.plan(
            TripPlanner.Arrival(
                truck: truck, trips: trips[truck], edge: edge, next: drive.end.adding(plan.driving.interval)))
    }

    private func say(_ text: String) {
        progress.interrupt()
        Terminal.error("simulate: \(text)")
    }
}

extension SimulateRun.Plan {
    /// Until the last truck has come to the end of the first trip of each; nil where trucks go on.
    fileprivate var routeSeconds: Seconds? {
        planner == nil ? trucks.map(\.trip.duration).max().map { $0 + driving.standing } : nil
    }
}

extension Duration {
    fileprivate var seconds: Seconds { self / .seconds(1) }
}
