import Glibc

/// What one `poll` does, by how far the connection has come about.
extension BrokerConnection {
    func resolve(_ lookup: NameLookup, _ deadline: ContinuousClock.Instant, _ timeout: Duration) {
        _ = waker.wait(for: -1, 0, min(timeout, until(deadline)))
        do throws(BrokerError) {
            guard let addresses = try lookup.addresses() else { return try giveUp(after: deadline) }
            let dialer = Dialer(
                addresses, host: settings.host, port: settings.port, passesOverSilence: !settings.usesTLS)
            phase = .dialing(dialer, deadline: deadline)
            try follow(dialer.dial(), deadline)
        } catch {
            end(.unreachable(error))
        }
    }

    func dial(_ dialer: Dialer, _ deadline: ContinuousClock.Instant, _ timeout: Duration) {
        let revents = waker.wait(for: dialer.descriptor, POLLOUT, min(timeout, until(min(deadline, dialer.deadline))))
        do throws(BrokerError) {
            try follow(dialer.advance(ready: revents != 0), deadline)
        } catch {
            end(.unreachable(error))
        }
    }

    private func follow(_ outcome: Dialer.Outcome, _ deadline: ContinuousClock.Instant) throws(BrokerError) {
        switch outcome {
        case .pending: try giveUp(after: deadline)
        case .answered(let address): try beginHandshake(with: address, deadline: deadline)
        case .failed(let error): throw error
        }
    }

    private func giveUp(after deadline: ContinuousClock.Instant) throws(BrokerError) {
        if .now >= deadline { throw timedOut }
    }

    func continueHandshake(_ deadline: ContinuousClock.Instant, _ timeout: Duration) {
        writeCommitted()
        guard !isEnded else { return }
        let revents = waker.wait(
            for: client.socket, POLLIN | (client.wantsWrite ? POLLOUT : 0), min(timeout, until(deadline)))
        if revents != 0 { read() }
        if case .handshaking = phase, .now >= deadline { giveUp() }
    }

    func exchange(_ timeout: Duration) {
        writeCommitted()
        guard isConnected else { return }
        let hasRoom = client.arrivals.hasRoom(for: inboxLimit)
        let wants = (hasRoom ? POLLIN : 0) | (client.wantsWrite && !client.arrivals.awaitsCommit ? POLLOUT : 0)
        let revents = waker.wait(for: client.socket, wants, hasRoom && client.bytesDecrypted > 0 ? .zero : timeout)
        if hasRoom, revents & ~POLLOUT != 0 || client.bytesDecrypted > 0 {
            silence.heard(at: .now)
            read()
        }
        if isConnected { settle(after: client.keepAlive()) }
        if isConnected, hasRoom { listen() }
    }

    /// Asks a broker that is silent, and gives up one that does not answer.
    private func listen() {
        switch silence.step(at: .now) {
        case nil: break
        // Without a subscription to end, it is a question without an effect. Where it cannot be asked, the connection ends.
        case .ask: try? client.unsubscribe([Silence.filter])
        case .giveUp:
            shutdown(client.socket, CInt(SHUT_RDWR))
            end(
                .lost(
                    BrokerError(
                        .keepAlive, "\(settings.host):\(settings.port) has said nothing for \(Silence.answer)")))
        }
    }

    /// Reads while there is something to read and room for it.
    func read() {
        repeat {
            settle(after: client.read())
        } while !isEnded && client.bytesToRead > 0 && client.arrivals.hasRoom(for: inboxLimit)
    }

    /// Writes what is queued, unless acknowledgements of uncommitted messages are among it.
    func writeCommitted() {
        guard !client.arrivals.awaitsCommit, client.wantsWrite else { return }
        settle(after: client.write())
    }
}
