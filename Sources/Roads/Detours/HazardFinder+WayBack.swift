import Geo

/// The ways back from an entry, to the turn-offs before it.
extension HazardFinder {
    /// What was found on the ways back from an entry.
    struct Walk {
        /// From the end of one edge onto the next.
        struct Turn: Hashable {
            var arriving: EdgeID
            var next: EdgeID
        }

        struct TurnOff {
            var arriving: EdgeID
            var next: EdgeID
            var onto: EdgeID
            var distanceToEntry: Metres
        }

        var turnOffs: [TurnOff] = []
        /// Nearest first; each with the edge that goes on to the entry, and how far its end is from there.
        var tooLate: [(edge: EdgeID, next: EdgeID, distance: Metres)] = []
        /// Out of another low zone, past no turn-off with a detour: who goes another way there may have passed one.
        var chainTurns: Set<Turn> = []
        /// Whether a truck may come from where a road begins, without having passed a turn-off or a low zone.
        var hasStart = false
        var isResolved = true
        /// Whether no turn-off has a detour, on any way. Nothing else is noted then.
        var leadsNowhere = false

        /// Into some places everybody comes without passing a turn-off with a detour, but for those who start beside
        /// the far side. "Too late" would be all over town there, so that other turn-offs count.
        var isCulDeSac: Bool { turnOffs.isEmpty || tooLate.count > Self.tooLateMax }

        /// With more edges that are too late than these, an entry is one of those places. (Real bridges on three extracts: at most 63.)
        static let tooLateMax = 1_000
    }

    /// Looks further round only as long as something on the ways back is undecided.
    mutating func walkBack(_ entry: EdgeID, _ zone: LowZone) -> Walk {
        // Where the network begins there is nothing to look for.
        if isBeginning(entry) { return Walk() }
        let rejoin = straightRoad.rejoinPoints(zone)
        for edge in rejoin.compactMap(\.edge) { dependence.add(edge, network) }
        search.start(at: rejoin.map(\.node))
        while true {
            let isLast = extendSearch()
            if leadsNowhere(before: entry, zone) { return Walk(leadsNowhere: true) }
            let walk = walk(entry, zone, until: isLast ? .detour : .detourOrUndecided)
            if walk.isResolved || isLast {
                addDependence(on: walk)
                return walk
            }
        }
    }

    /// Goes on with the search to the next larger radius.
    ///
    /// - Returns: whether there is none after it.
    mutating func extendSearch() -> Bool {
        let radius = max(search.radius * Self.radiusGrowth, Self.firstRadius)
        search.extend(to: min(radius, rules.lengthMax))
        return search.radius >= rules.lengthMax || search.isExhausted
    }

    /// About half of what is looked for is decided by then (changed clearances of one extract).
    private static let firstRadius: Metres = 2_000
    /// An area twice as large with each step: the search, which is most of the work, goes through at most twice the edges that it has
    /// to.
    private static let radiusGrowth = 2.0.squareRoot()

    /// All over town only the ways of the turn-offs matter, and that there is more that is too late than counts.
    private mutating func addDependence(on walk: Walk) {
        let nearCount = Walk.tooLateMax + 1
        for item in walk.tooLate.prefix(nearCount) { dependence.add(item.edge, network) }
        var onWays = Set(walk.turnOffs.map(\.next))
        for item in walk.tooLate.dropFirst(nearCount).reversed() where onWays.remove(item.edge) != nil {
            dependence.add(item.edge, network)
            onWays.insert(item.next)
        }
    }

    /// Whether it is certain, without a walk, that no turn-off before an entry has a detour: few edges lead to the far
    /// side, and nobody who comes to one of them comes to the entry. So it is where a low road is the only one to a yard;
    /// all of the map would be walked then.
    private mutating func leadsNowhere(before entry: EdgeID, _ zone: LowZone) -> Bool {
        guard search.isExhausted, search.settled.count <= Self.fewEdges else { return false }
        let entries = Set(aliases(entry))
        var seen: Set<EdgeID> = []
        // Too-low ones too: who comes out of a low zone may turn off there, and then the zone before is no part of a chain.
        var frontier = search.settled.flatMap { Array(network.predecessors($0)) }
        while let edge = frontier.popLast() {
            guard seen.insert(edge).inserted else { continue }
            guard seen.count <= Self.fewEdges else { return false }
            for next in network.successors(edge) where network.from(next) != zone.far {
                if entries.contains(next) { return false }
                if !tooLow.contains(next) { frontier.append(next) }
            }
        }
        return true
    }

