import Geo
import Messages

/// What a change of fences does to vehicles at once: only those near it are looked at.
extension Engine {
    /// Fences that changed near a vehicle, or that it has to do with.
    typealias NearbyChanges = [VehicleID: [FenceReplacement]]

    /// So many are looked at one by one; beyond, a vehicle counts as affected, as to choose anew costs no more than to look.
    private static let changesMax = 64

    func vehicles(near replaced: [FenceReplacement]) -> NearbyChanges {
        var nearby: NearbyChanges = [:]
        for fence in replaced {
            for id in index.concerned(by: fence) where nearby[id, default: []].count <= Self.changesMax {
                nearby[id, default: []].append(fence)
            }
        }
        return nearby
    }

    /// What a vehicle was inside of and is no fence any more, or not as it was, ends at once; of a new one it hears at its
    /// next fix.
    func review(_ nearby: NearbyChanges, at time: Timestamp, _ effects: inout Effects) {
        for (id, changes) in nearby.sorted(by: { $0.key < $1.key }) {
            guard let kept = vehicles[id] else { continue }
            let vehicle = kept.copy
            let isStanding = vehicle.fences.borders.contains { border in changes.contains { $0.$id == border.$fence } }
            let isNearQuiet = isNearQuiet(vehicle, changes)
            // At rest there is none.
            if isNearQuiet, !kept.isAtRest { kept.awake.vehicle.quiet.basis = nil }
            guard isStanding || isNearQuiet && vehicle.quiet.published?.quiet != nil else { continue }
            kept.awake.vehicle.fences.forgetGone(catalogue)
            update(kept, after: .fence, at: time, &effects)
        }
    }

    /// Whether a border came, went or moved so near that the vehicle's quiet circle may be another.
    private func isNearQuiet(_ vehicle: Vehicle, _ changes: [FenceReplacement]) -> Bool {
        guard changes.count <= Self.changesMax else { return true }
        let place = vehicle.lastFix.map { Circle(center: $0.position, radius: QuietRule.radiusMin) }
        let circles = [vehicle.quiet.quiet?.circle, place].compactMap { $0 }
        return changes.flatMap(\.versions).contains { fence in
            fence.concerns(vehicle.id, groups: vehicle.profile?.groups ?? [])
                && circles.contains { circle in
                    fence.shape.signedDistance(from: circle.center).magnitude
                        <= circle.radius + QuietFinder.fenceMarginMax
                }
        }
    }

    // MARK: Regions

    /// Tells devices of changed fences and clearances that concern them, though they stand still and send nothing.
    ///
    /// - Parameter ids: those for which a clearance has changed, anywhere: it may make hazards of others.
    func renewRegions(
        after nearby: NearbyChanges, of ids: some Sequence<VehicleID>, at time: Timestamp, _ effects: inout Effects
    ) {
        let ids = Set(ids)
        for id in ids.union(nearby.keys).sorted() {
            guard let kept = vehicles[id] else { continue }
            let isAffected = isAffected(kept.copy, by: nearby[id] ?? [])
            guard isAffected || ids.contains(id) else { continue }
            // At rest there is none.
            if isAffected, !kept.isAtRest { kept.awake.vehicle.regions.forgetBasis() }
            update(kept, after: .regionCandidates, at: time, &effects)
        }
    }

    /// Whether other regions may come of it that fences are no longer as they were.
    private func isAffected(_ vehicle: Vehicle, by changes: [FenceReplacement]) -> Bool {
        let state = vehicle.regions
        if changes.count > Self.changesMax { return true }
        if vehicle.quiet.published?.quiet != state.basis?.quiet { return true }
        if state.regions.contains(where: { region in
            region.kind == .fence && changes.contains { $0.$id == region.$id }
        }) {
            return true
        }
        guard let place = state.place else { return false }
        let groups = vehicle.profile?.groups ?? []
        return changes.compactMap(\.after).contains { fence in
            fence.concerns(vehicle.id, groups: groups)
                && fence.shape.signedDistance(from: place).magnitude <= state.reach
        }
    }
}
