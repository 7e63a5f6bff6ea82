import Geo
import Messages

/// What a vehicle says, and what is said about it.
extension Engine {
    func handle(_ report: Report, from address: VehicleAddress, receivedAt: Timestamp, _ effects: inout Effects) {
        let id = address.vehicle
        let known = vehicles[id]
        guard
            known != nil || withoutConsent.isKnown(id)
                || vehicles.count + withoutConsent.count < settings.vehiclesMax
        else {
            effects.rejections.append((nil, .tooManyVehicles))
            return
        }
        if case .consent(let consent) = report {
            return handle(consent, from: address, receivedAt: receivedAt, &effects)
        }
        if case .refused(let refused) = report, refused.subject == .consent {
            handle(Consent(.denied), from: address, receivedAt: receivedAt, &effects)
            return withoutConsent.answer(refused, of: id, at: receivedAt, &effects)
        }
        guard known != nil || withoutConsent.permits(id) else {
            return withoutConsent.handle(report, from: address, receivedAt: receivedAt, &effects)
        }
        take(report, from: address, receivedAt: receivedAt, by: known, &effects)
    }

    /// What a vehicle says that may be kept.
    ///
    /// - Parameter known: nil: it is heard for the first time, and kept if what it says changes anything.
    private func take(
        _ report: Report, from address: VehicleAddress, receivedAt: Timestamp, by known: KeptVehicle?,
        _ effects: inout Effects
    ) {
        if isBacklog, let known, !hasEndedConsent(known.id), case .location(let fixes) = report {
            findDue(known, before: fixes, receivedAt: receivedAt, &effects)
        }
        let kept = known ?? KeptVehicle(withoutConsent.newcomer(address))
        guard let change = apply(report, from: address, receivedAt: receivedAt, to: &kept.awake.vehicle, &effects)
        else {
            return
        }
        if known == nil { vehicles[kept.id] = kept }
        update(kept, after: change, at: receivedAt, &effects)
    }

    /// - Returns: what is no longer as it was; nil: nothing.
    private func apply(
        _ report: Report, from address: VehicleAddress, receivedAt: Timestamp, to vehicle: inout Vehicle,
        _ effects: inout Effects
    ) -> Change? {
        switch report {
        case .location(let fixes):
            guard vehicle.isInUse(settings.consent) else {
                let name = vehicle.mayBeKept(settings.consent) ? vehicle.id : nil
                effects.rejections += fixes.map { _ in (name, .noConsent) }
                return nil
            }
            if !vehicle.address.isReached(as: address) { move(&vehicle, to: address, &effects) }
            return .upload(used: apply(fixes, to: &vehicle, receivedAt: receivedAt, &effects))
        case .profile(let profile):
            guard vehicle.profile != profile else { return nil }
            let before = EffectiveHeight(of: vehicle, at: receivedAt, settings.heights).effective
            (vehicle.profile, vehicle.profileSince) = (profile, profile == nil ? nil : receivedAt)
            let height = EffectiveHeight(of: vehicle, at: receivedAt, settings.heights).effective
            if height > before { vehicle.forgetPassed() }
            let id = vehicle.id
            vehicle.fences.leave(to: profile?.groups ?? []) { serial, groups in
                catalogue.fence(serial: serial)?.concerns(id, groups: groups) ?? false
            }
            return .profile
        case .route(let route):
            guard vehicle.guidance.route != route else { return nil }
            vehicle.guidance.set(route)
            return .route
        case .presence(let presence):
            guard vehicle.presence != presence else { return nil }
            vehicle.presence = presence
            return .presence
        case .acknowledgement(let acknowledgement):
            guard vehicle.take(acknowledgement) else {
                effects.rejections.append((vehicle.id, .unknownAcknowledgement))
                return nil
            }
            return .acknowledgement
        case .consent(let consent):
            guard vehicle.consent != consent else { return nil }
            let wasInUse = vehicle.isInUse(settings.consent)
            vehicle.consent = consent
            if wasInUse && !vehicle.isInUse(settings.consent) { vehicle.endFollowing() }
            return .consent
        case .refused(let refused):
            answer(refused, to: &vehicle, at: receivedAt, &effects)
            return .refusal
        }
    }

    /// What is retained about a vehicle stands where it publishes now, and nowhere else.
    private func move(_ vehicle: inout Vehicle, to address: VehicleAddress, _ effects: inout Effects) {
        let left = vehicle.address
        vehicle.address = address
        guard !left.hasLevels(of: address) else { return }
        effects.left.append(left)
        vehicle.regions.forgetPublished()
        let retained = [vehicle.published.map(Message.state), vehicle.quiet.published.map(Message.tracking)]
        effects.envelopes += retained.compactMap(\.self).map { Envelope(address: address, message: $0) }
    }

    // MARK: Consent

    private func handle(
        _ consent: Consent?, from address: VehicleAddress, receivedAt: Timestamp, _ effects: inout Effects
    ) {
        let status = consent?.status ?? settings.consent
        if let kept = vehicles[address.vehicle] {
            guard status.mayBeKept else { return endConsent(of: kept, consent, from: address, &effects) }
            take(.consent(consent), from: address, receivedAt: receivedAt, by: kept, &effects)
        } else if consent == nil, !withoutConsent.hasHeard(of: address.vehicle) {
            // A topic that was emptied says nothing of a vehicle of which nothing is known.
            return
        } else if (consent ?? Consent(settings.consent)).permits {
            if !withoutConsent.permits(address.vehicle) { effects.consented.append(address) }
            let kept = KeptVehicle(withoutConsent.release(address, &effects))
            kept.awake.vehicle.consent = consent
            vehicles[kept.id] = kept
            // Of all that it has said meanwhile only a route leads to something before its first fix.
            update(kept, after: .route, at: receivedAt, &effects)
        } else {
            withoutConsent.note(consent, of: address, &effects)
        }
    }
}

extension Vehicle {
    /// - Returns: whether it acknowledges something that the vehicle was sent.
    fileprivate mutating func take(_ acknowledgement: Acknowledgement) -> Bool {
        switch acknowledgement {
        case .alert(let id, let sequence):
            guard let index = alerts.firstIndex(where: { $0.id == id }) else { return false }
            guard sequence <= alerts[index].last.sequence else { return false }
            alerts[index].acknowledged = max(sequence, alerts[index].acknowledged ?? 0)
            return true
        case .regions(let version, let failed):
            return regions.acknowledge(version, failed: failed)
        case .request:
            // That the driver saw it changes no state.
            return true
        }
    }
}