    /// As many edges are looked at in far less time than a walk takes. (Yards on one extract: at most some dozen.)
    private static let fewEdges = 1_000

    enum Finding {
        case leads(EdgeID)
        case leadsNowhere
        case undecided
    }

    /// Where a walk back turns round.
    enum Goal {
        /// At turn-offs with a detour; all that is decided is known.
        case detour
        /// The same, and it ends where a longer search may find one.
        case detourOrUndecided
        case turnOff
    }

    /// What there is to be found for who arrives, and would else go on to `edge`.
    mutating func finding(_ arriving: EdgeID, _ edge: EdgeID, _ goal: Goal) -> Finding {
        let ahead = network.original(edge)
        func isTurnOff(_ other: EdgeID) -> Bool {
            network.original(other) != ahead && !tooLow.contains(other) && !network.isClosed(other)
        }
        var best: (distance: Metres, edge: EdgeID)?
        for other in network.successors(arriving) where isTurnOff(other) {
            if goal == .turnOff { return .leads(other) }
            guard let distance = search.distance(other), distance < best?.distance ?? .infinity else { continue }
            best = (distance, other)
        }
        if let best { return .leads(best.edge) }
        guard goal == .detourOrUndecided else { return .leadsNowhere }
        for other in network.successors(arriving) where isTurnOff(other) && search.mayStillReach(other) {
            return .undecided
        }
        return .leadsNowhere
    }

    /// How far back from an entry its ways are followed. Not `lengthMax`: a detour may be shorter than the way to the
    /// bridge.
    private static let reach: Metres = 30_000

    /// From the entry backwards, nearest first, over edges that are high enough, stopping at each turn-off that leads
    /// somewhere. Ways that have passed the far side lead away from it, and no detour is needed there; who comes by one all the
    /// same, as into a loop road that is low, has to turn off before it.
    mutating func walk(_ entry: EdgeID, _ zone: LowZone, until goal: Goal) -> Walk {
        walk(from: aliases(entry).map { (edge: $0, distance: 0) }, zone, until: goal)
    }

    /// The same from edges on ways that lead to the entry.
    ///
    /// - Parameter starts: with how far it is from where each begins to the entry.
    mutating func walk(
        from starts: [(edge: EdgeID, distance: Metres)], _ zone: LowZone, until goal: Goal
    ) -> Walk {
        var walk = Walk()
        var frontier = Frontier([EdgeID](), distances)
        for (edge, distance) in starts { _ = frontier.add(edge, distance) }
        while let (edge, distance) = frontier.next(), distance <= max(rules.lengthMax, Self.reach) {
            guard goal == .turnOff || network.from(edge) != zone.far else { continue }
            for arriving in network.predecessors(edge) {
                let isTooLow = tooLow.contains(arriving)
                let finding = finding(arriving, edge, goal)
                if case .leads(let onto) = finding {
                    dependence.add(arriving, network)
                    for edge in goal == .turnOff ? [onto] : search.path(onto) { dependence.add(edge, network) }
                }
                switch finding {
                case .leads(let onto) where !isTooLow:
                    walk.turnOffs.append(
                        Walk.TurnOff(arriving: arriving, next: edge, onto: onto, distanceToEntry: distance))
                case .leads:
                    break
                case .undecided:
                    walk.isResolved = false
                    return walk
                case .leadsNowhere where isTooLow:
                    walk.chainTurns.insert(Walk.Turn(arriving: arriving, next: edge))
                case .leadsNowhere:
                    if frontier.add(arriving, distance + network.length(arriving)) {
                        walk.tooLate.append((arriving, edge, distance))
                        if network.predecessors(arriving).isEmpty { walk.hasStart = true }
                    }
                }
            }
        }
        return walk
    }
}

extension HazardFinder.Found.Decision {
    init(_ turnOff: HazardFinder.Walk.TurnOff, detour: Int?) {
        self.init(
            arriving: turnOff.arriving, next: turnOff.next, detour: detour, turnOff: turnOff.onto,
            distanceToEntry: turnOff.distanceToEntry)
    }
}
