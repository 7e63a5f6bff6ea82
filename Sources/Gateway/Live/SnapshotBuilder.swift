import Fleet
import Messages

/// Keeps the snapshot of a gateway's engines up to date, as far as somebody looks.
struct SnapshotBuilder {
    private var snapshot = LiveSnapshot()
    /// Vehicles that no longer look as they do in the snapshot.
    private var changed: Set<VehicleID> = []
    /// Whether the snapshot has other vehicles than before.
    private var comesOrGoes = false

    /// Notes what a batch has changed.
    mutating func note(_ effects: Effects) {
        // Before the first snapshot everything is new to it.
        guard snapshot.revision > 0 else { return }
        changed.formUnion(effects.changed)
        changed.formUnion(effects.forgotten.map(\.vehicle))
    }

    /// There are other shards than before, with other vehicles.
    mutating func shardsChanged(_ vehicles: some Sequence<VehicleID>) {
        guard snapshot.revision > 0 else { return }
        changed.formUnion(vehicles)
    }

    /// - Parameters:
    ///   - engines: of all shards, in their order.
    ///   - others: what other gateways have told; nil: there are none.
    mutating func build(
        _ engines: [Engine], _ others: GatewayExchange? = nil, isConnected: Bool, at now: Timestamp
    ) -> LiveSnapshot {
        snapshot.revision += 1
        snapshot.time = now
        snapshot.isConnected = isConnected
        // They all go by the same files, fences and clearances.
        _ = engines.first?.update(&snapshot.map)
        snapshot.isMapKnown = !engines.isEmpty
        if snapshot.revision == 1 {
            for engine in engines {
                for vehicle in engine.snapshots(at: now) { set(vehicle, of: vehicle.vehicle) }
            }
        }
        if let others { changed.formUnion(others.takeChanged()) }
        for id in changed {
            let own = engines.first { $0.knows(id) }
            set(own.map { $0.snapshot(of: id, at: now) } ?? others?.snapshot(of: id, at: now), of: id)
        }
        if comesOrGoes {
            snapshot.order = snapshot.vehicles.keys.map { ($0, NaturalKey($0.text)) }.sorted { $0.1 < $1.1 }.map(\.0)
            comesOrGoes = false
        }
        changed = []
        return snapshot
    }

    private mutating func set(_ vehicle: VehicleSnapshot?, of id: VehicleID) {
        let old = snapshot.vehicles[id]
        let new = vehicle.map { LiveVehicle($0, revision: snapshot.revision) }
        snapshot.vehicles[id] = new
        snapshot.places.replace(old, with: new)
        if (old == nil) != (new == nil) { comesOrGoes = true }
        if old != nil, new == nil { snapshot.goneRevision = snapshot.revision }
    }
}
