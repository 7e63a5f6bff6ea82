public import Geo

/// How far it is from each edge, along the shortest legal way, to the nearest decision before each hazard: what notices go by.
///
/// One backward search for each hazard, once; what a fix is near to is then a look-up.
public struct DecisionDistances: Sendable {
    /// One hazard that can be reached from an edge.
    public struct Prospect: Sendable, BitwiseCopyable {
        fileprivate let edge: EdgeID
        private let index: UInt32
        private let metres: Float
        private let share: Float

        init(on edge: EdgeID, hazard: Int, distance: Metres, probability: Double) {
            (self.edge, index, metres, share) = (edge, UInt32(hazard), Float(distance), Float(min(1, probability)))
        }

        /// Position in the table's `hazards`.
        public var hazard: Int { Int(index) }
        /// From the end of the edge to the end of the next on which it is decided whether a vehicle comes to the hazard; below 0
        /// where that is behind.
        public var distance: Metres { Metres(metres) }
        /// That a vehicle on the edge comes to the hazard by ways on which it comes ever nearer, as the roads look; `0 ... 1`.
        public var probability: Double { Double(share) }

        fileprivate func of(hazard: Int) -> Prospect {
            Prospect(on: edge, hazard: hazard, distance: distance, probability: probability)
        }

        fileprivate static func < (a: Prospect, b: Prospect) -> Bool {
            (a.edge, a.metres, a.index) < (b.edge, b.metres, b.index)
        }
    }

    /// Where the search for one hazard begins.
    struct Source: Hashable, Sendable {
        var edge: EdgeID
        /// Behind the decision the probability alone counts.
        var isBehind: Bool
        var probability: Double
    }

    public let reach: Metres
    /// By edge, the nearest decision first.
    private let prospects: [Prospect]
    /// Where those of each `edgesPerStart` edges with ids in a row begin; one more than that.
    private let starts: [UInt32]
    /// Of the table's hazards, in their order.
    private let entries: [EdgeID]
    /// By entry.
    private let sources: [EdgeID: [Source]]

    /// - Parameters:
    ///   - reach: how far before a decision there is something to find, along the road.
    ///   - isTold: which hazards of the table anybody is told of from afar.
    ///   - former: those of another table of the same roads: what is the same in both is taken from it.
    public init(
        _ network: RoadNetwork, _ table: HazardTable, reach: Metres, from former: DecisionDistances? = nil,
        where isTold: (Hazard) -> Bool
    ) {
        self.reach = reach
        entries = table.hazards.map(\.entry)
        var search = DecisionSearch(network, table, reach: reach)
        let told = table.hazards.indices.filter { isTold(table.hazards[$0]) }
        let all = search.sources(of: Set(told))
        sources = Dictionary(uniqueKeysWithValues: all.map { (table.hazards[$0.key].entry, $0.value) })
        let known = former.flatMap { $0.reach == reach ? $0 : nil }
        let kept = known?.positions(in: table, decidedAt: sources) ?? []
        let isKept = Set(kept.compactMap(\.self))
        var found: [Prospect] = []
        for hazard in told where !isKept.contains(hazard) {
            search.find(hazard, from: all[hazard, default: []]) { found.append($0) }
        }
        found.sort(by: <)
        prospects = Self.merged(known?.prospects ?? [], at: kept, with: found)
        starts = Self.starts(of: prospects, edgeCount: network.edgeCount)
    }

    private static let edgesPerStart = 32

    private static func starts(of prospects: [Prospect], edgeCount: Int) -> [UInt32] {
        var starts: [UInt32] = [0]
        starts.reserveCapacity(edgeCount / edgesPerStart + 2)
        for (index, prospect) in prospects.enumerated() {
            while starts.count * edgesPerStart <= Int(prospect.edge.index) { starts.append(UInt32(index)) }
        }
        while (starts.count - 1) * edgesPerStart < edgeCount { starts.append(UInt32(prospects.count)) }
        return starts
    }

    /// What can be reached from an edge, the nearest decision first; a shadow is an edge of its own.
    public func prospects(on edge: EdgeID) -> ArraySlice<Prospect> {
        let row = Int(edge.index) / Self.edgesPerStart
        let near = prospects[Int(starts[row])..<Int(starts[row + 1])]
        guard let start = near.firstIndex(where: { $0.edge >= edge }) else { return [] }
        return near[start...].prefix { $0.edge == edge }
    }

    /// The decision that the shortest way from an edge leads to; nil where none is within the reach.
    public func nextDecision(
        before hazard: Int, after edge: EdgeID, _ network: RoadNetwork, _ table: HazardTable
    ) -> HazardTable.Decision? {
        var edge = edge
        // No way within the reach is of more edges; and rounding may have two of them no nearer than each other.
        for _ in 0..<Self.stepsMax {
            if let decision = table.decisions[edge, default: []].first(where: { $0.hazard == hazard }) {
                return decision
            }
            let next = network.successors(edge).compactMap { next in
                distance(to: hazard, after: next).map { (edge: next, distance: $0 + network.length(next)) }
            }
            guard let nearest = next.min(by: { ($0.distance, $0.edge) < ($1.distance, $1.edge) }) else { return nil }
            edge = nearest.edge
        }
        return nil
    }

    private static let stepsMax = 10_000

    private func distance(to hazard: Int, after edge: EdgeID) -> Metres? {
        prospects(on: edge).first { $0.hazard == hazard && $0.distance >= 0 }?.distance
    }

    /// By hazard, which one of another table is decided at the same places; nil where none is.
    ///
    /// - Parameter sources: of the hazards of the other table, by entry.
    private func positions(in table: HazardTable, decidedAt sources: [EdgeID: [Source]]) -> [Int?] {
        entries.map { entry in
            self.sources[entry] == nil || self.sources[entry] != sources[entry] ? nil : table.entries[entry]
        }
    }

    /// - Parameters:
    ///   - known: of another table, in their order.
    ///   - positions: by hazard of that table, which one of this it is, in the same order; nil: it is none.
    ///   - found: of other hazards, in their order.
    private static func merged(_ known: [Prospect], at positions: [Int?], with found: [Prospect]) -> [Prospect] {
        var merged: [Prospect] = []
        merged.reserveCapacity(known.count + found.count)
        var rest = found[...]
        for prospect in known {
            guard let hazard = positions[prospect.hazard] else { continue }
            let moved = prospect.of(hazard: hazard)
            while let first = rest.first, first < moved { merged.append(rest.removeFirst()) }
            merged.append(moved)
        }
        return merged + rest
    }
}
