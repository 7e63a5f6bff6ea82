import Geo
import Messages

/// What there is to judge vehicles by.
struct MapData {
    var hasRoads: Bool
    /// On roads or by straight line.
    var hasClearances: Bool
}

extension StateMessage {
    /// What to publish of a vehicle's state now; nil where nothing changed, or nothing but the time of the last fix less
    /// than a minute after the state was last published.
    ///
    /// - Parameter time: which the message bears. It is part of the id: a vehicle that was forgotten and is back counts from 1.
    static func due(
        for vehicle: Vehicle, _ height: EffectiveHeight, _ data: MapData, _ settings: EngineSettings,
        at time: Timestamp
    ) -> StateMessage? {
        let consent = settings.consent
        let sequence = (vehicle.published?.sequence ?? 0) + 1
        let message = StateMessage(
            id: DerivedID.of("state", vehicle.id.text, "\(sequence)", "\(time.milliseconds)"), sequence: sequence,
            time: time,
            fences: vehicle.fences.stays, fencesAsOf: vehicle.fences.asOf, alerts: vehicle.alerts.map(\.last),
            height: height.height,
            heightSource: height.source,
            heightStatus: height.status, consent: vehicle.consent?.status ?? consent, presence: vehicle.presence,
            lastFix: vehicle.lastFix?.time, position: settings.showsPosition ? vehicle.lastFix?.position : nil,
            blind: blindSpots(of: vehicle, data, consent), regions: vehicle.regions.report)
        guard let published = vehicle.published else { return message }
        if !message.says(theSameAs: published) { return message }
        guard let last = message.lastFix else { return nil }
        guard let shown = published.lastFix else { return message }
        return last.since(shown) >= RuleTime.lastFixEvery ? message : nil
    }

    private static func blindSpots(
        of vehicle: Vehicle, _ data: MapData, _ consent: Consent.Status
    ) -> [BlindSpot] {
        var blind: [BlindSpot] = []
        if !data.hasClearances { blind.append(.noClearanceData) }
        if data.hasRoads && vehicle.lastFix != nil && vehicle.roads.isEmpty { blind.append(.offNetwork) }
        if vehicle.isPositionStale { blind.append(.stalePosition) }
        if !vehicle.isInUse(consent) { blind.append(.noConsent) }
        if vehicle.isClockSkewed { blind.append(.clockSkew) }
        return blind
    }

    /// The time and the place of the last fix aside, and as of when the fences are complete, but not whether they are and a
    /// place is told.
    private func says(theSameAs other: StateMessage) -> Bool {
        fences == other.fences && (fencesAsOf == nil) == (other.fencesAsOf == nil) && alerts == other.alerts
            && consent == other.consent && height == other.height
            && heightSource == other.heightSource
            && heightStatus == other.heightStatus && presence == other.presence && blind == other.blind
            && regions == other.regions && (position == nil) == (other.position == nil)
    }
}
