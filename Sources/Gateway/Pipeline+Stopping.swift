/// The end, within five seconds of being told to stop, however much is under way and however slow the machine is. What is not decided
/// comes again, and what is not sent is stored.
extension Pipeline {
    /// Until when each step may begin, after the gateway was told to stop.
    private enum StopTime {
        static let sending: Duration = .seconds(1)
        static let deciding: Duration = .seconds(2)
        static let saving: Duration = .milliseconds(2_500)
        static let disconnecting: Duration = .seconds(4)
    }

    /// For the broker's end of the connection, of which nothing depends but whether the will is published.
    private static let disconnectMax: Duration = .seconds(2)

    /// Sends what can be sent, decides what has been taken from the broker, writes what only the journal has, then disconnects;
    /// each as far as there is time.
    ///
    /// - Parameter told: when the gateway was told to stop; nil: now.
    package func finish(since told: ContinuousClock.Instant? = nil) throws {
        let told = told ?? clock.elapsed()
        var longest: Duration = .zero
        // A step that takes as long as the longest before it must not end later than it may.
        func mayBegin(until end: Duration) -> Bool { clock.elapsed() + longest < told + end }
        func timed(_ step: () throws -> Void) rethrows {
            let began = clock.elapsed()
            try step()
            longest = max(longest, clock.elapsed() - began)
        }
        while link.isConnected, outboxCount > 0, mayBegin(until: StopTime.sending) {
            // Whole passes: a message taken and not acknowledged would hold back what is to be sent.
            try timed { try pass(timeout: .milliseconds(50)) }
        }
        isFinishing = true
        while link.isConnected, isBehind, mayBegin(until: StopTime.deciding) {
            try timed { try pass(timeout: .zero) }
        }
        while shards.contains(where: \.hasUnsaved), mayBegin(until: StopTime.saving) {
            try timed { try save { try $0.saveNext() } }
        }
        // Beyond that the journal has the rest, which is done again at the next start.
        if !shards.contains(where: \.hasUnsaved) { try save { try $0.saveAll() } }
        if let cluster { close(cluster) }
        // Without a DISCONNECT the broker publishes the will, which says the same, and delivers again what was not decided.
        let rest = told + StopTime.disconnecting - clock.elapsed()
        if !holdsAcknowledgements, rest > .zero { link.disconnectGracefully(timeout: min(rest, Self.disconnectMax)) }
    }

    private func save(_ decide: (Shard) throws -> Void) throws {
        try all(shards) { shard in
            try decide(shard)
            try shard.commit()
        }
        for shard in shards { shard.end() }
    }

    /// Whoever waits for something from this thread waits in vain.
    package func dismiss() {
        dispatch.end()
        cluster?.exchange.end()
        for shard in shards { shard.dismiss() }
        shared.view.end()
    }
}
