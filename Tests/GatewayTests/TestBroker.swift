import Broker
import Fleet
import MQTT
import Wire

@testable import Gateway

/// A broker in memory with one client: it keeps the client's session and what is retained, and delivers again what a
/// connection that has ended did not acknowledge.
final class TestBroker {
    /// All that has reached it from the client but probes, in the order in which it came.
    private(set) var published: [Publication] = []
    private(set) var retained: [String: Publication] = [:]
    /// What the client has not acknowledged, the oldest first.
    fileprivate private(set) var session: [ReceivedMessage] = []
    fileprivate private(set) var filters: [String]?
    /// Whether nothing comes from it or reaches it, though nobody has closed a connection.
    var isAway = false
    private let probePrefix: String

    init(_ topics: GatewayTopics) { probePrefix = topics.probe }

    /// Whether the client has acknowledged everything.
    var isDone: Bool { session.isEmpty }

    func connection() -> TestConnection { TestConnection(self) }

    /// A message from somebody else.
    func publish(_ topic: String, _ payload: String, retain: Bool = false) {
        take(Publication(topic: topic, payload: Array(payload.utf8), retain: retain))
    }

    fileprivate func take(_ publication: Publication) {
        if publication.retain {
            retained[publication.topic] = publication.payload.isEmpty ? nil : publication
        }
        if filters?.contains(where: { TopicFilter.overlap($0, publication.topic) }) == true {
            session.append(message(publication, retained: false))
        }
    }

    fileprivate func takeFromClient(_ publication: Publication) {
        if !publication.topic.hasPrefix(probePrefix) { published.append(publication) }
        take(publication)
    }

    fileprivate func subscribe(_ filters: [String]) {
        let new = filters.filter { self.filters?.contains($0) != true }
        self.filters = filters
        session += messages(retainedOn: new)
    }

    fileprivate func messages(retainedOn filters: [String]) -> [ReceivedMessage] {
        retained.values.filter { entry in filters.contains { TopicFilter.overlap($0, entry.topic) } }
            .sorted { $0.topic < $1.topic }.map { message($0, retained: true) }
    }

    fileprivate func acknowledge(_ count: Int) { session.removeFirst(count) }

    fileprivate func insert(_ messages: [ReceivedMessage]) { session += messages }

    private func message(_ publication: Publication, retained: Bool) -> ReceivedMessage {
        ReceivedMessage(topic: publication.topic, payload: publication.payload, qos: .atLeastOnce, retained: retained)
    }
}

/// The client's side of it; dropped without `disconnect`, it is what a crash looks like.
final class TestConnection: MQTTConnection {
    let waker = Waker()
    var inboxLimit = 4_096
    /// So many messages come at once, if `inboxLimit` allows as many.
    var messagesAtOnce = Int.max
    let inFlightMax = 20
    private(set) var isConnected = false
    private let broker: TestBroker
    private var filters: [String] = []
    private var events: [BrokerEvent] = []
    /// Publications that have not left yet.
    private var queue: [(id: Int32, publication: Publication)] = []
    /// How much of the session the client has taken and not acknowledged.
    private var taken = 0
    private var newestID: Int32 = 0
    /// Whether as many publications are unacknowledged as there may be.
    var isWindowFull = false
    /// Called before acknowledgements leave: with how many, and how many publications leave with them.
    var willFlush: (_ acknowledged: Int, _ published: Int) -> Void = { _, _ in }

    fileprivate init(_ broker: TestBroker) { self.broker = broker }

    var isIdle: Bool { !isConnected }
    /// Whether `poll` would tell nothing and nothing waits to leave.
    var isQuiet: Bool { events.isEmpty && queue.isEmpty }
    var waiting: Int { queue.count }

    func connect() {
        events.append(.connected(sessionPresent: broker.filters != nil))
        broker.subscribe(filters)
        events += filters.map { .subscribed(filter: $0, .granted(.atLeastOnce)) }
        isConnected = true
    }

    func subscribe(_ additions: [Subscription]) { filters += additions.map(\.filter) }

    func poll(timeout: Duration) -> [BrokerEvent] {
        if broker.isAway { return [] }
        defer { events = [] }
        return events
    }

    func takeMessages() -> [ReceivedMessage] {
        if broker.isAway { return [] }
        let messages = broker.session.dropFirst(taken).prefix(min(inboxLimit, messagesAtOnce))
        taken += messages.count
        return Array(messages)
    }

    func publish(_ publication: Publication) throws(BrokerError) -> Int32 {
        precondition(isConnected, "publish() without a connection")
        if isWindowFull { throw BrokerError(.windowFull, "1000 publications wait for an acknowledgement") }
        newestID += 1
        queue.append((newestID, publication))
        return newestID
    }

    func readRetained(_ filters: [String]) -> Int32 {
        newestID += 1
        broker.insert(broker.messages(retainedOn: filters))
        events.append(.retainedRead(id: newestID, refused: 0))
        return newestID
    }

    func flush() {
        if broker.isAway { return }
        willFlush(taken, queue.count)
        broker.acknowledge(taken)
        taken = 0
        transmit(queue.count)
    }

    /// Lets so many publications leave, and no acknowledgement.
    func transmit(_ count: Int) {
        for (id, publication) in queue.prefix(count) {
            broker.takeFromClient(publication)
            events.append(.published(id: id, .success))
        }
        queue.removeFirst(count)
    }

    /// The connection ends, as both sides find out at once; what was not acknowledged comes again.
    func lose() {
        events = [.lost(BrokerError(.connectionLost, "The connection was lost"))]
        (isConnected, taken, queue) = (false, 0, [])
    }

    func disconnect(keepsWill: Bool, timeout: Duration) { isConnected = false }
}
