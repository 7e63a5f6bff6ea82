import CMosquitto
import Glibc
import MQTT

/// What libmosquitto tells of a connection, and how one ends.
extension BrokerConnection {
    /// Deals with what a call of libmosquitto returned and has led to.
    func settle(after code: Int32 = MOSQ_ERR_SUCCESS.rawValue) {
        for notice in client.arrivals.takeNotices() { settle(notice) }
        // A failed TLS handshake ends without a callback.
        if code != MOSQ_ERR_SUCCESS.rawValue { ended(client.failure(code)) }
    }

    func settle(_ notice: Inbox.Notice) {
        switch notice {
        case .connack(MOSQ_ERR_SUCCESS.rawValue, let sessionPresent, let limits):
            serverLimits = limits
            connected(sessionPresent: sessionPresent)
        case .connack(let code, _, _):
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

    func connected(sessionPresent: Bool) {
        phase = .connected
        silence.heard(at: .now)
        client.stopLogging()
        events.append(.connected(sessionPresent: sessionPresent))
        for subscription in subscriptions { request(subscription) }
    }

    func request(_ subscription: Subscription, retained: Client.RetainHandling = .new) {
        do throws(BrokerError) {
            unanswered[try client.subscribe(subscription, retained: retained)] = subscription.filter
        } catch {
            let reason = error.code == .oversizePacket ? ReasonCode.packetTooLarge : .unspecified
            events.append(.subscribed(filter: subscription.filter, .refused(reason)))
        }
    }

    func answer(_ code: Int32) -> BrokerEvent.Answer {
        QoS(rawValue: UInt8(truncatingIfNeeded: code)).map { .granted($0) }
            ?? .refused(ReasonCode(rawValue: UInt8(truncatingIfNeeded: code)))
    }

    // MARK: Ends

    func ended(_ error: BrokerError) {
        guard !isConnected else { return end(.lost(error)) }
        // Such an end says nothing of its reason: TLS on one side alone, a certificate that the broker wants, another version.
        end(.unreachable(error.code == .connectionLost ? notAccepted : error))
    }

    /// The first reason counts: libmosquitto reports a DISCONNECT again as a socket that is not there.
    func end(_ event: BrokerEvent) {
        guard !isEnded else { return }
        phase = .idle
        window.connectionEnded()
        unanswered.removeAll()
        reads.removeAll()
        events.append(event)
    }

    /// libmosquitto has no call that closes a socket; it does so itself at the next connect, or when it is destroyed.
    func giveUp() {
        shutdown(client.socket, CInt(SHUT_RDWR))
        end(.unreachable(timedOut))
    }

    var timedOut: BrokerError {
        BrokerError(.timedOut, "\(settings.host):\(settings.port) gave no answer within \(settings.connectTimeout)")
    }

    private var notAccepted: BrokerError {
        BrokerError(
            .notAccepted, "\(settings.host):\(settings.port) closed the connection before it answered the CONNECT")
    }

    func until(_ deadline: ContinuousClock.Instant) -> Duration {
        ContinuousClock.now.duration(to: deadline)
    }
}
