import Clearances
public import Geo

/// All hazards for one effective height, and where on the road they matter.
public final class HazardTable: Sendable {
    /// On driving from an edge onto `next` a truck passes its last turn-off before a hazard: the last that has a detour
    /// or, where none has, the last turn-off of any kind.
    public struct Decision: Hashable, Sendable {
        public var next: EdgeID
        /// Position in `hazards`.
        public var hazard: Int
        /// Position in the hazard's `detours`; nil where `turnOff` has no detour.
        public var detour: Int?
        public var turnOff: EdgeID
        /// From the junction to the entry along `next`.
        public var distanceToEntry: Metres
    }

    /// From here the hazard is reached without any turn-off that has a detour.
    public struct TooLate: Hashable, Sendable {
        public var hazard: Int
        /// From the edge's end to the entry.
        public var distanceToEntry: Metres
    }

    public let height: Centimetres
    public let rules: DetourRules
    public let tooLow: TooLowEdges
    /// Edges of unknown height that detours avoid where another from the same junction does; nil: none are avoided.
    public let unknown: TooLowEdges?
    public let hazards: [Hazard]
    /// By arriving edge.
    public let decisions: EdgeMap<[Decision]>
    /// By edge; the entry itself is not among them.
    public let tooLate: EdgeMap<[TooLate]>
    /// By edge behind a decision turn whose detour is the shorter way, which other turn-offs follow: what was told there still
    /// lies ahead.
    public let leading: EdgeMap<[TooLate]>
    /// By entry edge and its shadows.
    public let entries: EdgeMap<Int>
    /// By edge of the zone, originals only; ascending.
    public let zones: EdgeMap<[Int]>
    /// Only hazards that are entered within it are in the table; nil: all of the map's are.
    public let area: Bounds?
    /// By entry.
    private let outcomes: [EdgeID: HazardFinder.Outcome]

    /// - Parameters:
    ///   - height: effective height of the vehicle.
    ///   - unknown: edges of unknown height of which the vehicle is told: see `DetourPoint.edges`. Which hazards there are, their
    ///     detour points, and where it is too late do not depend on them.
    ///   - area: hazards that are entered outside of it are left out; nil: none are.
    ///   - former: other tables of the same roads and rules, for another height or other clearances, the likest first: what is
    ///     the same in both is taken from them, which is faster and changes nothing in the result.
    ///   - memory: of the same roads; nil: none is kept.
    public convenience init(
        _ network: RoadNetwork, height: Centimetres, rules: DetourRules = DetourRules(),
        avoiding unknown: TooLowEdges? = nil, within area: Bounds? = nil, from former: [HazardTable] = [],
        memory: SearchMemory? = nil
    ) {
        self.init(
            network, height: height, rules: rules, tooLow: TooLowEdges(network, height: height), avoiding: unknown,
            about: network.isTooLow(for: height), within: area, from: former, memory
        ) { _ in true }
    }

    /// Hazards under which the vehicle may or may not fit: nobody knows. A detour round them is under nothing too low
    /// either.
    ///
    /// - Parameters:
    ///   - area, former, memory: as above.
    ///   - isUnknown: which clearances of unknown height are judged.
    public convenience init(
        _ network: RoadNetwork, height: Centimetres, rules: DetourRules = DetourRules(), within area: Bounds? = nil,
        from former: [HazardTable] = [], memory: SearchMemory? = nil,
        unknown isUnknown: @escaping (ClearanceID) -> Bool
    ) {
        let low = TooLowEdges(network, height: height)
        let unknown = TooLowEdges(network, unknown: isUnknown)
        self.init(
            network, height: height, rules: rules, tooLow: low.union(unknown, network), avoiding: nil,
            about: isUnknown, within: area, from: former, memory
        ) { unknown.contains($0) && !low.contains($0) }
    }

