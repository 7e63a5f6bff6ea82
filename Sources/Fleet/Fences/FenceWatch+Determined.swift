import Geo
import Messages

/// Which fences it is determined of on which side the vehicle is: those that are new to it, and those that come into force.
extension FenceWatch {
    /// Where vehicles are told of all fences: so many at one fix as being outside of, at most the nearest. Inside of which it
    /// is a vehicle hears of all.
    static let determinedMax = 1000
    /// How far beyond a fence's box its border may lie by rounding.
    private static let boxSlack: Metres = 1

    /// Those in force whose side has not been determined, of which the vehicle may have to be told.
    func newcomers(_ state: FenceState, at fix: Fix) -> [KnownFence] {
        guard !knowsAll(state) else { return [] }
        func isNew(_ fence: KnownFence) -> Bool {
            (fence.serial > state.determined || !fence.concerns(vehicle, groups: state.groups))
                && state.index(of: fence) == nil && fence.concerns(vehicle, groups: groups)
                && fence.fence.isInForce(at: fix.time)
        }
        switch determined {
        case .inside: return toBeTold(at: fix.position).filter(isNew)
        case .all:
            let late = catalogue.since(state.groups == groups ? state.determined : 0)
            return nearest(late, to: fix.position, where: isNew)
        }
    }

    /// Those that the vehicle may be inside of, and those that name it: how many others there are costs nothing.
    func toBeTold(at position: Coordinate) -> [KnownFence] {
        let box = Bounds(position, position).widened(by: Self.boxSlack)
        var found = catalogue.naming(vehicle)
        catalogue.near(box) { found.append($0) }
        return found
    }

    /// Those of some fences that a predicate holds for; where they are too many, those that may be inside of which the
    /// vehicle is, and the nearest of the others.
    func nearest(
        _ fences: some Sequence<KnownFence>, to position: Coordinate, where holds: (KnownFence) -> Bool
    ) -> [KnownFence] {
        var found: [KnownFence] = []
        for fence in fences where catalogue.isKnown(fence) && holds(fence) {
            found.append(fence)
            if found.count > Self.determinedMax { break }
        }
        guard found.count > Self.determinedMax else { return found }
        found = []
        catalogue.orderAll()
        catalogue.nearest(to: position, within: .infinity) { fence, bound in
            if bound > 0, found.count >= Self.determinedMax { return -.infinity }
            if holds(fence) { found.append(fence) }
            return .infinity
        }
        return found
    }

    func determine(
        _ state: inout FenceState, _ news: [KnownFence], at fix: Fix, time: Timestamp
    ) -> [FenceEventMessage] {
        guard !news.isEmpty else { return [] }
        var seen: Set<Int> = []
        return news.sorted { $0.fence.id < $1.fence.id }.compactMap { fence in
            guard seen.insert(fence.serial).inserted, let fence = catalogue.known[fence.fence.id] else { return nil }
            let isInside = fence.shape.signedDistance(from: fix.position) <= 0
            let message = determined(
                fence, &state, isInside ? .inside : .outside,
                BorderCrossing(position: fix.position, time: time, isInterpolated: false), time: time)
            return isInside || determined == .all || fence.fence.vehicles.contains(vehicle) ? message : nil
        }
    }

    func determined(
        _ fence: KnownFence, _ state: inout FenceState, _ side: FenceEventMessage.Side, _ place: BorderCrossing,
        time: Timestamp
    ) -> FenceEventMessage {
        state.set(
            FenceState.Border(
                fence: fence.fence.id, serial: fence.serial, since: side == .inside ? place.time : nil))
        return FenceEventMessage(.determined, fence, vehicle, side, time: time, place)
    }
}
