import Fleet
import Foundation
import Messages
import Store

/// What this gateway has still to tell another one, whose console somebody looks at.
struct FleetWatcher {
    fileprivate struct Due {
        var vehicles: Set<VehicleID>
        /// Whether nothing of the shard was told yet.
        var isFirst = true
        /// Whether all of the shard was told once.
        var isWhole = false
        var untaken: [UntakenAlert]?
        var handlings: [Handling]?
    }

    /// Of one message: half a megabyte of trucks that drive.
    fileprivate static let entriesMax = 500
    /// Seconds between two messages about what has changed; a page is told once a second.
    private static let pause: Double = 0.5
    /// Seconds; who is no longer looked at says nothing.
    static let silenceMax: Double = 30

    var heardAt: Timestamp
    private var sentAt = Timestamp.distantPast
    private var number: UInt64 = 0
    private var shards: [Int: Due] = [:]

    init(at now: Timestamp) { heardAt = now }

    /// A turn of the shard has changed them.
    mutating func note(_ vehicles: some Sequence<VehicleID>, of shard: Int) {
        shards[shard]?.vehicles.formUnion(vehicles)
    }

    /// What is to be told now of shards; much is told over several passes.
    mutating func messages(of all: [Shard], at now: Timestamp) -> [GatewayMessage] {
        for index in shards.keys where !all.contains(where: { $0.place.index == index }) { shards[index] = nil }
        let isDue = now.since(sentAt).magnitude >= Self.pause
        var messages: [GatewayMessage] = []
        for shard in all {
            var due = shards[shard.place.index] ?? Due(vehicles: Set(shard.engine.addresses.map(\.vehicle)))
            defer { shards[shard.place.index] = due }
            guard isDue || !due.isWhole, let part = due.next(of: shard) else { continue }
            number += 1
            messages.append(.part(part, number: number))
        }
        if isDue { sentAt = now }
        return messages
    }

    /// Whether there is more to be told at once.
    var isBehind: Bool { shards.values.contains { !$0.isWhole || $0.vehicles.count > Self.entriesMax } }
}

extension FleetWatcher.Due {
    /// Nil: nothing is new.
    fileprivate mutating func next(of shard: Shard) -> ShardPart? {
        let some = Array(vehicles.prefix(FleetWatcher.entriesMax))
        vehicles.subtract(some)
        let (untaken, handlings) = (shard.untaken, Array(shard.handlings.all.values))
        let (isNewUntaken, isNewHandlings) = (untaken != self.untaken, Set(handlings) != self.handlings.map(Set.init))
        guard !some.isEmpty || !isWhole || isNewUntaken || isNewHandlings, let epoch = shard.store.epoch else {
            return nil
        }
        defer {
            isFirst = false
            if vehicles.isEmpty { isWhole = true }
            (self.untaken, self.handlings) = (untaken, handlings)
        }
        return ShardPart(
            shard: shard.place.index, epoch: epoch, isFirst: isFirst, isLast: !isWhole && vehicles.isEmpty,
            entries: some.map { shard.entry(of: $0) }, untaken: isNewUntaken ? untaken : nil,
            handlings: isNewHandlings ? handlings : nil)
    }
}

extension Shard {
    /// What other gateways are told of a vehicle.
    func entry(of id: VehicleID) -> ShardPart.Entry {
        let vehicle = engine.vehicle(id)
        return ShardPart.Entry(
            vehicle: id, state: vehicle.map { Data($0.encoded()) }, route: vehicle?.route,
            progress: vehicle?.alertProgress)
    }
}
