import Geo
import Messages

/// What a vehicle says, and what is said about it.
extension Engine {
    func handle(_ report: Report, from address: VehicleAddress, receivedAt: Timestamp, _ effects: inout Effects) {
        let id = address.vehicle
        guard vehicles[id] != nil || withheld.isKnown(id) || vehicles.count + withheld.count < settings.vehiclesMax
        else {
            effects.rejections.append((nil, .tooManyVehicles))
            return
        }
        if case .consent(let consent) = report {
            return handle(consent, from: address, receivedAt: receivedAt, &effects)
        }
        if case .refused(let refused) = report, refused.subject == .consent {
            handle(Consent(.denied), from: address, receivedAt: receivedAt, &effects)
            return withheld.answer(refused, of: id, at: receivedAt, &effects)
        }
        guard vehicles[id] != nil || withheld.permits(id) else {
            return withheld.handle(report, from: address, receivedAt: receivedAt, &effects)
        }
        let vehicle = vehicles[id] ?? withheld.newcomer(address)
        handle(report, from: address, receivedAt: receivedAt, with: vehicle, &effects)
    }

    private func handle(
        _ report: Report, from address: VehicleAddress, receivedAt: Timestamp, with kept: Vehicle,
        _ effects: inout Effects
    ) {
        var vehicle = kept
        var cause = receivedAt
        switch report {
        case .location(let fixes):
            guard vehicle.isInUse(settings.consent) else {
                effects.rejections += fixes.map { _ in (vehicle.id, .noConsent) }
                return
            }
            vehicle.address = address
            for fix in fixes.sorted(by: { $0.time < $1.time }) {
                if handle(fix, of: &vehicle, receivedAt: receivedAt, &effects) { cause = fix.time }
            }
            follow(&vehicle, at: receivedAt, &effects)
            if let fix = vehicle.lastFix, !isQuiet(vehicle, at: fix.time) { renewQuiet(&vehicle, at: fix, &effects) }
            if let fix = vehicle.lastFix { renewRegions(of: &vehicle, at: fix.time, &effects) }
        case .profile(let profile):
            guard apply(profile, to: &vehicle, receivedAt: receivedAt) else { return }
            judge(&vehicle, at: receivedAt, reason: .profileChanged, &effects)
            recheckQuiet(&vehicle, at: receivedAt, &effects)
            renewRegions(of: &vehicle, at: receivedAt, &effects)
        case .route(let route):
            guard vehicle.guidance.route != route else { return }
            vehicle.guidance.set(route)
            guide(&vehicle, at: receivedAt, &effects)
            judge(&vehicle, at: receivedAt, reason: .leftPath, &effects)
        case .presence(let presence):
            guard vehicle.presence != presence else { return }
            vehicle.presence = presence
        case .acknowledgement(let acknowledgement):
            guard apply(acknowledgement, to: &vehicle) else {
                effects.rejections.append((vehicle.id, .unknownAcknowledgement))
                return
            }
        case .consent(let consent):
            guard vehicle.consent != consent else { return }
            vehicle.consent = consent
        case .refused(let refused):
            answer(refused, to: &vehicle, at: receivedAt, &effects)
        }
        finish(&vehicle, at: receivedAt, cause: cause, &effects)
    }

    // MARK: Consent

    private func handle(
        _ consent: Consent?, from address: VehicleAddress, receivedAt: Timestamp, _ effects: inout Effects
    ) {
        let status = consent?.status ?? settings.consent
        if let vehicle = vehicles[address.vehicle] {
            guard status.mayBeKept else {
                forget(address.vehicle)
                effects.leaveOut(address.vehicle)
                effects.forgotten.append(vehicle.address)
                return withheld.take(vehicle, consent, &effects)
            }
            handle(.consent(consent), from: address, receivedAt: receivedAt, with: vehicle, &effects)
        } else if (consent ?? Consent(settings.consent)).permits {
            var vehicle = withheld.release(address, &effects)
            vehicle.consent = consent
            guide(&vehicle, at: receivedAt, &effects)
            finish(&vehicle, at: receivedAt, &effects)
        } else {
            withheld.note(consent, of: address, &effects)
        }
    }

    // MARK: Fixes

