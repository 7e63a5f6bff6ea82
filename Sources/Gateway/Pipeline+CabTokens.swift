import Broker
import Messages
import Store

/// What one shard does for all.
extension Pipeline {
    /// The first shard's store has the tokens of all vehicles. Those of a vehicle that an operator wants forgotten go
    /// before the rest of it: what asks for it is acknowledged after both. Where only consent has ended, they stay: the
    /// phone is where it is given again.
    func removeCabTokens() throws {
        let vehicles = Set(turns.flatMap(\.effects.erasures).map(\.request.vehicle))
        guard !vehicles.isEmpty else { return }
        guard cluster == nil else {
            // They belong to no shard's owner: each gateway writes them, and tells the others.
            try cluster?.cabs.remove(vehicles, by: cabs, retryingWith: outage.retry, at: clock())
            cluster?.exchange.cabsChanged()
            return
        }
        try shards[0].run { try cabs.removeTokens(of: vehicles, in: shards[0].store, at: clock()) }
    }

    func carryOutCabs() throws {
        guard cluster == nil else {
            if cluster?.cabs.carryOut(cabs, at: clock()) == true { cluster?.exchange.cabsChanged() }
            return
        }
        _ = try shards[0].run { cabs.carryOut(in: shards[0].store, at: clock()) }
    }
}
