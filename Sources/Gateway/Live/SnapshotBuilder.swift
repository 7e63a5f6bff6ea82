import Fleet
import Messages

/// Keeps the snapshot of one engine up to date, as far as somebody looks.
struct SnapshotBuilder {
    private var snapshot = LiveSnapshot()
    /// Vehicles that no longer look as they do in the snapshot.
    private var changed: Set<VehicleID> = []

    /// Notes what a batch has changed.
    mutating func note(_ effects: Effects) {
        // Before the first snapshot everything is new to it.
        guard snapshot.revision > 0 else { return }
        changed.formUnion(effects.changed)
        changed.formUnion(effects.forgotten.map(\.vehicle))
    }

    mutating func build(_ engine: Engine, isConnected: Bool, at now: Timestamp) -> LiveSnapshot {
        snapshot.revision += 1
        snapshot.time = now
        snapshot.isConnected = isConnected
        _ = engine.update(&snapshot.map)
        if snapshot.revision == 1 {
            for vehicle in engine.snapshots(at: now) {
                snapshot.vehicles[vehicle.vehicle] = LiveVehicle(vehicle, revision: snapshot.revision)
            }
        }
        for id in changed {
            if let vehicle = engine.snapshot(of: id, at: now) {
                snapshot.vehicles[id] = LiveVehicle(vehicle, revision: snapshot.revision)
            } else if snapshot.vehicles.removeValue(forKey: id) != nil {
                snapshot.goneRevision = snapshot.revision
            }
        }
        changed = []
        return snapshot
    }
}
