import Geo
import Messages

/// Nearest regions: what devices are to watch themselves.
extension Engine {
    /// Chooses the vehicle's regions anew where it is far from where that was done last, or things are no longer as they
    /// were, and tells the device where others come of it.
    ///
    /// A change that leaves the choice for that place as it was, most often a restart, is no reason to choose for another.
    func renewRegions(of vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        guard let fix = vehicle.lastFix, vehicle.isInUse(settings.consent) else { return }
        let device = vehicle.address.device
        if !vehicle.regions.isKnown(to: device) { vehicle.regions.forgetPublished() }
        let basis = regionBasis(of: vehicle, at: time)
        let hasMoved = vehicle.regions.hasMoved(to: fix.position)
        guard hasMoved || vehicle.regions.basis != basis else { return }
        guard let chooser = regionChooser(for: vehicle, basis, at: time) else { return }
        if !hasMoved, let place = vehicle.regions.place, case let choice = chooser.choice(at: place),
            vehicle.regions.difference(of: choice) == nil
        {
            return vehicle.regions.confirm(choice, at: place, basis, device: device)
        }
        let choice = chooser.choice(at: fix.position, likely: vehicle.regions.reach(at: fix.position))
        guard let difference = vehicle.regions.difference(of: choice) else {
            return vehicle.regions.confirm(choice, at: fix.position, basis, device: device)
        }
        let message = vehicle.regions.publish(
            choice, difference, at: fix.position, basis, limit: settings.regions.limit, of: vehicle.address, at: time)
        effects.envelopes.append(Envelope(address: vehicle.address, message: .regions(message)))
    }

    @inline(__always)
    private func regionBasis(of vehicle: Vehicle, at time: Timestamp) -> RegionState.Basis {
        RegionState.Basis(
            height: EffectiveHeight(of: vehicle, at: time, settings.heights).effective,
            groups: vehicle.profile?.groups ?? [], revision: map.revision,
            quiet: vehicle.quiet.published?.quiet)
    }

    /// Nil where the hazards for its height are awaited.
    private func regionChooser(
        for vehicle: Vehicle, _ basis: RegionState.Basis, at time: Timestamp
    ) -> RegionChooser? {
        guard let clearances = map.clearanceRegions(for: basis.height) else { return nil }
        audiences.follow(catalogue)
        return RegionChooser(
            catalogue: catalogue, audiences: audiences, clearances: clearances,
            settings: settings.regions, vehicle: vehicle.id, groups: basis.groups, time: time, quiet: basis.quiet)
    }
}
