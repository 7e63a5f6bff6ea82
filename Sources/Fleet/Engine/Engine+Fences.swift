import Geo
import Messages

/// What a change of fences does to a vehicle.
extension Engine {
    /// What a vehicle was inside of and is no fence any more, or not as it was, ends at once; of a new one it hears at its
    /// next fix.
    func review(_ kept: KeptVehicle, after changes: FenceChanges, at time: Timestamp, _ effects: inout Effects) {
        guard !changes.isEmpty else { return }
        let vehicle = kept.copy
        let isNearQuiet = isNearQuiet(vehicle, changes)
        // At rest there is none.
        if isNearQuiet, !kept.isAtRest { kept.awake.vehicle.quiet.basis = nil }
        // Of before a start it is not known what a vehicle has stood at.
        guard
            changes.known == nil || vehicle.fences.hasGone(catalogue)
                || isNearQuiet && vehicle.quiet.published?.quiet != nil
        else { return }
        kept.awake.vehicle.fences.forgetGone(catalogue)
        update(kept, after: .fence, at: time, &effects)
    }

    /// Whether a border came, went or moved so near that the vehicle's quiet circle may be another.
    private func isNearQuiet(_ vehicle: Vehicle, _ changes: FenceChanges) -> Bool {
        guard let changes = changes.known else { return true }
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

    /// Tells a device of changed fences and clearances that concern it, though it stands still and sends nothing.
    ///
    /// - Parameter isConcerned: whether a clearance has changed for it, anywhere: it may make hazards of others.
    func renewRegions(
        of kept: KeptVehicle, after changes: FenceChanges, orClearances isConcerned: Bool, at time: Timestamp,
        _ effects: inout Effects
    ) {
        let isAffected = !changes.isEmpty && isAffected(kept.copy, by: changes)
        guard isAffected || isConcerned else { return }
        // At rest there is none.
        if isAffected, !kept.isAtRest { kept.awake.vehicle.regions.forgetBasis() }
        update(kept, after: .regionCandidates, at: time, &effects)
    }

    /// Whether other regions may come of it that fences are no longer as they were.
    private func isAffected(_ vehicle: Vehicle, by changes: FenceChanges) -> Bool {
        guard let changes = changes.known else { return true }
        let state = vehicle.regions
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
