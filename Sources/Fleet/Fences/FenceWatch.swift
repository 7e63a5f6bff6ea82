import Geo

/// Follows one vehicle from fix to fix and says what it does at fences.
struct FenceWatch {
    /// Told of at one fix as being outside of, at most: a vehicle that is new to a hundred thousand fences hears of the
    /// nearest. Inside of which it is it hears of all.
    static let determinedMax = 1000
    /// Roads lead no farther beside the straight line between two fixes.
    private static let detour: (share: Double, metres: Metres) = (0.3, 100)

    let catalogue: FenceCatalogue
    let legs: LegFinder
    let hysteresisTime: Seconds
    let vehicle: VehicleID
    let groups: [String]

    /// Whether the vehicle has been told of all fences, and it is clear where it stands to them.
    func isUpToDate(_ standing: FenceStanding) -> Bool {
        standing.determined == catalogue.newest && standing.groups == groups
            && standing.borders.allSatisfy { $0.doubt == nil }
    }

    // MARK: Fixes

    /// A fix, of those that come in order, and the one before it.
    func follow(_ standing: inout FenceStanding, to fix: Fix, from previous: Fix?) -> [FenceEventMessage] {
        prune(&standing, at: fix.time)
        let news = newcomers(standing, at: fix)
        var events = concerned(standing, fix, previous).flatMap { fence in
            advance(&standing, at: fence, to: fix, from: previous)
        }
        events += determine(&standing, news, at: fix, time: fix.time)
        (standing.determined, standing.groups) = (catalogue.newest, groups)
        return events
    }

    /// What it may cross the border of, or has to do with anyhow; by id.
    private func concerned(_ standing: FenceStanding, _ fix: Fix, _ previous: Fix?) -> [KnownFence] {
        let moved = previous?.position.distance(to: fix.position) ?? 0
        let margin = Self.detour.share * moved + Self.detour.metres
        let box = Bounds(previous?.position ?? fix.position, fix.position).widened(by: margin)
        var near: [String: KnownFence] = [:]
        for fence in catalogue.near(box) { near[fence.fence.id] = fence }
        for border in standing.borders { near[border.fence] = catalogue.known[border.fence] }
        return near.values.filter { isWatched($0, standing, at: fix.time) }.sorted { $0.fence.id < $1.fence.id }
    }

    /// One that the vehicle has been told of, and that holds for it.
    private func isWatched(_ fence: KnownFence, _ standing: FenceStanding, at time: Timestamp) -> Bool {
        fence.serial <= standing.determined && fence.concerns(vehicle, groups: groups)
            && fence.concerns(vehicle, groups: standing.groups) && fence.fence.isInForce(at: time)
    }

    private func advance(
        _ standing: inout FenceStanding, at fence: KnownFence, to fix: Fix, from previous: Fix?
    ) -> [FenceEventMessage] {
        let border = standing.border(of: fence)
        var life = BorderLife(
            fence: fence, vehicle: vehicle, hysteresisTime: hysteresisTime,
            border: border ?? FenceStanding.Border(fence: fence.fence.id, serial: fence.serial))
        let distance = fence.shape.signedDistance(from: fix.position)
        let events = life.advance(to: fix, from: previous, distance, crossings(of: fence, fix, previous, distance))
        if border != nil || life.border.since != nil || life.border.doubt != nil { standing.set(life.border) }
        return events
    }

    /// Along the road where one is known; none where the border is too far to have been crossed.
    private func crossings(
        of fence: KnownFence, _ fix: Fix, _ previous: Fix?, _ distance: Metres
    ) -> [(crossing: BorderCrossing, isEntering: Bool)] {
        guard let previous, let straight = legs.leg(from: previous, to: fix) else { return [] }
        let moved = previous.position.distance(to: fix.position)
        guard distance.magnitude <= (1 + Self.detour.share) * moved + Self.detour.metres else { return [] }
        let leg = legs.roadLeg(from: previous, to: fix) ?? straight
        return leg.crossings(of: fence.shape)
    }

    /// Lets go of fences that are in force no longer: a state that ends so ends without an exit.
    private func prune(_ standing: inout FenceStanding, at time: Timestamp) {
        standing.borders.removeAll { border in
            guard let fence = catalogue.known[border.fence], fence.serial == border.serial else { return true }
            return !fence.concerns(vehicle, groups: groups) || !fence.fence.isInForce(at: time)
        }
    }

