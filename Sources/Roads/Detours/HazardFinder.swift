import Clearances
import Geo

/// Finds the hazard that begins at one entry, straight from the definitions: low zone, far side, rejoin points, chain,
/// then back from the entry to the first turn-offs with a detour.
struct HazardFinder {
    struct Found: Sendable {
        struct Decision: Sendable {
            var arriving: EdgeID
            var next: EdgeID
            var detour: Int?
            var turnOff: EdgeID
            var distanceToEntry: Metres
        }

        var hazard: Hazard
        var decisions: [Decision]
        var tooLate: [(edge: EdgeID, distance: Metres)]
    }

    /// What is remembered of an entry that another zone may be chained to.
    private struct Resolved {
        var zone: LowZone
        var found: Found?
        var tooLate: TooLate
        var touched: TouchedArea
    }

    /// Edges from which an entry is reached without a turn-off with a detour between, and too-low ones that end where such
    /// do.
    private enum TooLate {
        case edges(Set<EdgeID>, tails: Set<EdgeID>)
        /// All, on whatever way, but for those that have passed the far side.
        case allEdges(before: NodeID)
    }

    private let network: RoadNetwork
    private let tooLow: TooLowEdges
    private let rules: DetourRules
    private let straightRoad: StraightRoad
    /// Clearances that hazards are about, and that their messages name.
    private let judged: Set<ClearanceID>
    private let shadowsOf: [EdgeID: [EdgeID]]
    private lazy var search = DetourSearch(network) { [network, tooLow, rules] edge in
        !tooLow.contains(edge) && network.mayPassThrough(edge, rules.through)
    }
    private lazy var distances = EdgeDistances(network)
    private var resolved: [EdgeID: Resolved] = [:]
    /// Too-low edges of the chain that is being followed.
    private var underWay: Set<EdgeID> = []
    /// Whether that chain came back to itself: what is found along the ring holds for where it began, and nowhere else.
    private var isRing = false
    /// What was looked at for the entry that is being resolved.
    private var touched = TouchedArea()

    init(_ network: RoadNetwork, _ tooLow: TooLowEdges, _ rules: DetourRules, about clearances: Set<ClearanceID>) {
        self.network = network
        judged = clearances
        self.tooLow = tooLow
        self.rules = rules
        straightRoad = StraightRoad(network: network, tooLow: tooLow, rules: rules)
        shadowsOf = Dictionary(grouping: network.shadows, by: network.original)
    }

    /// An edge and the shadows of it.
    func aliases(_ edge: EdgeID) -> [EdgeID] { [edge] + (shadowsOf[edge] ?? []) }

    /// Too-low edges that can be entered from one that is not.
    var entries: [EdgeID] {
        tooLow.edges.filter { entry in
            aliases(entry).contains { network.predecessors($0).contains { !tooLow.contains($0) } }
        }
    }

    /// What is found for one entry.
    struct Outcome: Sendable {
        /// Nil where the entry can only be reached out of another low zone.
        var found: Found?
        /// Where it depends on which edges are too low.
        var touched: TouchedArea
    }

    mutating func outcome(_ entry: EdgeID) -> Outcome {
        let resolved = resolve(entry)
        return Outcome(found: resolved?.found, touched: resolved?.touched ?? TouchedArea())
    }

    private mutating func resolve(_ entry: EdgeID) -> Resolved? {
        if let known = resolved[entry] {
            touched.formUnion(known.touched)
            return known
        }
        guard !underWay.contains(entry) else {
            isRing = true
            return nil
        }
        let (enclosing, enclosingTouched) = (underWay, touched)
        touched = TouchedArea()
        defer {
            underWay = enclosing
            touched.formUnion(enclosingTouched)
        }
        let lowZone = straightRoad.lowZone(entry)
        touched.add(network.from(entry), network)
        for edge in lowZone.edges { touched.add(network.to(edge), network) }
        underWay.formUnion(lowZone.edges.map(network.original))
        let (zone, walk) = wayBack(entry, lowZone)
        let tooLate: TooLate =
            walk.leadsNowhere
            ? .allEdges(before: zone.far) : .edges(Set(walk.tooLate.map(\.edge)), tails: walk.chainTails)
        let found = hazard(entry, zone, walk)
        let result = Resolved(zone: zone, found: found, tooLate: tooLate, touched: touched)
        if !isRing { resolved[entry] = result }
        if enclosing.isEmpty { isRing = false }
        return result
    }

