package import Broker
import Gateway
package import MQTT

/// The client's side of a `TestBroker`; dropped without `disconnect`, it is what a crash looks like.
package final class TestConnection: MQTTConnection {
    /// What the client does with its connection.
    package enum Step {
        case poll(timeout: Duration)
        case take
        case publish
        /// Acknowledgements leave.
        case acknowledge
        /// A publication leaves.
        case transmit
        /// Everything has left.
        case flushed
    }

    package let waker = Waker()
    package var inboxLimit = 4_096
    /// So many messages come at once, if `inboxLimit` allows as many.
    package var messagesAtOnce = Int.max
    /// So many publications leave at once.
    package var publicationsAtOnce = Int.max
    package let inFlightMax = 20
    package private(set) var isConnected = false
    private let broker: TestBroker
    private var filters: [String] = []
    private var events: [BrokerEvent] = []
    /// What became of the connection before, which is known here.
    private var ending: [BrokerEvent] = []
    /// Publications that have not left yet.
    private var queue: [(id: Int32, publication: Publication)] = []
    /// Those that have, and of which the client does not know it.
    private var unanswered: [(id: Int32, publication: Publication)] = []
    /// How much of the session the client has taken and not acknowledged.
    private var taken = 0
    private var newestID: Int32 = 0
    /// Whether as many publications are unacknowledged as there may be.
    package var isWindowFull = false
    /// Whether what it asks of retained messages is answered; not where the connection ends too soon for that.
    package var isAnswered = true
    /// Called before acknowledgements leave: with how many, and how many publications leave with them.
    package var willFlush: (_ acknowledged: Int, _ published: Int) -> Void = { _, _ in }
    /// Called before the client disconnects, with how long it may wait for the broker to hear it.
    package var willDisconnect: (_ timeout: Duration) -> Void = { _ in }
    /// Asked before each step; where it says no, the process has ended and does nothing any more.
    package var mayGo: (Step) -> Bool = { _ in true }

    init(_ broker: TestBroker) { self.broker = broker }

    package var isIdle: Bool { !isConnected }
    /// Whether `poll` would tell nothing and nothing waits to leave.
    package var isQuiet: Bool { events.isEmpty && queue.isEmpty }
    package var waiting: Int { queue.count }
    /// Whether the next `poll` or `takeMessages` has something to give.
    package var hasNews: Bool {
        !ending.isEmpty || !broker.isAway && (!events.isEmpty || isConnected && taken < broker.session.count)
    }

    /// What the client has taken and not acknowledged.
    package var held: ArraySlice<ReceivedMessage> { broker.session.prefix(taken) }

    package func connect() {
        if broker.isAway {
            ending = [.unreachable(BrokerError(.timedOut, "No answer"))]
            return
        }
        events.append(.connected(sessionPresent: broker.filters != nil))
        isConnected = true
        // As libmosquitto does, ahead of all else.
        transmit(queue.count)
        guard isConnected else { return }
        broker.subscribe(filters)
        events += filters.map { .subscribed(filter: $0, .granted(.atLeastOnce)) }
    }

    package func subscribe(_ additions: [Subscription]) { filters += additions.map(\.filter) }

    package func renewSubscriptions() {
        guard isConnected else { return }
        broker.insert(broker.messages(retainedOn: filters))
        events += filters.map { .subscribed(filter: $0, .granted(.atLeastOnce)) }
    }

    package func poll(timeout: Duration) -> [BrokerEvent] {
        guard mayGo(.poll(timeout: timeout)) else { return [] }
        if !ending.isEmpty {
            defer { ending = [] }
            return ending
        }
        // Answers come between messages: where none is to be read, nothing is.
        if broker.isAway || isConnected && inboxLimit == 0 { return [] }
        defer { (events, unanswered) = ([], []) }
        return events
    }

    package func takeMessages() -> [ReceivedMessage] {
        if !isConnected || broker.isAway { return [] }
        let messages = broker.session.dropFirst(taken).prefix(min(inboxLimit, messagesAtOnce))
        taken += messages.count
        return mayGo(.take) ? Array(messages) : []
    }

    package func publish(_ publication: Publication) throws(BrokerError) -> Int32 {
        guard mayGo(.publish), isConnected else { throw BrokerError(.notConnected, "There is no connection") }
        if isWindowFull { throw BrokerError(.windowFull, "1000 publications wait for an acknowledgement") }
        newestID += 1
        queue.append((newestID, publication))
        return newestID
    }

    package func readRetained(_ filters: [String]) -> Int32 {
        newestID += 1
        guard isAnswered else { return newestID }
        broker.insert(broker.messages(retainedOn: filters))
        events.append(.retainedRead(id: newestID, refused: 0))
        return newestID
    }

    package func flush() {
        if !isConnected || broker.isAway { return }
        willFlush(taken, queue.count)
        guard mayGo(.acknowledge), isConnected else { return }
        broker.acknowledge(taken)
        taken = 0
        transmit(min(queue.count, publicationsAtOnce))
        _ = mayGo(.flushed)
    }

    /// Lets so many publications leave, and no acknowledgement.
    package func transmit(_ count: Int) {
        for _ in 0..<count {
            guard mayGo(.transmit), isConnected, let (id, publication) = queue.first else { return }
            if broker.endsConnection(publication) { return lose() }
            queue.removeFirst()
            broker.takeFromClient(publication)
            unanswered.append((id, publication))
            events.append(.published(id: id, .success))
        }
    }

    /// The connection ends, as the client finds out at once; what was not acknowledged comes again, from either side.
    package func lose(_ code: BrokerError.Code = .connectionLost) {
        guard isConnected else { return }
        let beginning = events.filter { if case .connected = $0 { true } else { false } }
        ending = beginning + [.lost(BrokerError(code, "The connection was lost"))]
        queue = (unanswered + queue).filter { $0.publication.qos != .atMostOnce }
        (isConnected, taken, events, unanswered) = (false, 0, [], [])
    }

    package func discardUnacknowledged() { queue = [] }

    package func disconnect(keepsWill: Bool, timeout: Duration) {
        willDisconnect(timeout)
        isConnected = false
    }
}