    /// - Parameters:
    ///   - tooLow: edges that no detour may lead over.
    ///   - unknown: edges that those that are shown avoid where they can.
    ///   - isSubject: which clearances hazards are about.
    ///   - isJudged: which entries are hazards.
    private init(
        _ network: RoadNetwork, height: Centimetres, rules: DetourRules, tooLow: TooLowEdges,
        avoiding unknown: TooLowEdges?, about isSubject: @escaping (ClearanceID) -> Bool, within area: Bounds?,
        from former: [HazardTable], _ memory: SearchMemory?, isJudged: (EdgeID) -> Bool
    ) {
        let tooLow = tooLow.withoutBeginnings(network, rules)
        self.height = height
        self.rules = rules
        self.tooLow = tooLow
        self.unknown = unknown
        self.area = area
        var finder = HazardFinder(
            network, tooLow, rules, avoiding: unknown, .of(memory, for: network), about: isSubject)
        let former = former.filter { $0.rules == rules }
        let judged = finder.entries { entry in
            isJudged(entry) && area?.contains(network.coordinate(network.from(entry))) ?? true
        }
        let hasSameUnknown = former.map { $0.unknown?.edges == unknown?.edges }
        let same = former.indices.first { index in
            former[index].tooLow.edges == tooLow.edges && former[index].isAbout(judged)
                && (hasSameUnknown[index] || former[index].outcomes.values.allSatisfy { $0.holds(avoiding: unknown) })
        }
        if let same = same.map({ former[$0] }) {
            // The clearances may be others that limit the same edges.
            hazards = same.hazards.map { finder.named($0) }
            (decisions, tooLate, leading) = (same.decisions, same.tooLate, same.leading)
            (entries, zones) = (same.entries, same.zones)
            outcomes = same.outcomes
            return
        }
        var hazards: [Hazard] = []
        var decisions: [EdgeID: [Decision]] = [:]
        var tooLate: [EdgeID: [TooLate]] = [:]
        var leading: [EdgeID: [TooLate]] = [:]
        var entries: [EdgeID: Int] = [:]
        var zones: [EdgeID: [Int]] = [:]
        var outcomes: [EdgeID: HazardFinder.Outcome] = [:]
        let changes = former.map { tooLow.difference(from: $0.tooLow) }
        for entry in judged {
            let known = former.indices.lazy.compactMap { index in
                former[index].outcomes[entry].flatMap { outcome in
                    outcome.dependence.holds(after: changes[index])
                        && (hasSameUnknown[index] || outcome.holds(avoiding: unknown)) ? outcome : nil
                }
            }.first
            let outcome = known ?? finder.outcome(entry)
            outcomes[entry] = outcome
            guard let found = outcome.found else { continue }
            let index = hazards.count
            hazards.append(finder.named(found.hazard))
            for alias in finder.aliases(entry) { entries[alias] = index }
            for edge in Set(found.hazard.zone.map(network.original)) { zones[edge, default: []].append(index) }
            for decision in found.decisions {
                decisions[decision.arriving, default: []].append(
                    Decision(
                        next: decision.next, hazard: index, detour: decision.detour, turnOff: decision.turnOff,
                        distanceToEntry: decision.distanceToEntry))
            }
            for (edge, distance) in found.tooLate {
                tooLate[edge, default: []].append(TooLate(hazard: index, distanceToEntry: distance))
            }
            for (edge, distance) in found.leading {
                leading[edge, default: []].append(TooLate(hazard: index, distanceToEntry: distance))
            }
        }
        self.hazards = hazards
        self.decisions = EdgeMap(decisions)
        self.tooLate = EdgeMap(tooLate)
        self.leading = EdgeMap(leading)
        self.entries = EdgeMap(entries)
        self.zones = EdgeMap(zones)
        self.outcomes = outcomes
    }
}

extension HazardTable {
    /// Whether any turn-off, with a detour or without, is left on a way from an edge on which it is too late to the entry of a
    /// hazard.
    public func hasTurnOff(after edge: EdgeID, before hazard: Int, _ network: RoadNetwork) -> Bool {
        var onWay: Set<EdgeID> = [edge]
        var frontier = [edge]
        while let current = frontier.popLast() {
            for next in network.successors(current) where entries[next] != hazard {
                if tooLate[next]?.contains(where: { $0.hazard == hazard }) == true {
                    if onWay.insert(next).inserted { frontier.append(next) }
                } else if !tooLow.contains(next) {
                    return true
                }
            }
        }
        return false
    }

    /// Whether it has been made for these entries and no others.
    fileprivate func isAbout(_ entries: [EdgeID]) -> Bool {
        outcomes.count == entries.count && entries.allSatisfy { outcomes[$0] != nil }
    }

    /// Whether the same ways lead to the same hazards as by another table of the same roads, whatever limits them; false where
    /// that would have to be looked for.
    package func leads(as other: HazardTable) -> Bool {
        hazards.map(\.entry) == other.hazards.map(\.entry) && decisions == other.decisions && tooLate == other.tooLate
            && leading == other.leading && entries == other.entries && zones == other.zones
    }

    /// Whether the vehicle does not fit under a clearance, as far as that is known.
    public func isTooLow(_ clearance: ClearanceID, _ network: RoadNetwork) -> Bool {
        network.isTooLow(for: height)(clearance)
    }
}

extension RoadNetwork {
    /// Whether a vehicle of an effective height does not fit under a clearance, as far as that is known.
    func isTooLow(for height: Centimetres) -> (ClearanceID) -> Bool {
        { if case .limit(let limit) = self.reading($0) { height > limit } else { false } }
    }
}
