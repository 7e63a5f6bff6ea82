import Messages

/// Vehicles whose positions may not be used any more: by what they say, or by another setting for those that never said anything.
extension Engine {
    /// Nothing of a vehicle may be kept any more.
    ///
    /// - Parameters:
    ///   - consent: what it has said; nil: nothing.
    ///   - address: where it has.
    func endConsent(
        of kept: KeptVehicle, _ consent: Consent?, from address: VehicleAddress, _ effects: inout Effects
    ) {
        forget(kept.id)
        effects.leaveOut(kept.id)
        effects.forgotten.append(kept.address)
        withoutConsent.take(kept.copy, consent, from: address, &effects)
    }

    // MARK: By the setting

    /// Whether a vehicle's consent is to end by the setting.
    func hasEndedConsent(_ vehicle: Vehicle) -> Bool {
        guard vehicle.consent == nil, !vehicle.isInUse(settings.consent) else { return false }
        // One that may be kept stays so without being in use, and its state says that once its consent has ended.
        return !settings.consent.mayBeKept || vehicle.published?.consent != settings.consent
    }

    /// The same of one that is kept; it costs a look at a copy only as long as there are such vehicles.
    func hasEndedConsent(_ id: VehicleID) -> Bool {
        guard !withEndedConsent.isEmpty, let vehicle = vehicles[id]?.copy else { return false }
        return hasEndedConsent(vehicle)
    }

    /// Neither time nor a fence leads to anything for the vehicle, until it says something.
    func leaveAlone(_ kept: KeptVehicle) {
        index.remove(kept)
        deadlines.remove(kept)
        awaiting[kept.id] = nil
    }

    /// Ends the consent of vehicles that never said anything, where the setting for them is another since the start.
    ///
    /// With the ticks, as all has come by then that was sent before: a vehicle may have consented meanwhile.
    ///
    /// - Parameter mayGoOn: asked after each vehicle; the others follow with the next tick.
    func endConsents(at time: Timestamp, _ effects: inout Effects, while mayGoOn: (Effects) -> Bool) {
        while let id = withEndedConsent.popFirst() {
            // Others have said something since, or were forgotten.
            guard let kept = vehicles[id], hasEndedConsent(kept.copy) else { continue }
            if settings.consent.mayBeKept {
                kept.awake.vehicle.endFollowing()
                update(kept, after: .consent, at: time, &effects)
                // The journal does not hold it.
                effects.awaiting.insert(id)
            } else {
                endConsent(of: kept, nil, from: kept.address, &effects)
            }
            if !mayGoOn(effects) { return }
        }
    }
}
