import CMosquitto
import Glibc
package import MQTT

/// A connection to the broker that sends no acknowledgement before its user has committed.
///
/// ```swift
/// for event in connection.poll(timeout: .seconds(1)) { … }
/// let batch = connection.takeMessages()
/// … commit what the batch leads to, publish …
/// connection.flush()                              // now the acknowledgements leave
/// ```
///
/// It belongs to the thread that makes it, and every call checks that; only its `waker` may be used from elsewhere. That
/// must be a thread of its own and not a task, for `poll` blocks. Dropping it without `disconnect()` is what a crash
/// looks like to the broker: it publishes the will, keeps the session, and delivers again what was not flushed.
package final class BrokerConnection {
    enum Phase {
        case idle
        /// Asking for the addresses of the host.
        case resolving(NameLookup, deadline: ContinuousClock.Instant)
        /// Looking for an address that answers.
        case dialing(Dialer, deadline: ContinuousClock.Instant)
        /// The socket is connected; TLS and CONNACK are outstanding.
        case handshaking(deadline: ContinuousClock.Instant)
        case connected
    }

    /// Ends a `poll` early, from any thread.
    package let waker = Waker()
    let settings: BrokerSettings
    private(set) var client: Client
    private let owner = pthread_self()
    var phase = Phase.idle
    var events: [BrokerEvent] = []
    var subscriptions: [Subscription] = []
    /// Filters of the SUBSCRIBEs that wait for their SUBACK, by packet id.
    var unanswered: [Int32: String] = [:]
    /// Filters of `readRetained` that wait for their SUBACK, by packet id.
    var reads: [Int32: [String]] = [:]
    var window = Window()
    var silence = Silence(since: .now)
    /// What the broker said of itself when it last accepted a connection.
    package internal(set) var serverLimits = ServerLimits()

    /// Does not connect yet.
    ///
    /// - Throws: `BrokerError.Code.settings`, or another code where libmosquitto refuses a setting.
    package init(_ settings: BrokerSettings) throws(BrokerError) {
        precondition(withUnsafeCurrentTask { $0 == nil }, "poll blocks: use a thread of its own, not a task")
        client = try Client(settings)
        self.settings = settings
        inboxLimit = settings.inboxLimit
    }

    /// Whether CONNACK has come and the connection has not ended since, as far as is known.
    package var isConnected: Bool {
        if case .connected = phase { true } else { false }
    }

    /// Whether there is no connection and none coming about, and `poll` has told why: the time to pause and to call `connect()`.
    package var isIdle: Bool { isEnded && events.isEmpty }

    var isEnded: Bool {
        if case .idle = phase { true } else { false }
    }

    /// Publications of QoS 1 and 2 that the broker has not acknowledged. They outlive a connection: libmosquitto sends
    /// them again after the next one, and their `published` event comes then.
    package var unacknowledged: Int { window.unacknowledged.count }

    /// So many messages in the inbox, and the socket is read no further; the settings' at first.
    package var inboxLimit: Int

    /// How many publications of QoS 1 and 2 leave before the broker has acknowledged the first of them; those behind wait
    /// here. As the broker said at the last connect (MQTT 5: Receive Maximum; Mosquitto: `max_inflight_messages`).
    package var inFlightMax: Int { min(serverLimits.receiveMaximum ?? .max, Limits.unacknowledged) }

    private var packetBytesMax: Int { min(serverLimits.packetBytesMax ?? .max, Limits.packetBytes) }

    // MARK: Reading and writing

    /// Waits until there is something to read, at most `timeout` and at most a second; reads it, unless the inbox is
    /// full, keeps the connection alive, and returns what happened. Writes only while no acknowledgement is held back.
    package func poll(timeout: Duration) -> [BrokerEvent] {
        assertOwner()
        let timeout = events.isEmpty ? min(timeout, Limits.pass) : .zero
        switch phase {
        case .idle: _ = waker.wait(for: -1, 0, timeout)
        case .resolving(let lookup, let deadline): resolve(lookup, deadline, timeout)
        case .dialing(let dialer, let deadline): dial(dialer, deadline, timeout)
        case .handshaking(let deadline): continueHandshake(deadline, timeout)
        case .connected: exchange(timeout)
        }
        defer { events = [] }
        return events
    }

    /// The messages that have come in since the last call, in the order in which they came.
    package func takeMessages() -> [ReceivedMessage] {
        assertOwner()
        return client.arrivals.takeMessages()
    }

    /// Lets the acknowledgements of all messages taken so far leave, and with them all else that is queued. What the
    /// socket does not take now leaves with a later `poll` or `flush`. Does nothing while not connected.
    ///
    /// - Precondition: no message is left in the inbox; its acknowledgement would leave too.
    package func flush() {
        assertOwner()
        guard isConnected else { return }
        precondition(client.arrivals.isEmpty, "flush() would acknowledge what was not taken: takeMessages() first")
        client.arrivals.awaitsCommit = false
        writeCommitted()
    }

    /// Queues `publication`; it leaves with the next `poll` or `flush`. Returns the id that its `published` event bears.
    ///
    /// - Throws: `notConnected`; `windowFull` while 1,000 are under way; `oversizePacket`, `malformedUTF8`,
    ///   `invalidArgument`, `qosNotSupported` where the broker would not take it, ever.
    package func publish(_ publication: Publication) throws(BrokerError) -> Int32 {
        assertOwner()
        guard isConnected else { throw BrokerError(.notConnected, "Publishing to \(publication.topic): not connected") }
        guard !window.isFull else {
            throw BrokerError(.windowFull, "\(Limits.unacknowledged) publications wait for an acknowledgement")
        }
        // libmosquitto finds out about some of these only when the message is in its list, where it would stay for ever.
        guard publication.packetBytesMax <= packetBytesMax else {
            throw BrokerError(
                .oversizePacket,
                "\(publication.packetBytesMax) bytes for \(publication.topic), \(packetBytesMax) allowed")
        }
        let id = try client.publish(publication)
        window.open(id, publication.qos)
        return id
    }

    /// Gives up the publications that the broker has not acknowledged: they are not sent again, and no `published` event comes for
    /// them. libmosquitto has no call for that; its memory of them goes with the client. So does a connection that is coming about.
    ///
    /// - Precondition: not `isConnected`.
    /// - Throws: as `init`.
    package func discardUnacknowledged() throws(BrokerError) {
        assertOwner()
        precondition(!isConnected, "discardUnacknowledged() while there is a connection")
        phase = .idle
        client = try Client(settings, arrivals: client.arrivals)
        window = Window()
    }

    /// Subscribes, in this order, now if connected and again after every later connect. The answers come as events. A
    /// filter that was there before gets the new QoS.
    package func subscribe(_ additions: [Subscription]) {
        assertOwner()
        for addition in additions {
            subscriptions.removeAll { $0.filter == addition.filter }
            subscriptions.append(addition)
            if isConnected { request(addition) }
        }
    }

    /// Has the broker send all that it retains for the subscriptions, as it does in a new session: each is asked for once more,
    /// which replaces it and loses none of its messages (MQTT 5 §3.8.4, 3.1.1 §3.8.4). The answers come as events.
    package func renewSubscriptions() {
        assertOwner()
        guard isConnected else { return }
        for subscription in subscriptions { request(subscription, retained: .always) }
    }

    /// Asks once for what the broker retains on `filters`: subscribes with one packet, and unsubscribes as soon as the
    /// broker has answered, so that no subscription is left. The messages come at QoS 0, marked as retained. Some
    /// brokers send them after the answer, but before they act on what this client sends next.
    ///
    /// A connection that ends meanwhile ends the question, too: no event comes then.
    ///
    /// - Parameter filters: at most `filtersAtOnce`, none of which is subscribed to otherwise.
    /// - Returns: the id that the `retainedRead` event bears.
    /// - Throws: `notConnected`; `oversizePacket`, `invalidArgument`, `malformedUTF8`.
    package func readRetained(_ filters: [String]) throws(BrokerError) -> Int32 {
        assertOwner()
        precondition((1...Self.filtersAtOnce).contains(filters.count), "readRetained() of no filters, or of too many")
        guard isConnected else { throw BrokerError(.notConnected, "Asking for retained messages: not connected") }
        let id = try client.subscribe(filters)
        reads[id] = filters
        return id
    }

    /// How many filters one `readRetained` takes.
    package static let filtersAtOnce = Limits.filtersAtOnce

    func assertOwner() {
        precondition(pthread_equal(owner, pthread_self()) != 0, "a connection belongs to the thread that made it")
    }
}
