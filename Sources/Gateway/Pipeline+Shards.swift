import Broker
import Messages
import Store

/// What one shard does for all, and what begins with a shard.
extension Pipeline {
    /// From here on no pass waits for what follows from the map; call after `restore`.
    ///
    /// Waits for a second, so that on all but large maps no first fix finds its hazards missing.
    func doMapWorkElsewhere() throws {
        cluster?.doesMapWorkElsewhere = true
        try doMapWorkElsewhere(shards)
    }

    /// The same for shards that have just come.
    func doMapWorkElsewhere(_ shards: [Shard]) throws {
        let deadline = ContinuousClock.now + .seconds(1)
        for shard in shards { shard.doMapWorkElsewhere(waker: waker) }
        while shards.map({ $0.beginMapWork() }).contains(true) {
            try all(shards) { try $0.installMapWork(until: deadline) }
            guard turns.count > 0 else { return }
            try carryOut()
        }
    }

    // MARK: Cab tokens

    /// The first shard's store has the tokens of all vehicles. They go before the rest of a vehicle: what asks for it is
    /// acknowledged after both.
    func removeCabTokens() throws {
        guard cluster == nil else { return try removeSharedCabTokens() }
        let removed = Set(shards.dropFirst().compactMap(\.turn).flatMap(\.batch.removed))
        guard !removed.isEmpty else { return }
        try shards[0].run { try cabs.removeTokens(of: removed, in: shards[0].store, at: clock()) }
    }

    /// In a cluster they belong to no shard's owner: each gateway writes them, and tells the others.
    private func removeSharedCabTokens() throws {
        let removed = Set(turns.flatMap(\.batch.removed))
        guard !removed.isEmpty else { return }
        try cluster?.cabs.remove(removed, retryingWith: outage.retry, at: clock())
        cluster?.exchange.cabsChanged()
    }

    func carryOutCabs() throws {
        guard cluster == nil else {
            if cluster?.cabs.carryOut(cabs, at: clock()) == true { cluster?.exchange.cabsChanged() }
            return
        }
        _ = try shards[0].run { cabs.carryOut(in: shards[0].store, at: clock()) }
    }
}
