import Geo

/// Low zones that follow each other without a turn-off with a detour between.
extension HazardFinder {
    /// A low zone that is not chained to the next one straight ahead.
    struct LoneZone {
        var zone: LowZone
        var dependence: HazardDependence
    }

    /// Joins the next low zone straight ahead where no turn-off with a detour lies between the two. One that leads back to where the
    /// first is entered, as out of an estate with only one road into it, is left apart: nobody is bound for the far side of both.
    mutating func chained(_ entry: EdgeID, _ zone: LowZone) -> LowZone {
        if let lone = loneZone(entry) {
            dependence.formUnion(lone.dependence)
            return zone
        }
        let tail = zone.edges[zone.edges.count - 1]
        guard let (between, entry) = straightRoad.nextLowZone(after: zone, &dependence), !zone.edges.contains(entry)
        else {
            return zone
        }
        guard let next = resolve(network.original(entry)) else { return zone }
        // Whether one of many edges is too late may depend on any of the others.
        if case .edges(let edges, _) = next.tooLate, edges.count > Walk.tooLateMax {
            for edge in edges { dependence.add(edge, network) }
        }
        guard next.zone.far != network.from(zone.edges[0]), isTooLate(from: tail, between, entry, next.tooLate),
            !hasDetour(on: [tail] + between + [entry], next.found)
        else {
            return zone
        }
        return LowZone(
            edges: zone.edges + between + next.zone.edges, far: next.zone.far, ahead: next.zone.ahead)
    }

    /// A chain up to the low zone behind which a truck that sets off in the first can turn off for the first time, with a detour or
    /// without: of the next ones it is told there. Not at the very end of a low zone: of a turn-off there nobody is told.
    mutating func upToTurnOff(_ chain: LowZone) -> LowZone {
        var last = 0
        for (index, (arriving, next)) in zip(chain.edges, chain.edges.dropFirst()).enumerated() {
            if tooLow.contains(arriving) {
                last = index
            } else if case .leads(let onto) = finding(arriving, next, .turnOff) {
                dependence.add(onto, network)
                let edges = Array(chain.edges[...last])
                return LowZone(edges: edges, far: network.to(edges[last]), ahead: chain.edges[last + 1])
            }
        }
        return chain
    }

    /// Whether a truck that comes out of a low zone straight to the next entry passes no turn-off with a detour.
    private func isTooLate(from tail: EdgeID, _ between: [EdgeID], _ entry: EdgeID, _ tooLate: TooLate) -> Bool {
        switch tooLate {
        case .edges(let edges, let turns):
            between.allSatisfy(edges.contains)
                && turns.contains(Walk.Turn(arriving: tail, next: between.first ?? entry))
        case .allEdges(let far): (between + [entry]).allSatisfy { network.from($0) != far }
        }
    }

    /// Whether a turn of the straight road to the next entry has a detour: from an edge that is too late on one way it may have one on
    /// another.
    private func hasDetour(on road: [EdgeID], _ found: Found?) -> Bool {
        guard let found else { return false }
        return zip(road, road.dropFirst()).contains { arriving, next in
            found.decisions.contains { $0.detour != nil && $0.arriving == arriving && $0.next == next }
        }
    }

    /// The low zone behind an entry, where a short search shows that it is no chain; nil where more has to be looked at.
    ///
    /// On most roads a turn-off near the next low zone has a short detour round it. One such way is all that this depends on, while
    /// all ways back from the next low zone depend on many edges, and take far longer to find.
    private mutating func loneZone(_ entry: EdgeID) -> LoneZone? {
        if let known = loneZones[entry] { return known }
        // Who comes back here, as on a ring, has to look at more.
        loneZones[entry] = .some(nil)
        let (enclosing, enclosingAnswers) = (dependence, tooLow.forget())
        dependence = HazardDependence()
        defer {
            dependence = enclosing
            _ = tooLow.forget()
            tooLow.remember(enclosingAnswers)
        }
        let zone = straightRoad.lowZone(entry)
        let tail = zone.edges[zone.edges.count - 1]
        let next = straightRoad.nextLowZone(after: zone, &dependence)
        dependence.add(blocking: tooLow.blocking)
        if let next, !zone.edges.contains(next.entry) {
            guard let beyond = loneZone(network.original(next.entry)) else { return nil }
            dependence.formUnion(beyond.dependence)
            guard hasShortDetour(round: beyond.zone, [tail] + next.between + [next.entry]) else { return nil }
        }
        let lone = LoneZone(zone: zone, dependence: dependence)
        loneZones[entry] = lone
        return lone
    }

    /// Whether a turn-off on the straight road to a low zone has a detour round it, of which some kilometres are looked at.
    ///
    /// - Parameter road: the edges to the entry, itself included.
    private mutating func hasShortDetour(round zone: LowZone, _ road: [EdgeID]) -> Bool {
        let rejoin = straightRoad.rejoinPoints(zone)
        search.start(at: rejoin.map(\.node))
        search.extend(to: min(Self.shortDetour, rules.lengthMax))
        for (arriving, ahead) in zip(road, road.dropFirst()).reversed() {
            guard case .leads(let onto) = finding(arriving, ahead, .detour) else { continue }
            for edge in search.path(onto) + rejoin.compactMap(\.edge) { dependence.add(edge, network) }
            return true
        }
        return false
    }

    private static let shortDetour: Metres = 2_000
}