    /// Back from the entry of a chain; of its first zone alone where only that has a detour: else a low yard at the end
    /// of a road would be chained to every bridge before it and take their detours away.
    private mutating func wayBack(_ entry: EdgeID, _ lowZone: LowZone) -> (zone: LowZone, walk: Walk) {
        let chain = chained(lowZone)
        let walk = walkBack(entry, chain)
        guard walk.turnOffs.isEmpty, chain.edges.count > lowZone.edges.count else { return (chain, walk) }
        let alone = walkBack(entry, lowZone)
        return alone.turnOffs.isEmpty ? (chain, walk) : (lowZone, alone)
    }

    /// Joins the next low zone straight ahead where no turn-off with a detour lies between the two.
    private mutating func chained(_ zone: LowZone) -> LowZone {
        let tail = zone.edges[zone.edges.count - 1]
        guard let (between, entry) = straightRoad.nextLowZone(after: tail, &touched), !zone.edges.contains(entry) else {
            return zone
        }
        guard let next = resolve(network.original(entry)) else { return zone }
        guard isTooLate(from: tail, between, entry, next.tooLate) else { return zone }
        return LowZone(edges: zone.edges + between + next.zone.edges, far: next.zone.far)
    }

    /// Whether a truck that comes out of a low zone straight to the next entry passes no turn-off with a detour.
    private func isTooLate(from tail: EdgeID, _ between: [EdgeID], _ entry: EdgeID, _ tooLate: TooLate) -> Bool {
        switch tooLate {
        case .edges(let edges, let tails): between.allSatisfy(edges.contains) && tails.contains(tail)
        case .allEdges(let far): (between + [entry]).allSatisfy { network.from($0) != far }
        }
    }

    // MARK: Back from the entry

    /// What was found on the ways back from an entry.
    private struct Walk {
        struct TurnOff {
            var arriving: EdgeID
            var next: EdgeID
            var onto: EdgeID
            var distanceToEntry: Metres
        }

        var turnOffs: [TurnOff] = []
        var tooLate: [(edge: EdgeID, distance: Metres)] = []
        var chainTails: Set<EdgeID> = []
        /// Whether a truck may come without having passed a turn-off or a low zone: from where a road begins, or from the
        /// far side.
        var hasStart = false
        var isResolved = true
        /// Whether no turn-off has a detour, on any way. Nothing else is noted then.
        var leadsNowhere = false

        /// Into some places everybody comes without passing a turn-off with a detour, but for those who start beside
        /// the far side. "Too late" would be all over town there, so that other turn-offs count from this many edges on.
        /// (Real bridges on three extracts: at most 63.)
        var isCulDeSac: Bool { turnOffs.isEmpty || tooLate.count > 1_000 }
    }

    /// Looks further round only as long as something on the ways back is undecided.
    private mutating func walkBack(_ entry: EdgeID, _ zone: LowZone) -> Walk {
        defer { touched.formUnion(search.touched) }
        search.start(at: straightRoad.rejoinPoints(zone).map(\.node))
        for radius in [2_000, 8_000, rules.lengthMax] {
            search.extend(to: min(radius, rules.lengthMax))
            let isLast = radius >= rules.lengthMax || search.isExhausted
            if leadsNowhere(before: entry, zone) { return Walk(leadsNowhere: true) }
            let walk = walk(entry, zone, until: isLast ? .detour : .detourOrUndecided)
            if walk.isResolved || isLast { return walk }
        }
        return Walk()
    }

    /// Whether it is certain, without a walk, that no turn-off before an entry has a detour: few edges lead to the far
    /// side, and nobody who comes to one of them comes to the entry. So it is where a low road is the only one to a yard;
    /// all of the map would be walked then.
    private mutating func leadsNowhere(before entry: EdgeID, _ zone: LowZone) -> Bool {
        guard search.isExhausted, search.settled.count <= Self.fewEdges else { return false }
        let entries = Set(aliases(entry))
        var seen: Set<EdgeID> = []
        var frontier = search.settled.flatMap { Array(network.predecessors($0)) }.filter { !tooLow.contains($0) }
        while let edge = frontier.popLast() {
            guard seen.insert(edge).inserted else { continue }
            guard seen.count <= Self.fewEdges else { return false }
            touched.add(network.to(edge), network)
            for next in network.successors(edge) where network.from(next) != zone.far {
                if entries.contains(next) { return false }
                if !tooLow.contains(next) { frontier.append(next) }
            }
        }
        return true
    }

    /// As many edges are looked at in far less time than a walk takes. (Yards on one extract: at most some dozen.)
    private static let fewEdges = 1_000

    private enum Finding {
        case leads(EdgeID)
        case leadsNowhere
        case undecided
    }

    /// Where a walk back turns round.
    private enum Goal {
        /// At turn-offs with a detour; all that is decided is known.
        case detour
        /// The same, and it ends where a longer search may find one.
        case detourOrUndecided
        case turnOff
    }

