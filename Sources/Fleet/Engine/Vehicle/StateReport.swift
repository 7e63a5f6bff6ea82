import Geo
import Messages

/// What there is to judge vehicles by.
struct MapData {
    var hasRoads: Bool
    /// Whether hazards for the vehicle's height that it may be told of are still being made.
    var isAwaited = false
    /// On roads or by straight line.
    var hasClearances: Bool
}

extension StateMessage {
    /// What to publish of a vehicle's state now; nil where nothing changed, or nothing but the time of the last fix less
    /// than a minute after the state was last published.
    ///
    /// - Parameter time: which the message bears. It is part of the id: a vehicle that was forgotten and is back counts from 1.
    @inline(__always)
    static func due(
        for vehicle: Vehicle, _ height: EffectiveHeight, _ data: MapData, _ settings: EngineSettings,
        at time: Timestamp
    ) -> StateMessage? {
        if let published = vehicle.published, published.holds(for: vehicle, height, data, settings) { return nil }
        let sequence = (vehicle.published?.sequence ?? 0) + 1
        return StateMessage(
            id: DerivedID.of("state", vehicle.id.text, "\(sequence)", "\(time.milliseconds)"), sequence: sequence,
            time: time,
            fences: vehicle.fences.stays, fencesAsOf: vehicle.fences.asOf, alerts: vehicle.alerts.map(\.last),
            height: height.height,
            heightSource: height.source,
            heightStatus: height.status, consent: vehicle.consent?.status ?? settings.consent,
            presence: vehicle.presence,
            lastFix: vehicle.lastFix?.time, position: vehicle.shownPosition(settings),
            blind: Array(vehicle.blindSpots(data, settings.consent)), regions: vehicle.regions.report)
    }

    /// Whether nothing is to be published after this. All but the time and the place of the last fix counts, and as of when
    /// the fences are complete; but whether they are, and whether a place is told, does.
    ///
    /// Asked after every fix, and so without a message to compare with.
    @inline(__always)
    private func holds(
        for vehicle: Vehicle, _ height: EffectiveHeight, _ data: MapData, _ settings: EngineSettings
    ) -> Bool {
        guard
            vehicle.fences.hasStays(fences), (fencesAsOf == nil) == (vehicle.fences.followedTo == nil),
            // By position: an alert is many texts, and costs much to copy.
            alerts.count == vehicle.alerts.count,
            alerts.indices.allSatisfy({ alerts[$0] == vehicle.alerts[$0].last }),
            consent == vehicle.consent?.status ?? settings.consent, self.height == height.height,
            heightSource == height.source, heightStatus == height.status, presence == vehicle.presence,
            blind.elementsEqual(vehicle.blindSpots(data, settings.consent)), vehicle.regions.isReported(by: regions),
            (position == nil) == (vehicle.shownPosition(settings) == nil)
        else { return false }
        guard let last = vehicle.lastFix?.time else { return true }
        return lastFix.map { last.since($0) < RuleTime.lastFixEvery } ?? false
    }
}

extension Vehicle {
    /// Where it was last, as far as its state tells that.
    @inline(__always)
    fileprivate func shownPosition(_ settings: EngineSettings) -> Coordinate? {
        settings.showsPosition && isInUse(settings.consent) ? lastFix?.position : nil
    }

    /// Why it may not be warned, in the order in which that is told.
    @inline(__always)
    fileprivate func blindSpots(
        _ data: MapData, _ consent: Consent.Status
    ) -> some Sequence<StateMessage.BlindSpot> {
        let isOffNetwork = data.hasRoads && lastFix != nil && roads.isEmpty
        let (isInUse, isPositionStale, isClockSkewed) = (isInUse(consent), isPositionStale, isClockSkewed)
        return Self.blindSpots.lazy.filter { spot in
            switch spot {
            case .noClearanceData: !data.hasClearances
            case .tablesPending: data.isAwaited
            case .offNetwork: isOffNetwork
            case .stalePosition: isPositionStale
            case .noConsent: !isInUse
            case .clockSkew: isClockSkewed
            }
        }
    }

    private static let blindSpots: [StateMessage.BlindSpot] = [
        .noClearanceData, .tablesPending, .offNetwork, .stalePosition, .noConsent, .clockSkew,
    ]
}

extension FenceState {
    /// Whether `stays` is this.
    @inline(__always)
    fileprivate func hasStays(_ stays: [FenceStay]) -> Bool {
        var count = 0
        for index in borders.indices {
            guard let since = borders[index].since else { continue }
            guard count < stays.count, stays[count].since == since, stays[count].$fence == borders[index].$fence else {
                return false
            }
            count += 1
        }
        return count == stays.count
    }
}
