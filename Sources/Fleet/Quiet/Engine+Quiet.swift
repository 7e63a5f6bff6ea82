import Geo
import Messages
import Roads

/// Quiet circles: the engine's own short way for most fixes, and what devices are told of it.
extension Engine {
    /// Whether a vehicle's newest fix lies where nothing can happen to it, so that neither its road nor its hazards need
    /// looking at.
    @inline(__always)
    func isQuiet(_ vehicle: Vehicle, at time: Timestamp) -> Bool {
        guard let fix = vehicle.lastFix, let quiet = vehicle.quiet.quiet, let basis = vehicle.quiet.basis,
            quiet.contains(fix.position), time < quiet.validUntil, mayBeQuiet(vehicle)
        else { return false }
        return basis == self.basis(of: vehicle, at: time)
    }

    /// Whether the turns count that have led to a vehicle's newest fix: none in a quiet circle. There it is located only once
    /// more after it was stored or restored, as by what a circle holds is derived and not stored, or as the map has changed.
    func countsTurns(of vehicle: Vehicle, after previous: Fix?) -> Bool {
        guard let quiet = vehicle.quiet.quiet else { return true }
        return ![previous, vehicle.lastFix].contains { $0.map { quiet.contains($0.position) } ?? false }
    }

    /// Looks for a circle where a fix says where the vehicle is, else at the one that there is.
    func updateQuiet(_ vehicle: inout Vehicle, after change: Change, at time: Timestamp, _ effects: inout Effects) {
        guard case .upload = change else { return recheckQuiet(&vehicle, at: time, &effects) }
        guard let fix = vehicle.lastFix, !isQuiet(vehicle, at: fix.time) else { return }
        renewQuiet(&vehicle, at: fix, &effects)
    }

    /// Looks for a circle round a vehicle that is in none, and tells the device where that changes something.
    private func renewQuiet(_ vehicle: inout Vehicle, at fix: Fix, _ effects: inout Effects) {
        let basis = basis(of: vehicle, at: fix.time)
        if !mayBeQuiet(vehicle) {
            vehicle.quiet.quiet = nil
        } else if let quiet = vehicle.quiet.quiet, quiet.contains(fix.position),
            quietFinder(for: vehicle, at: fix.time).isSafe(quiet.circle)
        {
            vehicle.quiet.basis = basis
            vehicle.quiet.quiet?.validUntil = fix.time.adding(QuietRule.validity)
        } else if vehicle.quiet.isWorthLooking(at: fix.position, basis) {
            let finder = quietFinder(for: vehicle, at: fix.time)
            let road = finder.zone.flatMap { place(of: vehicle, on: $0) }
            let radius = finder.radius(at: fix.position, noise: fix.accuracyOrAssumed, near: road)
            vehicle.quiet.look(at: fix, basis, radius: radius)
        } else {
            vehicle.quiet.quiet = nil
        }
        tell(&vehicle, at: fix.time, &effects)
    }

    /// Where the vehicle most probably is on a road of a zone; nil where it is on none.
    func place(of vehicle: Vehicle, on zone: AlertZone) -> Coordinate? {
        guard let network = map.network, let place = vehicle.roads.first?.candidate?.position,
            zone.contains(place, network)
        else { return nil }
        return network.coordinate(place.edge, offset: place.offset)
    }

    /// After a change that came without a fix: a device that is silent now must not stay so where that is not right any more.
    /// Where it is now nobody knows; so it is to report.
    private func recheckQuiet(_ vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        guard let quiet = vehicle.quiet.quiet else { return }
        let (mayBeQuiet, basis) = (mayBeQuiet(vehicle), basis(of: vehicle, at: time))
        guard !mayBeQuiet || vehicle.quiet.basis != basis else { return }
        if mayBeQuiet, quietFinder(for: vehicle, at: time).isSafe(quiet.circle) {
            vehicle.quiet.basis = basis
        } else {
            vehicle.quiet.quiet = nil
        }
        tell(&vehicle, at: time, &effects)
    }

