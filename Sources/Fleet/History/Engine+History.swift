import Geo
import Messages
import Roads

/// Counting what vehicles do.
extension Engine {
    /// Takes up what was kept of what vehicles did, or another fleet's.
    public func restore(_ history: HazardHistory) { self.history = history }

    /// Whether anything was counted that is not in force yet.
    public var hasPassagesCounted: Bool { !passages.isEmpty }

    /// What was counted and is not in force yet.
    public var passagesCounted: HazardHistory {
        var counted = HazardHistory()
        counted.add(passages)
        return counted
    }

    /// Takes up what was counted before a stop.
    public func restore(counted: HazardHistory) { passages.add(counted) }

    /// Whether so much is counted that it has to be taken up before more has no room.
    public var arePassagesFillingUp: Bool { passages.isFillingUp }

    /// Has in force what was counted since the last time. What follows is judged by other numbers than what went before, so
    /// that every vehicle has to be written with it.
    public func takeUpPassages() {
        history.add(passages)
        passages = PassageCounts()
    }

    /// Counts what vehicles have done so far as if their trips ended here.
    func endTrips() {
        for id in vehicles.keys.sorted() { vehicles[id]?.awake.vehicle.passages.finish(into: &passages) }
    }

    /// Notes what a vehicle has driven since the fix before.
    func countPassages(of vehicle: inout Vehicle, at fix: Fix, after previous: Fix?) {
        guard settings.countsPassages || !history.isEmpty, let network = map.network else { return }
        // Most fixes lie on the edge of the one before, where nothing is to be counted.
        let hasLeftEdge = vehicle.roads.first?.candidate?.route.count ?? 0 > 1
        let ground = settings.countsPassages && hasLeftEdge ? ground(of: vehicle, at: fix.time, network) : nil
        vehicle.countPassages(at: fix, after: previous, settings, network, ground, into: &passages)
    }

    private func ground(of vehicle: Vehicle, at time: Timestamp, _ network: RoadNetwork) -> CountingGround? {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights).effective
        guard let reference = map.hazards(for: referenceHeight)?.low, let own = map.hazards(for: height)?.low else {
            return nil
        }
        return CountingGround(network: network, reference: reference, own: own)
    }

    /// What counts is what vehicles do at the hazards of those whose height nobody knows.
    private var referenceHeight: Centimetres { EffectiveHeight(assumed: settings.heights).effective }

    // MARK: In quiet circles

    /// Leaves out a fix at which nothing can happen to a vehicle. Where something may happen to a higher one it is matched, so
    /// that what the low one does there is counted: its alerts go by none of this, since it is matched anew where it leaves the
    /// circle.
    func passOver(_ vehicle: inout Vehicle, after previous: Fix?) {
        let isFollowed = vehicle.passages.isFollowed || !vehicle.quiet.hasPassedOver
        vehicle.quiet.hasPassedOver = true
        guard settings.countsPassages, let fix = vehicle.lastFix else { return }
        guard isCounted(&vehicle, at: fix) else { return vehicle.passages.finish(into: &passages) }
        followPassages(of: &vehicle, to: fix, from: isFollowed ? previous : nil)
    }

    func followPassages(of vehicle: inout Vehicle, to fix: Fix, from previous: Fix?) {
        guard let network = map.network else { return }
        RoadTracker(network: network, settings: settings.fixes).advance(&vehicle, to: fix, from: previous)
        countPassages(of: &vehicle, at: fix, after: previous)
        vehicle.passages.isFollowed = true
    }

    /// Whether a vehicle in a quiet circle is near hazards of the reference height. Those of a vehicle that is as high lie outside
    /// of its circle.
    private func isCounted(_ vehicle: inout Vehicle, at fix: Fix) -> Bool {
        if let known = vehicle.quiet.uncounted, known.revision == map.revision,
            known.circle.center.distance(to: fix.position) < known.circle.radius
        {
            return false
        }
        guard map.network != nil,
            EffectiveHeight(of: vehicle, at: fix.time, settings.heights).effective < referenceHeight,
            let zone = map.hazards(for: referenceHeight)?.zone
        else { return false }
        // Mostly it drives on one of the roads of the zone.
        let road = place(of: vehicle, on: zone)
        if let road, road.distance(to: fix.position) + 1 < QuietRule.roadMargin { return true }
        let sought = QuietRule.radiusMax + QuietRule.roadMargin
        let distance = zone.distance(from: fix.position, within: sought) ?? sought
        let radius = distance - QuietRule.roadMargin
        guard radius > 0 else { return true }
        vehicle.quiet.uncounted = (Circle(center: fix.position, radius: radius), map.revision)
        return false
    }
}

extension Vehicle {
    /// What a vehicle has driven counts where it is likelier than all else together.
    private static let probabilityCounted = 0.5

    /// Notes what it has driven since the fix before. Where it may have been anywhere between the two, it is not known where it
    /// went from the places before.
    ///
    /// - Parameter ground: nil: nothing is counted.
    mutating func countPassages(
        at fix: Fix, after previous: Fix?, _ settings: EngineSettings, _ network: RoadNetwork,
        _ ground: CountingGround?,
        into counts: inout PassageCounts
    ) {
        guard let previous, fix.time.since(previous.time) <= settings.fixes.gap else { return passages.forgetWay() }
        if let rest = restDuration(at: fix.time), rest >= RuleTime.clearedRestingAfter {
            return passages.finish(into: &counts)
        }
        guard let candidate = roads.first?.candidate, candidate.probability >= Self.probabilityCounted else { return }
        passages.drive(candidate.route.dropLast(), network, ground, into: &counts)
        passages.note(alerts)
    }
}
