package import Fleet
import Foundation
package import Messages
import Store

/// What other gateways have told of their vehicles, for this one's console.
package struct FleetElsewhere {
    fileprivate struct Part {
        var epoch: Int64
        /// The queue of the gateway that owns the shard.
        var gateway: String
        var vehicles: [VehicleID: ShardPart.Entry] = [:]
        var untaken: [UntakenAlert] = []
        var handlings: [Handling] = []
    }

    /// By shard, as far as all of it was told.
    private var parts: [Int: Part] = [:]
    /// Those that are being told; what was told before counts until they are.
    private var beginning: [Int: Part] = [:]
    /// The number of the last message of each gateway.
    private var numbers: [String: UInt64] = [:]
    /// What looks otherwise than when it was last asked for.
    private var changed: Set<VehicleID> = []

    package init() {}

    /// Whether all is known of so many shards, but for those of this gateway.
    func isComplete(besides own: Set<Int>, of count: Int) -> Bool {
        (0..<count).allSatisfy { own.contains($0) || parts[$0] != nil }
    }

    /// Nobody looks on any more.
    mutating func clear() {
        for part in parts.values { changed.formUnion(part.vehicles.keys) }
        (parts, beginning, numbers) = ([:], [:], [:])
    }

    /// - Returns: whether nothing was lost before it; if so, all is to be asked for again.
    package mutating func take(_ part: ShardPart, number: UInt64, from gateway: String) -> Bool {
        defer { numbers[gateway] = number }
        let isNext = number == 1 || numbers[gateway].map { number == $0 &+ 1 } ?? false
        // A gateway that stood still has yet to hear that another one has the shard.
        guard isNext, part.epoch >= parts[part.shard]?.epoch ?? .min else { return isNext }
        if part.isFirst { beginning[part.shard] = Part(epoch: part.epoch, gateway: gateway) }
        if var new = beginning[part.shard], new.epoch == part.epoch {
            new.take(part)
            beginning[part.shard] = part.isLast ? nil : new
            if part.isLast { set(new, of: part.shard) }
        } else if var known = parts[part.shard], known.epoch == part.epoch {
            known.take(part)
            parts[part.shard] = known
            changed.formUnion(part.entries.lazy.map(\.vehicle))
        }
        return true
    }

    /// A shard of this gateway's becomes another one's: what is known of it stays until that one has told all.
    mutating func take(_ shard: Int, epoch: Int64, entries: [ShardPart.Entry]) {
        var part = Part(epoch: epoch, gateway: "")
        for entry in entries { part.vehicles[entry.vehicle] = entry }
        set(part, of: shard)
    }

    /// The shard is this gateway's.
    mutating func remove(_ shard: Int) {
        beginning[shard] = nil
        if let part = parts.removeValue(forKey: shard) { changed.formUnion(part.vehicles.keys) }
    }

    /// The owner of a vehicle has stored what a dispatcher of this gateway does about an alert, and will tell it of the shard
    /// later: who is told that it is stored must find it.
    package mutating func take(_ handling: Handling) {
        for (shard, part) in parts where part.vehicles[handling.vehicle] != nil {
            parts[shard]?.handlings = part.handlings.filter { $0.alert != handling.alert }
            if handling.status == .taken { parts[shard]?.handlings.append(handling) }
        }
    }

    private mutating func set(_ part: Part, of shard: Int) {
        if let old = parts[shard] { changed.formUnion(old.vehicles.keys) }
        changed.formUnion(part.vehicles.keys)
        parts[shard] = part
    }

    // MARK: Reading

    mutating func takeChanged() -> Set<VehicleID> {
        defer { changed = [] }
        return changed
    }

    package func snapshot(of vehicle: VehicleID, _ settings: EngineSettings, at now: Timestamp) -> VehicleSnapshot? {
        self.vehicle(vehicle).map { VehicleSnapshot($0.vehicle, route: $0.route, settings, at: now) }
    }

    /// As it is stored, with its route and how far it is from what it is alerted of.
    func vehicle(_ id: VehicleID) -> EngineReader.VehicleElsewhere? {
        guard let entry = entry(of: id), let state = entry.state,
            // Of another version, which tells of it on its own console.
            var stored = try? Vehicle(encoded: Array(state))
        else { return nil }
        stored.alertProgress = entry.progress ?? [:]
        return (stored, entry.route)
    }

    private func entry(of vehicle: VehicleID) -> ShardPart.Entry? {
        for part in parts.values { if let entry = part.vehicles[vehicle] { return entry } }
        return nil
    }

    /// The queue of the gateway that has a vehicle.
    func gateway(of vehicle: VehicleID) -> String? {
        parts.values.first { $0.vehicles[vehicle] != nil }.flatMap { $0.gateway.isEmpty ? nil : $0.gateway }
    }

    var untaken: [[UntakenAlert]] { parts.values.map(\.untaken) }
    package var handlings: [Handling] { parts.values.flatMap(\.handlings) }
}

extension FleetElsewhere.Part {
    fileprivate mutating func take(_ part: ShardPart) {
        for entry in part.entries { vehicles[entry.vehicle] = entry.state == nil ? nil : entry }
        untaken = part.untaken ?? untaken
        handlings = part.handlings ?? handlings
    }
}
