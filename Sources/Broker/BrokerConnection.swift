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
    private enum Phase {
        case idle
        /// Looking for an address that answers.
        case dialing(Dialer, deadline: ContinuousClock.Instant)
        /// The socket is connected; TLS and CONNACK are outstanding.
        case handshaking(deadline: ContinuousClock.Instant)
        case connected
    }

    /// Ends a `poll` early, from any thread.
    package let waker = Waker()
    private let settings: BrokerSettings
    private let client: Client
    private let owner = pthread_self()
    private var phase = Phase.idle
    private var events: [BrokerEvent] = []
    private var subscriptions: [Subscription] = []
    /// Filters of the SUBSCRIBEs that wait for their SUBACK, by packet id.
    private var unanswered: [Int32: String] = [:]
    /// Filters of `readRetained` that wait for their SUBACK, by packet id.
    private var reads: [Int32: [String]] = [:]
    private var window = Window()
    private var packetBytesMax = Limits.packetBytes

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

    /// Whether there is no connection and none coming about: the time to pause and to call `connect()`.
    package var isIdle: Bool {
        if case .idle = phase { true } else { false }
    }

    /// Publications of QoS 1 and 2 that the broker has not acknowledged. They outlive a connection: libmosquitto sends
    /// them again after the next one, and their `published` event comes then.
    package var unacknowledged: Int { window.unacknowledged.count }

    /// So many messages in the inbox, and the socket is read no further; the settings' at first.
    package var inboxLimit: Int

    /// How many publications of QoS 1 and 2 leave before the broker has acknowledged the first of them; those behind wait
    /// here. As the broker said at the last connect (MQTT 5: Receive Maximum; Mosquitto: `max_inflight_messages`).
    package private(set) var inFlightMax = Limits.unacknowledged

    // MARK: Connecting

    /// Begins to connect; `poll` goes on with it, and yields `connected`, `refused` or `unreachable` within the settings'
    /// `connectTimeout`. Returns at once, but for the name service, which may block.
    ///
    /// - Throws: where it is clear at once that it cannot be: no such name, no address reachable.
    /// - Precondition: `isIdle`.
    package func connect() throws(BrokerError) {
        assertOwner()
        precondition(isIdle, "connect() while there is a connection, or one coming about")
        let deadline = ContinuousClock.now + settings.connectTimeout
        let dialer = try Dialer(host: settings.host, port: settings.port, passesOverSilence: !settings.usesTLS)
        switch dialer.dial() {
        case .pending: phase = .dialing(dialer, deadline: deadline)
        case .answered(let address): try beginHandshake(with: address, deadline: deadline)
        case .failed(let error): throw error
        }
    }

    /// Says goodbye: the broker publishes no will, and keeps the session for as long as the settings say. Waits for the
    /// broker to take it, at most `timeout`. Gives up a connection that is still coming about.
    ///
    /// Publications of QoS 0 leave before it; of others the broker takes so many at once, and those behind them stay.
    ///
    /// - Parameter keepsWill: the broker publishes the will all the same.
    /// - Precondition: every message has been taken, committed and flushed; what is queued leaves now.
    package func disconnect(keepsWill: Bool = false, timeout: Duration = .seconds(2)) {
        assertOwner()
        defer { phase = .idle }
        guard isConnected else {
            shutdown(client.socket, CInt(SHUT_RDWR))
            return
        }
        precondition(
            !client.arrivals.awaitsCommit, "disconnect() would acknowledge what is not committed: flush() first")
        GracefulDisconnect(client, settings.protocolVersion).say(keepsWill: keepsWill, until: .now + timeout)
        phase = .idle
        settle()
    }

    private func beginHandshake(with address: Address, deadline: ContinuousClock.Instant) throws(BrokerError) {
        // For TLS the name must be the one in the certificate.
        try client.connect(host: settings.usesTLS ? settings.host : address.text)
        phase = .handshaking(deadline: deadline)
    }

    // MARK: Reading and writing

    /// Waits until there is something to read, at most `timeout` and at most a second; reads it, unless the inbox is
    /// full, keeps the connection alive, and returns what happened. Writes only while no acknowledgement is held back.
    package func poll(timeout: Duration) -> [BrokerEvent] {
        assertOwner()
        let timeout = events.isEmpty ? min(timeout, Limits.pass) : .zero
        switch phase {
        case .idle: _ = waker.wait(for: -1, 0, timeout)
        case .dialing(let dialer, let deadline): dial(dialer, deadline, timeout)
        case .handshaking(let deadline): shakeHands(deadline, timeout)
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

    // MARK: One pass

    private func dial(_ dialer: Dialer, _ deadline: ContinuousClock.Instant, _ timeout: Duration) {
        let revents = waker.wait(for: dialer.descriptor, POLLOUT, min(timeout, until(min(deadline, dialer.deadline))))
        do throws(BrokerError) {
            switch dialer.advance(ready: revents != 0) {
            case .pending: if .now >= deadline { throw timedOut }
            case .answered(let address): try beginHandshake(with: address, deadline: deadline)
            case .failed(let error): throw error
            }
        } catch {
            end(.unreachable(error))
        }
    }

    private func shakeHands(_ deadline: ContinuousClock.Instant, _ timeout: Duration) {
        writeCommitted()
        guard !isIdle else { return }
        let revents = waker.wait(
            for: client.socket, POLLIN | (client.wantsWrite ? POLLOUT : 0), min(timeout, until(deadline)))
        if revents != 0 { read() }
        if case .handshaking = phase, .now >= deadline { giveUp() }
    }

    private func exchange(_ timeout: Duration) {
        writeCommitted()
        guard isConnected else { return }
        let hasRoom = client.arrivals.hasRoom(for: inboxLimit)
        let wants = (hasRoom ? POLLIN : 0) | (client.wantsWrite && !client.arrivals.awaitsCommit ? POLLOUT : 0)
        let revents = waker.wait(for: client.socket, wants, hasRoom && client.bytesDecrypted > 0 ? .zero : timeout)
        if hasRoom, revents & ~POLLOUT != 0 || client.bytesDecrypted > 0 { read() }
        if isConnected { settle(after: client.keepAlive()) }
    }

    /// Reads while there is something to read and room for it.
    private func read() {
        repeat {
            settle(after: client.read())
        } while !isIdle && client.bytesToRead > 0 && client.arrivals.hasRoom(for: inboxLimit)
    }

    /// Writes what is queued, unless acknowledgements of uncommitted messages are among it.
    private func writeCommitted() {
        guard !client.arrivals.awaitsCommit, client.wantsWrite else { return }
        settle(after: client.write())
    }

    // MARK: What libmosquitto told

    /// Deals with what a call of libmosquitto returned and has led to.
    private func settle(after code: Int32 = MOSQ_ERR_SUCCESS.rawValue) {
        for notice in client.arrivals.takeNotices() { settle(notice) }
        // A failed TLS handshake ends without a callback.
        if code != MOSQ_ERR_SUCCESS.rawValue { ended(client.failure(code)) }
    }

    private func settle(_ notice: Inbox.Notice) {
        switch notice {
        case .connack(MOSQ_ERR_SUCCESS.rawValue, let sessionPresent, let packetBytesMax, let inFlightMax):
            self.inFlightMax = inFlightMax.map { min(Int($0), Limits.unacknowledged) } ?? Limits.unacknowledged
            connected(sessionPresent: sessionPresent, packetBytesMax: packetBytesMax)
        case .connack(let code, _, _, _):
            end(.refused(ReasonCode(connack: code)))
        case .disconnected(let code) where code == MOSQ_ERR_SUCCESS.rawValue || code >= 0x80:
            end(.disconnected(ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))))
        case .disconnected(let code):
            ended(client.failure(code))
        case .subscribed(let id, let codes):
            if let filters = reads.removeValue(forKey: id) {
                // Should that fail, the connection has ended, or the filters stay subscribed, which costs the broker alone.
                try? client.unsubscribe(filters)
                events.append(.retainedRead(id: id, refused: codes.count { $0 >= 0x80 }))
                return
            }
            guard let filter = unanswered.removeValue(forKey: id), let code = codes.first else { return }
            events.append(.subscribed(filter: filter, answer(code)))
        case .published(let id, let reason):
            window.close(id)
            events.append(.published(id: id, reason))
        }
    }

    private func connected(sessionPresent: Bool, packetBytesMax limit: UInt32?) {
        phase = .connected
        client.stopLogging()
        packetBytesMax = limit.map { min(Int($0), Limits.packetBytes) } ?? Limits.packetBytes
        events.append(.connected(sessionPresent: sessionPresent))
        for subscription in subscriptions { request(subscription) }
    }

    private func request(_ subscription: Subscription) {
        do throws(BrokerError) {
            unanswered[try client.subscribe(subscription)] = subscription.filter
        } catch {
            let reason = error.code == .oversizePacket ? ReasonCode.packetTooLarge : .unspecified
            events.append(.subscribed(filter: subscription.filter, .refused(reason)))
        }
    }

    private func answer(_ code: Int32) -> BrokerEvent.Answer {
        QoS(rawValue: UInt8(truncatingIfNeeded: code)).map { .granted($0) }
            ?? .refused(ReasonCode(rawValue: UInt8(truncatingIfNeeded: code)))
    }

    // MARK: Ends

    private func ended(_ error: BrokerError) { end(isConnected ? .lost(error) : .unreachable(error)) }

    /// The first reason counts: libmosquitto reports a DISCONNECT again as a socket that is not there.
    private func end(_ event: BrokerEvent) {
        guard !isIdle else { return }
        phase = .idle
        window.connectionEnded()
        unanswered.removeAll()
        reads.removeAll()
        events.append(event)
    }

    /// libmosquitto has no call that closes a socket; it does so itself at the next connect, or when it is destroyed.
    private func giveUp() {
        shutdown(client.socket, CInt(SHUT_RDWR))
        end(.unreachable(timedOut))
    }

    private var timedOut: BrokerError {
        BrokerError(.timedOut, "\(settings.host):\(settings.port) gave no answer within \(settings.connectTimeout)")
    }

    private func until(_ deadline: ContinuousClock.Instant) -> Duration {
        ContinuousClock.now.duration(to: deadline)
    }

    private func assertOwner() {
        precondition(pthread_equal(owner, pthread_self()) != 0, "a connection belongs to the thread that made it")
    }
}