    /// - Returns: whether the fix was used.
    private func handle(
        _ fix: Fix, of vehicle: inout Vehicle, receivedAt: Timestamp, _ effects: inout Effects
    ) -> Bool {
        let filter = FixFilter(settings: settings.fixes)
        if let reason = filter.rejection(fix, receivedAt: receivedAt)
            ?? vehicle.ordered.insert(
                fix, receivedAt: receivedAt, silentIn: vehicle.circleOfSilence(until: fix, settings))
        {
            effects.rejections.append((vehicle.id, reason))
            if reason == .fromTheFuture { vehicle.isClockSkewed = true }
            return false
        }
        // One that comes late still counts for what follows the order of time.
        if let last = vehicle.lastFix, fix.time < last.time {
            accept(fix, of: vehicle, &effects)
            return true
        }
        // Two reports of one moment: that one was judged already. What they say together counts from here on.
        if let last = vehicle.lastFix, fix.time == last.time {
            accept(last.joined(with: fix) ?? last, of: vehicle, &effects)
            vehicle.lastFix = last.joined(with: fix) ?? last
            return true
        }
        if let reason = filter.rejection(fix, after: vehicle.lastFix, outliers: vehicle.outliers) {
            effects.rejections.append((vehicle.id, reason))
            vehicle.outliers += 1
            return false
        }
        accept(fix, of: vehicle, &effects)
        take(fix, of: &vehicle, receivedAt: receivedAt, &effects)
        return true
    }

    private func accept(_ fix: Fix, of vehicle: Vehicle, _ effects: inout Effects) {
        effects.fixesAccepted += 1
        if settings.keepsPositions { effects.positions.append(TrackPoint(vehicle: vehicle.id, fix: fix)) }
    }

    /// The newest fix: where the vehicle is now.
    private func take(_ fix: Fix, of vehicle: inout Vehicle, receivedAt: Timestamp, _ effects: inout Effects) {
        let previous = vehicle.lastFix
        if let previous, !vehicle.wasAllowedSilence(until: fix, settings) {
            vehicle.gaps = [fix.time.since(previous.time)] + vehicle.gaps.prefix(RuleTime.gapsKept - 1)
        }
        vehicle.firstFix = vehicle.firstFix ?? fix.time
        vehicle.lastFix = fix
        vehicle.speed = fix.speed(since: previous)
        vehicle.course = fix.course(since: previous) ?? vehicle.course
        vehicle.outliers = 0
        vehicle.isClockSkewed = false
        vehicle.isPositionStale = false
        if isQuiet(vehicle, at: fix.time) {
            vehicle.quiet.hasPassedOver = true
        } else {
            locate(&vehicle, at: fix, from: previous, &effects)
            if receivedAt.since(fix.time) <= RuleTime.alertAgeMax {
                judge(&vehicle, at: fix.time, reason: .leftPath, &effects)
            }
        }
        request(of: &vehicle, at: fix.time, &effects)
    }

    /// Finds the vehicle on the road.
    func locate(_ vehicle: inout Vehicle, at fix: Fix, from previous: Fix?, _ effects: inout Effects) {
        guard let network = map.network else { return }
        let tracker = RoadTracker(network: network, settings: settings.fixes)
        tracker.advance(&vehicle, to: fix, from: vehicle.quiet.hasPassedOver ? nil : previous)
        vehicle.quiet.hasPassedOver = false
        effects.turns += map.countTurns(of: vehicle)
        guide(&vehicle, at: fix.time, &effects)
    }

    // MARK: Profiles and acknowledgements

    /// - Returns: whether anything changed.
    private func apply(_ profile: HeightProfile?, to vehicle: inout Vehicle, receivedAt: Timestamp) -> Bool {
        guard profile != vehicle.profile else { return false }
        vehicle.profile = profile
        vehicle.profileSince = profile == nil ? nil : receivedAt
        return true
    }

    private func apply(_ acknowledgement: Acknowledgement, to vehicle: inout Vehicle) -> Bool {
        switch acknowledgement {
        case .alert(let id, let sequence):
            guard let index = vehicle.alerts.firstIndex(where: { $0.id == id }) else { return false }
            guard sequence <= vehicle.alerts[index].last.sequence else { return false }
            vehicle.alerts[index].acknowledged = max(sequence, vehicle.alerts[index].acknowledged ?? 0)
            return true
        case .regions(let version, let failed):
            return vehicle.regions.acknowledge(version, failed: failed)
        case .request:
            // That the driver saw it changes no state.
            return true
        }
    }
}
