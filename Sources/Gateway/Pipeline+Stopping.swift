/// The end.
extension Pipeline {
    /// Sends what can be sent within a second and a half, decides what has been taken from the broker as far as that takes no
    /// more than another, writes what only the journal has, then disconnects.
    package func finish() throws {
        let deadline = clock.elapsed() + .milliseconds(1_500)
        while link.isConnected, outboxCount > 0, clock.elapsed() < deadline {
            // Whole passes: a message taken and not acknowledged would hold back what is to be sent.
            try pass(timeout: .milliseconds(50))
        }
        isFinishing = true
        while link.isConnected, waitingCount > 0, clock.elapsed() < deadline + .seconds(1) {
            try pass(timeout: .zero)
        }
        try all(shards) { shard in
            try shard.saveAll()
            try shard.commit()
        }
        if let cluster { close(cluster) }
        // Without a DISCONNECT the broker publishes the will, which says the same, and delivers again what was not decided.
        if !holdsAcknowledgements { link.disconnectGracefully() }
    }

    /// Whoever waits for something from this thread waits in vain.
    package func dismiss() {
        dispatch.end()
        cluster?.exchange.end()
        for shard in shards { shard.dismiss() }
        shared.view.end()
    }
}