    // MARK: Determined

    /// Those in force that the vehicle has not been told of.
    private func newcomers(_ standing: FenceStanding, at fix: Fix) -> [KnownFence] {
        let late = catalogue.since(standing.determined)
        var news: [KnownFence]
        if standing.groups != groups {
            news = catalogue.since(0).filter {
                $0.serial > standing.determined || !$0.concerns(vehicle, groups: standing.groups)
            }
        } else if late.count > Self.determinedMax {
            news = nearest(late.count, after: standing.determined, to: fix.position)
        } else {
            news = Array(late)
        }
        news.removeAll { !catalogue.isKnown($0) || !holds($0, at: fix.time) }
        return news
    }

    private func holds(_ fence: KnownFence, at time: Timestamp) -> Bool {
        fence.concerns(vehicle, groups: groups) && fence.fence.isInForce(at: time)
    }

    private func nearest(_ count: Int, after serial: Int, to position: Coordinate) -> [KnownFence] {
        var found: [KnownFence] = []
        catalogue.nearest(to: position, within: .infinity) { fence, bound in
            if bound > 0, found.count >= Self.determinedMax { return false }
            if fence.serial > serial { found.append(fence) }
            return true
        }
        return found
    }

    private func determine(
        _ standing: inout FenceStanding, _ news: [KnownFence], at fix: Fix, time: Timestamp
    ) -> [FenceEventMessage] {
        var seen: Set<Int> = []
        return news.sorted { $0.fence.id < $1.fence.id }.compactMap { fence in
            guard seen.insert(fence.serial).inserted else { return nil }
            let isInside = fence.shape.signedDistance(from: fix.position) <= 0
            standing.set(
                FenceStanding.Border(
                    fence: fence.fence.id, serial: fence.serial, since: isInside ? time : nil))
            return FenceEventMessage(
                .determined, fence, vehicle, isInside ? .inside : .outside, time: time,
                BorderCrossing(position: fix.position, time: time, isInterpolated: false))
        }
    }

    // MARK: Deadlines

    /// When next something happens without a fix.
    ///
    /// - Parameter time: up to when the vehicle has been followed.
    func deadline(_ standing: FenceStanding, after time: Timestamp) -> Timestamp? {
        let change = catalogue.timetable.isEmpty ? nil : catalogue.timetable.nextChange(after: time)
        let borders = standing.borders.compactMap { border in
            catalogue.known[border.fence].flatMap { life($0, border).deadline }
        }
        return ([change].compactMap { $0 } + borders).min()
    }

    /// What falls due at a moment that `deadline` named.
    ///
    /// - Parameter fix: the last before it.
    func expire(_ standing: inout FenceStanding, at time: Timestamp, last fix: Fix) -> [FenceEventMessage] {
        prune(&standing, at: time)
        var events: [FenceEventMessage] = []
        for border in standing.borders {
            guard let fence = catalogue.known[border.fence] else { continue }
            var life = life(fence, border)
            events += life.expire(at: time, fix.position)
            standing.set(life.border)
        }
        guard !catalogue.timetable.isEmpty else { return events }
        let opening = catalogue.timetable.opening(at: time).filter { fence in
            isWatched(fence, standing, at: time) && standing.border(of: fence) == nil
        }
        return events + determine(&standing, opening, at: fix, time: time)
    }

    private func life(_ fence: KnownFence, _ border: FenceStanding.Border) -> BorderLife {
        BorderLife(fence: fence, vehicle: vehicle, hysteresisTime: hysteresisTime, border: border)
    }
}

extension FenceEventMessage {
    init(
        _ event: Event, _ fence: KnownFence, _ vehicle: VehicleID, _ state: Side, time: Timestamp,
        _ crossing: BorderCrossing, isThrough: Bool = false
    ) {
        let id = DerivedID.of(
            "fence", vehicle.text, fence.fence.id, event.rawValue, "\(crossing.time.milliseconds)")
        self.init(
            id: id, event: event, state: state, fence: fence.fence.id, fenceName: fence.fence.name, time: time,
            position: crossing.position, crossedAt: crossing.time, isInterpolated: crossing.isInterpolated,
            isThrough: isThrough)
    }
}
