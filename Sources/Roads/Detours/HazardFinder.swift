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
        /// Behind a decision, with another turn-off ahead.
        var leading: [(edge: EdgeID, distance: Metres)] = []
        /// Whether a detour led under something of unknown height, so that what is shown depends on all edges that are.
        var hasAvoidedUnknown = false
    }

    /// What is remembered of an entry that another zone may be chained to.
    struct Resolved {
        var zone: LowZone
        var found: Found?
        var tooLate: TooLate
        var dependence: HazardDependence
        /// Of the low zones straight on, its own among them, that were looked at: on a way that has come by one of them before,
        /// something else is found.
        var chainEntries: Set<EdgeID>
    }

    /// Edges from which an entry is reached without a turn-off with a detour between, and the turns out of too-low ones from
    /// which it is.
    enum TooLate {
        case edges(Set<EdgeID>, turns: Set<Walk.Turn>)
        /// All, on whatever way, but for those that have passed the far side.
        case allEdges(before: NodeID)
    }

    let network: RoadNetwork
    let tooLow: TooLowAnswers
    let rules: DetourRules
    /// What the detours that are shown avoid where they can.
    let unknown: TooLowEdges?
    let straightRoad: StraightRoad
    /// Whether hazards are about a clearance, and their messages name it.
    private let isSubject: (ClearanceID) -> Bool
    private let shadowsOf: [EdgeID: [EdgeID]]
    private(set) lazy var search = DetourSearch(network, memory.detours) { [network, tooLow, rules] edge in
        !tooLow.contains(edge) && network.mayDetour(over: edge, rules.through)
    }
    private let memory: SearchMemory
    var distances: EdgeDistances { memory.distances }
    private var resolved: [EdgeID: Resolved] = [:]
    /// By entry; see `loneZone`.
    var loneZones: [EdgeID: LoneZone?] = [:]
    /// Too-low edges of the chain that is being followed.
    private var underWay: Set<EdgeID> = []
    /// Whether that chain came back to itself: what is found along the ring holds for where it began, and nowhere else.
    private var isRing = false
    /// Of the entry that was resolved last.
    private var chainEntries: Set<EdgeID> = []
    /// Of the entry that is being resolved.
    var dependence = HazardDependence()

    init(
        _ network: RoadNetwork, _ tooLow: TooLowEdges, _ rules: DetourRules, avoiding unknown: TooLowEdges?,
        _ memory: SearchMemory,
        about isSubject: @escaping (ClearanceID) -> Bool
    ) {
        self.network = network
        self.memory = memory
        self.isSubject = isSubject
        let tooLow = TooLowAnswers(tooLow, network)
        self.tooLow = tooLow
        self.rules = rules
        self.unknown = unknown
        straightRoad = StraightRoad(network: network, tooLow: tooLow, rules: rules)
        shadowsOf = Dictionary(grouping: network.shadows, by: network.original)
    }

    /// An edge and the shadows of it.
    func aliases(_ edge: EdgeID) -> [EdgeID] { [edge] + (shadowsOf[edge] ?? []) }

    /// Whether no edge leads to an entry.
    func isBeginning(_ entry: EdgeID) -> Bool { aliases(entry).allSatisfy { network.predecessors($0).isEmpty } }

    /// Too-low edges that can be entered from one that is not, and those at which the network begins: a truck
    /// sets off there, at the end of a road, or comes in over the border of the map.
    ///
    /// - Parameter isSought: which are looked at.
    func entries(where isSought: (EdgeID) -> Bool) -> [EdgeID] {
        let tooLow = tooLow.edges
        return tooLow.edges.filter { entry in
            guard isSought(entry) else { return false }
            let before = aliases(entry).flatMap { Array(network.predecessors($0)) }
            return before.isEmpty || before.contains { !tooLow.contains($0) }
        }
    }

    /// What is found for one entry.
    struct Outcome: Sendable {
        /// Nil where the entry can only be reached out of another low zone.
        var found: Found?
        var dependence: HazardDependence

        /// Whether the same detours are shown where other edges than before are of unknown height.
        func holds(avoiding unknown: TooLowEdges?) -> Bool {
            guard let found else { return true }
            return !found.hasAvoidedUnknown && !found.hazard.detours.contains { unknown?.limits($0.edges) == true }
        }
    }

    mutating func outcome(_ entry: EdgeID) -> Outcome {
        // What other entries depend on is none of this one's.
        (dependence, _) = (HazardDependence(), tooLow.forget())
        let resolved = resolve(entry)
        return Outcome(found: resolved?.found, dependence: resolved?.dependence ?? HazardDependence())
    }

    mutating func resolve(_ entry: EdgeID) -> Resolved? {
        if let known = resolved[entry], known.chainEntries.isDisjoint(with: underWay) {
            dependence.formUnion(known.dependence)
            chainEntries = known.chainEntries
            return known
        }
        guard !underWay.contains(entry) else {
            isRing = true
            return nil
        }
        let (enclosing, enclosingDependence, enclosingAnswers) = (underWay, dependence, tooLow.forget())
        (dependence, chainEntries) = (HazardDependence(), [])
        defer {
            underWay = enclosing
            dependence.formUnion(enclosingDependence)
            tooLow.remember(enclosingAnswers)
        }
        let lowZone = straightRoad.lowZone(entry)
        underWay.formUnion(lowZone.edges.map(network.original))
        let (zone, walk) = wayBack(entry, lowZone)
        let tooLate: TooLate =
            walk.leadsNowhere
            ? .allEdges(before: zone.far) : .edges(Set(walk.tooLate.map(\.edge)), turns: walk.chainTurns)
        let found = hazard(entry, zone, walk)
        dependence.add(blocking: tooLow.blocking)
        chainEntries.insert(entry)
        let result = Resolved(
            zone: zone, found: found, tooLate: tooLate, dependence: dependence, chainEntries: chainEntries)
        if !isRing { resolved[entry] = result }
        if enclosing.isEmpty { isRing = false }
        return result
    }

    /// Back from the entry of a chain; of its first zone alone where only that has a detour: else a low yard at the end
    /// of a road would be chained to every bridge before it and take their detours away. Where the network begins, up to a turn-off.
    private mutating func wayBack(_ entry: EdgeID, _ lowZone: LowZone) -> (zone: LowZone, walk: Walk) {
        let chain = chained(entry, lowZone)
        let walk = walkBack(entry, chain)
        guard walk.turnOffs.isEmpty, chain.edges.count > lowZone.edges.count else { return (chain, walk) }
        if isBeginning(entry) { return (upToTurnOff(chain), walk) }
        let alone = walkBack(entry, lowZone)
        return alone.turnOffs.isEmpty ? (chain, walk) : (lowZone, alone)
    }

    // MARK: Putting it together

    private mutating func hazard(_ entry: EdgeID, _ zone: LowZone, _ wayBack: Walk) -> Found? {
        var found = Found(
            hazard: Hazard(
                entry: entry, zone: zone.edges, clearances: [], structures: [],
                isPublic: !network.isService(entry), detours: []),
            decisions: [], tooLate: wayBack.tooLate.map { ($0.edge, $0.distance) })
        addDetours(wayBack, zone, to: &found)
        guard wayBack.isCulDeSac else {
            addOtherTurnOffs(wayBack, entry, zone, to: &found)
            return found
        }
        let anywhere = walk(entry, zone, until: .turnOff)
        for item in anywhere.tooLate { dependence.add(item.edge, network) }
        let isReached = !wayBack.turnOffs.isEmpty || !anywhere.turnOffs.isEmpty || anywhere.hasStart
        if !isReached && !anywhere.chainTurns.isEmpty { return nil }
        found.tooLate = anywhere.tooLate.map { ($0.edge, $0.distance) }
        found.decisions += anywhere.turnOffs.map { Found.Decision($0, detour: nil) }
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
            found.decisions.append(Found.Decision(turnOff, detour: position[key]))
        }
        avoidUnknown(walk, zone, in: &found)
    }

    /// By the search as it stands.
    mutating func detour(_ turnOff: Walk.TurnOff, _ zone: LowZone) -> DetourPoint {
        let path = search.path(turnOff.onto)
        let length = search.distance(turnOff.onto) ?? 0
        let rejoin = network.to(path[path.count - 1])
        let under = zone.edges.reduce(0) { $0 + network.length($1) }
        let behind = straightRoad.rejoinPoints(zone).first { $0.node == rejoin }?.distance ?? 0
        let difference = length - (turnOff.distanceToEntry + under + behind)
        let extra = abs(difference) < Self.rounding ? 0 : difference
        let back = network.reverse(turnOff.arriving)
        return DetourPoint(
            junction: network.to(turnOff.arriving), arriving: network.original(turnOff.arriving),
            distanceToEntry: turnOff.distanceToEntry, edges: path, length: length,
            extra: extra,
            isTurnaround: back.map { back in path.contains { network.original($0) == back } } ?? false,
            hasShorterWay: extra < 0)
    }

    /// Lengths that differ by less are equal: each edge's is rounded, and so is `extra` where it is shown.
    private static let rounding: Metres = 0.05

    /// A hazard with the clearances that limit its zone now.
    func named(_ hazard: Hazard) -> Hazard {
        var hazard = hazard
        hazard.clearances = clearances(hazard.zone)
        hazard.structures = []
        for id in hazard.clearances.map(structure) where !hazard.structures.contains(id) {
            hazard.structures.append(id)
        }
        return hazard
    }

    /// The lowest clearance of the structure that one tells of, as long as hazards are about that one, too.
    private func structure(_ clearance: ClearanceID) -> ClearanceID {
        let lowest = network.status(clearance).lowest(of: clearance)
        return isSubject(lowest) ? lowest : clearance
    }

    /// Each clearance once, in driving order, an edge's lowest first, those of unknown height last.
    private func clearances(_ zone: [EdgeID]) -> [ClearanceID] {
        var ordered: [ClearanceID] = []
        for edge in zone {
            let limits = network.clearances(edge).filter(isSubject).map { id in
                let limit: Centimetres = if case .limit(let limit) = network.reading(id) { limit } else { .max }
                return (limit: limit, id: id)
            }
            for id in limits.sorted(by: <).map(\.id) where !ordered.contains(id) { ordered.append(id) }
        }
        return ordered
    }
}
