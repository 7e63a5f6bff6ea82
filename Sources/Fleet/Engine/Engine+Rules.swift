import Geo
import Messages
import Roads

/// What holds for a vehicle at a moment.
extension Engine {
    /// - Parameters:
    ///   - now: when it is judged; not before `time`.
    ///   - moment: as of when it is known how the vehicle moved.
    func evaluator(
        of vehicle: Vehicle, at time: Timestamp, now: Timestamp, moment: Timestamp, _ reason: AlertMessage.ClearedReason
    ) -> AlertEvaluator {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        let (network, hazards) = (map.network, map.hazards(for: height.effective, near: vehicle.lastFix?.position))
        return AlertEvaluator(
            network: network,
            straightLine: network != nil && hazards == nil ? map.everythingByStraightLine : map.straightLine,
            hazards: hazards, settings: settings, model: map.turnModel, history: history,
            guide: vehicle.guidance.route == nil ? nil : map.guide,
            height: height, time: time, now: now, moment: moment,
            ageTime: isBacklog ? moment : time, reason: reason)
    }

    /// What falls due without a fix.
    ///
    /// - Parameters:
    ///   - time: the deadline.
    ///   - now: when it is found; not before `time`.
    func check(_ kept: KeptVehicle, at time: Timestamp, now: Timestamp, _ effects: inout Effects) {
        let isDue = kept.awake.vehicle.nextDeadline(settings).map { $0 <= time } ?? false
        if isDue { kept.awake.vehicle.noteStaleness(at: time, settings) }
        update(kept, after: isDue ? .deadline(foundAt: now) : .timelineDeadline, at: time, &effects)
    }

    /// Tells the sender of a profile that it is not used, and what holds.
    func answer(
        _ refused: RefusedReport, to vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects
    ) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        let style = settings.textStyle(of: vehicle)
        guard let message = RequestMessage.answer(to: refused, for: &vehicle, height, style, at: time) else { return }
        effects.envelopes.append(Envelope(address: vehicle.address, message: .request(message)))
    }
}

extension Vehicle {
    /// Notes that its newest position says nothing about now any more, where that is so.
    fileprivate mutating func noteStaleness(at time: Timestamp, _ settings: EngineSettings) {
        if let fix = lastFix, time >= staleFrom(fix, settings) { isPositionStale = true }
    }
}
