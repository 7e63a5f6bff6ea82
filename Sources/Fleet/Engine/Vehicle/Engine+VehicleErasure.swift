public import Messages

/// Letting go of a vehicle.
extension Engine {
    /// Lets go of everything that is known of a vehicle.
    public func forget(_ id: VehicleID) {
        if let kept = vehicles.removeValue(forKey: id) {
            index.remove(kept)
            deadlines.remove(kept)
        }
        withoutConsent.forget(id)
    }

    /// Lets go of everything but what was said about consent: that is the driver's own word, and not the operator's to
    /// take back. Alerts that are open end without a message.
    func forget(_ request: ForgetRequest, _ effects: inout Effects) {
        let id = request.vehicle
        let vehicle = vehicles[id]?.copy
        let address = vehicle?.address ?? withoutConsent.address(of: id) ?? VehicleAddress(vehicle: id)
        let wasKnown = vehicle != nil || withoutConsent.isKnown(id)
        if let vehicle { withoutConsent.remember(vehicle.consent, of: id, &effects) }
        forget(id)
        effects.leaveOut(id)
        effects.forgotten.append(address)
        effects.erasures.append(VehicleErasure(request: request, address: address, wasKnown: wasKnown))
    }
}
