import Geo
public import Messages
import Roads

/// What holds for a vehicle at a moment.
extension Engine {
    /// Moves the vehicle's alerts, by the newest fix, as long as that says where the vehicle is now. What is no hazard any
    /// more ends without it.
    func judge(
        _ vehicle: inout Vehicle, at time: Timestamp, reason: AlertMessage.ClearedReason, _ effects: inout Effects
    ) {
        guard let fix = vehicle.lastFix, !isQuiet(vehicle, at: time) else { return }
        if vehicle.quiet.hasPassedOver { locate(&vehicle, at: fix, from: nil, &effects) }
        let messages = judgement(of: vehicle, at: time, reason).advance(&vehicle, fix)
        effects.envelopes += messages.map { Envelope(address: vehicle.address, message: .alert($0)) }
    }

    private func judgement(of vehicle: Vehicle, at time: Timestamp, _ reason: AlertMessage.ClearedReason) -> Judgement {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        let hazards = map.hazards(for: height.effective)
        return Judgement(
            network: map.network, straightLine: map.straightLine, hazards: hazards, settings: settings,
            model: map.turnModel, height: height, time: time, reason: reason)
    }

    /// Why a vehicle is alerted as things stand, or why it is not. Changes nothing.
    ///
    /// - Parameter time: not before the newest input.
    /// - Returns: nil where no fix of the vehicle has been used.
    public func explanation(of id: VehicleID, at time: Timestamp) -> Explanation? {
        guard let vehicle = vehicles[id], let fix = vehicle.lastFix else { return nil }
        return Inquiry(judgement: judgement(of: vehicle, at: time, .leftPath), vehicle: vehicle, fix: fix).explanation
    }

    /// What falls due without a fix.
    func check(_ id: VehicleID, at time: Timestamp, _ effects: inout Effects) {
        guard var vehicle = vehicles[id] else { return }
        follow(&vehicle, at: time, &effects)
        if let deadline = vehicle.nextDeadline(settings), deadline <= time {
            if let fix = vehicle.lastFix, time >= vehicle.staleFrom(fix, settings) { vehicle.isPositionStale = true }
            judge(&vehicle, at: time, reason: .profileChanged, &effects)
            request(of: &vehicle, at: time, &effects)
        }
        finish(&vehicle, at: time, &effects)
    }

    /// Fences and visits, by the vehicle's own time.
    func follow(_ vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        let quiet = isQuiet(vehicle, at: time) ? vehicle.quiet.quiet?.circle : nil
        let messages = timeline(quiet).advance(&vehicle, at: time)
        effects.envelopes += messages.map { Envelope(address: vehicle.address, message: $0) }
    }

    private func timeline(_ quiet: Circle? = nil) -> Timeline {
        let legs = LegFinder(network: map.network, gap: settings.fixes.gap)
        return Timeline(catalogue: catalogue, legs: legs, settings: settings, quiet: quiet)
    }

    func request(of vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        guard let message = RequestMessage.due(for: &vehicle, height, at: time) else { return }
        effects.envelopes.append(Envelope(address: vehicle.address, message: .request(message)))
    }

    /// Tells the sender of a profile that it is not used, and what holds.
    func answer(
        _ refused: RefusedReport, to vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects
    ) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        let units = vehicle.profile?.units ?? settings.units
        guard let message = RequestMessage.answer(to: refused, for: &vehicle, height, units, at: time) else { return }
        effects.envelopes.append(Envelope(address: vehicle.address, message: .request(message)))
    }

    /// Keeps the vehicle, and publishes its state where that has changed.
    ///
    /// - Parameters:
    ///   - time: what holds then is published: a fix that comes late takes back nothing that fell due since.
    ///   - cause: the time of the fix that brought the change, which the message bears; nil: `time`.
    func finish(
        _ vehicle: inout Vehicle, at time: Timestamp, cause: Timestamp? = nil, _ effects: inout Effects
    ) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        if let message = StateMessage.due(for: vehicle, height, map.data, settings, at: cause ?? time) {
            vehicle.published = message
            effects.envelopes.append(Envelope(address: vehicle.address, message: .state(message)))
        }
        effects.changed.insert(vehicle.id)
        put(vehicle)
        schedule(vehicle)
    }

    /// Keeps the vehicle as it is.
    func put(_ vehicle: Vehicle) {
        vehicles[vehicle.id] = vehicle
        index.note(vehicle)
    }

    func schedule(_ vehicle: Vehicle) {
        let moments = [vehicle.nextDeadline(settings), timeline().moment(vehicle)].compactMap { $0 }
        if let deadline = moments.min() { deadlines.set(deadline, for: vehicle.id) }
    }
}