    /// Takes back circles that devices were told of before the start, by other files or settings, and that are not right any
    /// more: who is silent in one says nothing that would end it.
    ///
    /// With the first tick, as what the journal holds was decided by what devices knew then. A circle that is right is left as
    /// it was read, so that its vehicle goes on as without a restart.
    func reviewQuiet(at time: Timestamp, _ effects: inout Effects) {
        guard !toldBefore.isEmpty else { return }
        for id in toldBefore.sorted() {
            // Others have been looked at since.
            guard let kept = vehicles[id], case let vehicle = kept.copy, vehicle.quiet.basis == nil,
                vehicle.quiet.published?.quiet != nil, !hasEndedConsent(vehicle)
            else { continue }
            let height = EffectiveHeight(of: vehicle, at: time, settings.heights).effective
            if map.isAwaited(height, at: time) {
                // `install` looks at it.
                awaiting[id] = awaiting[id] ?? AwaitingVehicle()
            } else if !mayStaySilent(vehicle, at: time) {
                update(kept, after: .fence, at: time, &effects)
                update(kept, after: .regionCandidates, at: time, &effects)
                // The journal does not hold it.
                effects.awaiting.insert(id)
            }
        }
        toldBefore = []
    }

    /// Whether the circle that the vehicle's device was told of is still right. What else ends one ends it as without a restart.
    private func mayStaySilent(_ vehicle: Vehicle, at time: Timestamp) -> Bool {
        guard let quiet = vehicle.quiet.quiet, isTracked(vehicle) else { return false }
        return quietFinder(for: vehicle, at: time).isSafe(quiet.circle)
    }

    /// Where something is under way every fix counts; along a route every turn does.
    @inline(__always)
    private func mayBeQuiet(_ vehicle: Vehicle) -> Bool {
        vehicle.alerts.isEmpty && vehicle.guidance.route == nil && vehicle.speed <= QuietRule.speedMax
            && !vehicle.fences.isInDoubt
            && vehicle.reportInterval(settings) <= settings.fixes.reportInterval
    }

    @inline(__always)
    private func basis(of vehicle: Vehicle, at time: Timestamp) -> QuietState.Basis {
        QuietState.Basis(
            height: EffectiveHeight(of: vehicle, at: time, settings.heights).effective,
            groups: vehicle.profile?.groups ?? [], revision: map.revision)
    }

    private func quietFinder(for vehicle: Vehicle, at time: Timestamp) -> QuietFinder {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        return QuietFinder(
            catalogue: catalogue, zone: map.hazards(for: height.effective)?.zone, straightLine: map.straightLine,
            settings: settings, vehicle: vehicle.id, groups: vehicle.profile?.groups ?? [])
    }

    // MARK: Devices

    /// Whether the vehicle's device reports by quiet circle.
    @inline(__always)
    private func isTracked(_ vehicle: Vehicle) -> Bool {
        vehicle.profile?.groups.contains { settings.trackingGroups.contains($0) } ?? false
    }

    private func tell(_ vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        guard isTracked(vehicle) || vehicle.quiet.published?.quiet != nil else { return }
        let quiet = isTracked(vehicle) ? vehicle.quiet.quiet : nil
        guard vehicle.quiet.isNews(quiet, at: time) else { return }
        let version = (vehicle.quiet.published?.version ?? 0) + 1
        let message = TrackingMessage(
            id: DerivedID.of("tracking", vehicle.id.text, "\(version)", "\(time.milliseconds)"), version: version,
            time: time,
            quiet: quiet?.circle, reportInterval: settings.fixes.reportInterval,
            validUntil: quiet?.validUntil ?? time.adding(QuietRule.validity))
        vehicle.quiet.published = message
        effects.envelopes.append(Envelope(address: vehicle.address, message: .tracking(message)))
    }
}

extension QuietFinder {
    /// Whether nothing can happen inside of a circle that was found before.
    func isSafe(_ circle: Circle) -> Bool { radius(at: circle.center, noise: 0) >= circle.radius }
}

extension QuietState {
    /// Whether the vehicle is somewhere else than where it was looked in vain, or things are no longer as they were.
    func isWorthLooking(at position: Coordinate, _ basis: Basis) -> Bool {
        guard let vain, self.basis == basis else { return true }
        return vain.place.distance(to: position) >= vain.distance
    }

    mutating func look(at fix: Fix, _ basis: Basis, radius: Metres) {
        self.basis = basis
        guard radius >= QuietRule.radiusMin else {
            quiet = nil
            vain = (fix.position, QuietRule.radiusMin - radius)
            return
        }
        vain = nil
        quiet = QuietCircle(
            circle: Circle(center: fix.position, radius: radius.rounded(.down)),
            validUntil: fix.time.adding(QuietRule.validity))
    }

    /// Whether the device has to be told: another circle, or one that is believed for longer than the device knows, half of
    /// whose time is over.
    func isNews(_ quiet: QuietCircle?, at time: Timestamp) -> Bool {
        guard let published else { return true }
        if published.quiet != quiet?.circle { return true }
        guard let quiet, quiet.validUntil > published.validUntil else { return false }
        return published.validUntil.since(time) < QuietRule.validity / 2
    }
}
