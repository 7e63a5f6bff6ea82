import Fleet
import Foundation
import Logging
import Messages
import Store
import Synchronization

/// A gateway's part in what the gateways of a cluster tell each other (`GatewayMessage`).
///
/// What there is to see of vehicles is told only while somebody looks: the view of a console that was asked for asks the
/// other gateways to tell all, and from then on what changes, as the bytes that their stores have of a vehicle.
final class GatewayExchange {
    /// Takes answers from the closures that orders of other gateways bear.
    private final class Replies: Sendable {
        private let content = Mutex<[(queue: String, message: GatewayMessage)]>([])

        func add(_ message: GatewayMessage, to queue: String) { content.withLock { $0.append((queue, message)) } }

        func take() -> [(queue: String, message: GatewayMessage)] {
            content.withLock { content in
                defer { content = [] }
                return content
            }
        }
    }

    /// What is for others than this class.
    struct Received {
        var announced: [UInt64] = []
        var expectations: [(topic: String, payload: [UInt8], answer: Answer<DispatchOutcome>)] = []
        var outcomes: [(number: UInt64, outcome: DispatchOutcome)] = []
        var handlings: [HandlingQueue.Order] = []
        /// Of orders that were forwarded.
        var handlingOutcomes: [(answer: Answer<HandlingOutcome>, outcome: HandlingOutcome)] = []
        var haveCabsChanged = false
    }

    /// Seconds between two messages that somebody looks.
    private static let watchEvery: Double = 5
    /// Seconds; then what is known of the fleet is shown, and the rest as it comes.
    private static let completionWait: Double = 3
    /// What forwarded orders wait for; the console's own answers come sooner.
    private static let (forwardedMax, forwardedWait): (Int, Double) = (1_000, 10)

    private let link: ClusterLink
    private let settings: EngineSettings
    private let messages: LiveMessages
    private let clock: GatewayClock
    private let logger: Logger
    private let replies = Replies()
    private var elsewhere = FleetElsewhere()
    private var watchers: [String: FleetWatcher] = [:]
    /// When the view was last asked for, when others were last told so, and since when they know; nil: nobody looks.
    private var watch: (askedAt: Timestamp, toldAt: Timestamp, beganAt: Timestamp)?
    private var connection = 0
    private var lastID: UInt64 = 0
    private var forwarded: [UInt64: (answer: Answer<HandlingOutcome>, since: Timestamp)] = [:]

    init(
        _ link: ClusterLink, _ settings: EngineSettings, _ messages: LiveMessages, clock: GatewayClock, logger: Logger
    ) {
        (self.link, self.settings, self.messages) = (link, settings, messages)
        (self.clock, self.logger) = (clock, logger)
    }

    // MARK: Each pass

    /// What has come.
    func receive() -> Received {
        var received = Received()
        for payload in link.takeGatewayMessages() {
            guard let (sender, message) = try? GatewayMessage.decode(payload) else {
                logger.warning("A gateway of another version says what this one does not understand")
                continue
            }
            take(message, from: sender, &received)
        }
        return received
    }

    /// Tells others what is new here, and that somebody looks.
    func send(_ shards: [Shard]) {
        let now = clock()
        for (queue, message) in replies.take() { send(message, to: queue) }
        for (queue, var watcher) in watchers {
            watchers[queue] = nil
            guard now.since(watcher.heardAt).magnitude <= FleetWatcher.silenceMax else { continue }
            for message in watcher.messages(of: shards, at: now) { send(message, to: queue) }
            watchers[queue] = watcher
        }
        keepWatch(at: now)
        for (id, order) in forwarded where now.since(order.since).magnitude > Self.forwardedWait {
            forwarded[id] = nil
            order.answer.resume(returning: .unavailable)
        }
    }

    /// Whether a gateway is to be told more at once.
    var isBehind: Bool { watchers.values.contains(where: \.isBehind) }

    /// The turn of a shard is committed.
    func note(_ turn: Turn, of shard: Int) {
        guard !watchers.isEmpty else { return }
        let vehicles = turn.effects.changed.union(turn.effects.forgotten.map(\.vehicle))
        for queue in watchers.keys { watchers[queue]?.note(vehicles, of: shard) }
        guard !turn.news.isEmpty else { return }
        let news = turn.news.map {
            GatewayMessage.News(kind: $0.kind.rawValue, vehicle: $0.vehicle, payload: Data($0.payload))
        }
        for queue in watchers.keys { send(.news(news), to: queue) }
    }

    // MARK: The view

    /// Somebody waits for the view.
    ///
    /// - Returns: whether it can be shown: all is known, or does not come.
    func isShowable(besides own: Set<Int>) -> Bool {
        let now = clock()
        if watch == nil {
            // What was said while nobody looked is not known.
            messages.breakOff()
            beginWatch(at: now)
        }
        watch?.askedAt = now
        return elsewhere.isComplete(besides: own, of: link.count)
            || watch.map { now.since($0.beganAt).magnitude > Self.completionWait } ?? true
    }

