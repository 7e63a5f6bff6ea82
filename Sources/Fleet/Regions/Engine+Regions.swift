import Geo

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
        let chooser = regionChooser(for: vehicle, basis, at: time)
        if !hasMoved, let place = vehicle.regions.place, case let choice = chooser.choice(at: place),
            vehicle.regions.isSame(choice)
        {
            return vehicle.regions.confirm(choice, at: place, basis, device: device)
        }
        let choice = chooser.choice(at: fix.position)
        guard !vehicle.regions.isSame(choice) else {
            return vehicle.regions.confirm(choice, at: fix.position, basis, device: device)
        }
        let message = vehicle.regions.publish(
            choice, at: fix.position, basis, limit: settings.regions.limit, of: vehicle.address, at: time)
        effects.envelopes.append(Envelope(address: vehicle.address, message: .regions(message)))
    }

    /// Of the map and the fences in force.
    var revision: Int { map.revision &+ catalogue.revision }

    private func regionBasis(of vehicle: Vehicle, at time: Timestamp) -> RegionStanding.Basis {
        RegionStanding.Basis(
            height: EffectiveHeight(of: vehicle, at: time, settings.heights).effective,
            groups: vehicle.profile?.groups ?? [], revision: revision,
            quiet: vehicle.quiet.published?.quiet)
    }

    private func regionChooser(
        for vehicle: Vehicle, _ basis: RegionStanding.Basis, at time: Timestamp
    ) -> RegionChooser {
        audiences.follow(catalogue)
        return RegionChooser(
            catalogue: catalogue, audiences: audiences, clearances: map.clearanceRegions(for: basis.height),
            settings: settings.regions, vehicle: vehicle.id, groups: basis.groups, time: time, quiet: basis.quiet)
    }

    // MARK: After changes

    /// What of the map the inputs of one batch have changed.
    struct Changes {
        /// Where a clearance is no longer as it was.
        var places: [Coordinate] = []
        /// Ids of fences that came, went or changed.
        var fences: [String] = []
        /// Of the last of them.
        var time = Timestamp.distantPast
    }

    /// Tells devices of changed fences and clearances that concern them, though they stand still and send nothing.
    func renewRegions(after changes: Changes, _ effects: inout Effects) {
        let known = changes.fences.compactMap { catalogue.known[$0] }
        // A clearance may make hazards of others, anywhere.
        let isForAll = !changes.places.isEmpty || changes.fences.count > Self.fencesMax
        let affected = vehicles.compactMap { id, vehicle in
            isForAll || isAffected(vehicle, by: changes.fences, known) ? id : nil
        }
        for id in affected.sorted() {
            guard var vehicle = vehicles[id], case let version = vehicle.regions.version else { continue }
            renewRegions(of: &vehicle, at: changes.time, &effects)
            if vehicle.regions.version != version {
                finish(&vehicle, at: changes.time, &effects)
            } else {
                vehicles[id] = vehicle
            }
        }
    }

    /// So many fences are looked at one by one; to choose anew costs as much as that.
    private static let fencesMax = 64

    /// Whether other regions may come of it that fences are no longer as they were.
    private func isAffected(_ vehicle: Vehicle, by fences: [String], _ known: [KnownFence]) -> Bool {
        let standing = vehicle.regions
        if vehicle.quiet.published?.quiet != standing.basis?.quiet { return true }
        if standing.regions.contains(where: { $0.kind == .fence && fences.contains($0.id) }) { return true }
        guard let place = standing.place else { return false }
        let groups = vehicle.profile?.groups ?? []
        return known.contains { fence in
            fence.concerns(vehicle.id, groups: groups)
                && fence.shape.signedDistance(from: place).magnitude <= standing.reach
        }
    }
}
