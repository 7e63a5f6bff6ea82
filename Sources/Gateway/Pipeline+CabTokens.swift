import Broker
import Messages
import Store

/// What one shard does for all.
extension Pipeline {
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