    /// What there is to be found for who arrives, and would else go on to `edge`.
    private mutating func finding(_ arriving: EdgeID, _ edge: EdgeID, _ goal: Goal) -> Finding {
        let ahead = network.original(edge)
        func isTurnOff(_ other: EdgeID) -> Bool { network.original(other) != ahead && !tooLow.contains(other) }
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
    /// somewhere. Ways that have passed the far side lead away from it and are no approaches.
    private mutating func walk(
        _ entry: EdgeID, _ zone: LowZone, until goal: Goal
    ) -> Walk {
        var walk = Walk()
        var frontier = Frontier(aliases(entry), distances)
        while let (edge, distance) = frontier.next(), distance <= max(rules.lengthMax, Self.reach) {
            touched.add(network.from(edge), network)
            guard network.from(edge) != zone.far else {
                walk.hasStart = true
                continue
            }
            for arriving in network.predecessors(edge) {
                let isTooLow = tooLow.contains(arriving)
                switch finding(arriving, edge, goal) {
                case .leads(let onto) where !isTooLow:
                    walk.turnOffs.append(
                        Walk.TurnOff(arriving: arriving, next: edge, onto: onto, distanceToEntry: distance))
                case .leads:
                    break
                case .undecided:
                    walk.isResolved = false
                    return walk
                case .leadsNowhere where isTooLow:
                    walk.chainTails.insert(arriving)
                case .leadsNowhere:
                    if frontier.add(arriving, distance + network.length(arriving)) {
                        walk.tooLate.append((arriving, distance))
                        if network.predecessors(arriving).isEmpty { walk.hasStart = true }
                    }
                }
            }
        }
        return walk
    }

    // MARK: Putting it together

    private mutating func hazard(_ entry: EdgeID, _ zone: LowZone, _ wayBack: Walk) -> Found? {
        var found = Found(
            hazard: Hazard(
                entry: entry, zone: zone.edges, clearances: clearances(zone.edges),
                isPublic: !network.isService(entry), detours: []),
            decisions: [], tooLate: wayBack.tooLate)
        addDetours(wayBack, zone, to: &found)
        guard wayBack.isCulDeSac else { return found }
        let anywhere = walk(entry, zone, until: .turnOff)
        let isReached = !wayBack.turnOffs.isEmpty || !anywhere.turnOffs.isEmpty || anywhere.hasStart
        if !isReached && !anywhere.chainTails.isEmpty { return nil }
        found.tooLate = anywhere.tooLate
        found.decisions += anywhere.turnOffs.map { turnOff in
            Found.Decision(
                arriving: turnOff.arriving, next: turnOff.next, detour: nil, turnOff: turnOff.onto,
                distanceToEntry: turnOff.distanceToEntry)
        }
        return found
    }

    private mutating func addDetours(_ walk: Walk, _ zone: LowZone, to found: inout Found) {
        var position: [EdgeID: Int] = [:]
        for turnOff in walk.turnOffs {
            let key = network.original(turnOff.arriving)
            if position[key] == nil {
                position[key] = found.hazard.detours.count
                found.hazard.detours.append(detour(turnOff, zone))
            }
            found.decisions.append(
                Found.Decision(
                    arriving: turnOff.arriving, next: turnOff.next, detour: position[key], turnOff: turnOff.onto,
                    distanceToEntry: turnOff.distanceToEntry))
        }
    }

    private mutating func detour(_ turnOff: Walk.TurnOff, _ zone: LowZone) -> DetourPoint {
        let path = search.path(turnOff.onto)
        let length = search.distance(turnOff.onto) ?? 0
        let rejoin = network.to(path[path.count - 1])
        let under = zone.edges.reduce(0) { $0 + network.length($1) }
        let behind = straightRoad.rejoinPoints(zone).first { $0.node == rejoin }?.distance ?? 0
        let back = network.reverse(turnOff.arriving)
        return DetourPoint(
            junction: network.to(turnOff.arriving), arriving: network.original(turnOff.arriving),
            distanceToEntry: turnOff.distanceToEntry, edges: path, length: length,
            extra: length - (turnOff.distanceToEntry + under + behind),
            isTurnaround: back.map { back in path.contains { network.original($0) == back } } ?? false)
    }

    /// Each clearance once, in driving order, an edge's lowest first, those of unknown height last.
    func clearances(_ zone: [EdgeID]) -> [ClearanceID] {
        var ordered: [ClearanceID] = []
        for edge in zone {
            let limits = network.clearances(edge).filter(judged.contains).map { id in
                let limit: Centimetres = if case .limit(let limit) = network.reading(id) { limit } else { .max }
                return (limit: limit, id: id)
            }
            for id in limits.sorted(by: <).map(\.id) where !ordered.contains(id) { ordered.append(id) }
        }
        return ordered
    }
}
