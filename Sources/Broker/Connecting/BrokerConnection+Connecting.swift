import Glibc

extension BrokerConnection {
    /// Begins to connect; `poll` goes on with it, and yields `connected`, `refused` or `unreachable` within the settings'
    /// `connectTimeout`. Returns at once.
    ///
    /// - Precondition: `isIdle`.
    package func connect() {
        assertOwner()
        precondition(isIdle, "connect() while there is a connection, or one coming about")
        let deadline = ContinuousClock.now + settings.connectTimeout
        let lookup = NameLookup(host: settings.host, port: settings.port, waker: waker)
        phase = .resolving(lookup, deadline: deadline)
    }

    /// Sends DISCONNECT: the broker publishes no will, and keeps the session for as long as the settings say. Waits for the
    /// broker to take it, at most `timeout`. Gives up a connection that is not established yet.
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

    func beginHandshake(with address: Address, deadline: ContinuousClock.Instant) throws(BrokerError) {
        // For TLS the name must be the one in the certificate.
        try client.connect(host: settings.usesTLS ? settings.host : address.text)
        phase = .handshaking(deadline: deadline)
    }
}
