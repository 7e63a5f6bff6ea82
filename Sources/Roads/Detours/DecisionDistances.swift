public import Geo

/// How far it is from each edge, along the shortest legal way, to the nearest decision before each hazard: what notices go by.
///
/// One backward search for each hazard, once; what a fix is near to is then a look-up.
public struct DecisionDistances: Sendable {
    /// One hazard that can be reached from an edge.
    public struct Prospect: Sendable, BitwiseCopyable {
        private let index: UInt32
        private let metres: Float
        private let share: Float

        init(hazard: Int, distance: Metres, probability: Double) {
            (index, metres, share) = (UInt32(hazard), Float(distance), Float(min(1, probability)))
        }

        /// Position in the table's `hazards`.
        public var hazard: Int { Int(index) }
        /// From the end of the edge to the end of the next on which it is decided whether a vehicle comes to the hazard; below 0
        /// where that is behind.
        public var distance: Metres { Metres(metres) }
        /// That a vehicle on the edge comes to the hazard by ways on which it comes ever nearer, as the roads look; `0 ... 1`.
        public var probability: Double { Double(share) }

        fileprivate func of(hazard: Int) -> Prospect {
            Prospect(hazard: hazard, distance: distance, probability: probability)
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
    /// Ascending.
    private let edges: [EdgeID]
    /// Where the prospects of each edge begin; one more than edges.
    private let starts: [UInt32]
    /// By edge, the nearest decision first.
    private let prospects: [Prospect]
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
        var rows = known?.known(to: sources, table) ?? []
        var isKept = Array(repeating: false, count: table.hazards.count)
        for row in rows { isKept[row.prospect.hazard] = true }
        for hazard in told where !isKept[hazard] {
            search.find(hazard, from: all[hazard, default: []]) { rows.append(($0, $1)) }
        }
        rows.sort {
            ($0.edge, $0.prospect.distance, $0.prospect.hazard) < ($1.edge, $1.prospect.distance, $1.prospect.hazard)
        }
        var (edges, starts): ([EdgeID], [UInt32]) = ([], [])
        for (index, row) in rows.enumerated() where edges.last != row.edge {
            edges.append(row.edge)
            starts.append(UInt32(index))
        }
        self.edges = edges
        self.starts = starts + [UInt32(rows.count)]
        prospects = rows.map(\.prospect)
    }

    /// What can be reached from an edge, the nearest decision first; a shadow is an edge of its own.
    public func prospects(on edge: EdgeID) -> ArraySlice<Prospect> {
        var (low, high) = (0, edges.count)
        while low < high {
            let middle = (low + high) / 2
            if edges[middle] < edge { low = middle + 1 } else { high = middle }
        }
        guard low < edges.count, edges[low] == edge else { return [] }
        return prospects[Int(starts[low])..<Int(starts[low + 1])]
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

    /// What holds for hazards that are decided at the same places as here.
    ///
    /// - Parameter sources: of the hazards of another table.
    private func known(to sources: [EdgeID: [Source]], _ table: HazardTable) -> [(edge: EdgeID, prospect: Prospect)] {
        let same = entries.map { entry in
            self.sources[entry] == nil || self.sources[entry] != sources[entry] ? nil : table.entries[entry]
        }
        var rows: [(edge: EdgeID, prospect: Prospect)] = []
        rows.reserveCapacity(prospects.count)
        for (index, edge) in edges.enumerated() {
            for row in Int(starts[index])..<Int(starts[index + 1]) {
                if let hazard = same[prospects[row].hazard] { rows.append((edge, prospects[row].of(hazard: hazard))) }
            }
        }
        return rows
    }
}