    func takeChanged() -> Set<VehicleID> { elsewhere.takeChanged() }

    func snapshot(of vehicle: VehicleID, at now: Timestamp) -> VehicleSnapshot? {
        elsewhere.snapshot(of: vehicle, settings, at: now)
    }

    func vehicle(_ id: VehicleID) -> EngineReader.VehicleElsewhere? { elsewhere.vehicle(id) }

    var untaken: [[UntakenAlert]] { elsewhere.untaken }
    var handlings: [Handling] { elsewhere.handlings }

    func joined(_ shard: Shard) { elsewhere.remove(shard.place.index) }

    /// Its vehicles stay in view until their next owner tells of them.
    func left(_ shard: Shard) {
        guard watch != nil, let epoch = shard.store.epoch else { return }
        let entries = shard.engine.addresses.map { shard.entry(of: $0.vehicle) }
        elsewhere.take(shard.place.index, epoch: epoch, entries: entries)
    }

    private func beginWatch(at now: Timestamp) {
        watch = (now, now, now)
        connection = link.connectionCount
        send(.watch(isNew: true))
    }

    private func keepWatch(at now: Timestamp) {
        guard let watch else { return }
        guard now.since(watch.askedAt).magnitude <= FleetWatcher.silenceMax else {
            self.watch = nil
            return elsewhere.clear()
        }
        if connection != link.connectionCount { return beginWatch(at: now) }
        guard now.since(watch.toldAt).magnitude >= Self.watchEvery else { return }
        self.watch?.toldAt = now
        send(.watch(isNew: false))
    }

    // MARK: Orders

    /// Has all gateways expect what this one is about to publish.
    ///
    /// - Returns: the number that `Received.announced` has once they are told.
    func expect(_ topic: String, _ payload: [UInt8]) -> UInt64 {
        lastID += 1
        send(.expectation(id: lastID, topic: topic, payload: Data(payload)))
        return lastID
    }

    /// Has the gateway that owns a vehicle do what a dispatcher wants.
    func forward(_ order: HandlingQueue.Order) {
        let request = order.request
        guard let queue = elsewhere.gateway(of: request.vehicle), forwarded.count < Self.forwardedMax else {
            return order.answer.resume(returning: .unavailable)
        }
        let seen = elsewhere.handlings.first { $0.alert == request.alert }?.revision
        guard request.isExpected(seen) else { return order.answer.resume(returning: .changed) }
        lastID += 1
        forwarded[lastID] = (order.answer, clock())
        send(.handling(id: lastID, ForwardedHandling(request, seen: seen)), to: queue)
    }

    /// Phones were paired here, or no longer are.
    func cabsChanged() { send(.cabsChanged) }

    /// Whoever waits for another gateway waits in vain.
    func end() {
        for order in forwarded.values { order.answer.resume(returning: .unavailable) }
        forwarded = [:]
    }

    // MARK: Messages

    private func send(_ message: GatewayMessage, to queue: String? = nil) {
        do {
            link.send(try message.encoded(from: link.ownQueue), to: queue)
        } catch {
            logger.error("A message to other gateways cannot be written: \(error)")
        }
    }

    private func take(_ message: GatewayMessage, from sender: String, _ received: inout Received) {
        let (isOwn, now, replies) = (sender == link.ownQueue, clock(), replies)
        switch message {
        case .watch(let isNew):
            guard !isOwn else { return }
            if isNew || watchers[sender] == nil { watchers[sender] = FleetWatcher(at: now) }
            watchers[sender]?.heardAt = now
        case .part(let part, let number):
            guard watch != nil else { return }
            for entry in part.entries where entry.state == nil { messages.forget(entry.vehicle) }
            if !elsewhere.take(part, number: number, from: sender) { beginWatch(at: now) }
        case .news(let news):
            guard watch != nil else { return }
            messages.add(news.compactMap(\.live))
        case .expectation(let id, let topic, let payload):
            if isOwn { return received.announced.append(id) }
            let answer = Answer<DispatchOutcome> { replies.add(.outcome(id: id, $0), to: sender) }
            received.expectations.append((topic, Array(payload), answer))
        case .outcome(let id, let outcome): received.outcomes.append((id, outcome))
        case .handling(let id, let order):
            let answer = Answer<HandlingOutcome> { replies.add(.handlingOutcome(id: id, $0), to: sender) }
            received.handlings.append(HandlingQueue.Order(request: order.request, answer: answer))
        case .handlingOutcome(let id, let outcome):
            guard let order = forwarded.removeValue(forKey: id) else { return }
            if case .stored(let handling) = outcome { elsewhere.take(handling) }
            received.handlingOutcomes.append((order.answer, outcome))
        case .cabsChanged: received.haveCabsChanged = received.haveCabsChanged || !isOwn
        }
    }
}

extension GatewayMessage.News {
    /// Nil: of a kind that this version does not know.
    fileprivate var live: Turn.News? {
        LiveMessage.Kind(rawValue: kind).map { ($0, vehicle, Array(payload)) }
    }
}
