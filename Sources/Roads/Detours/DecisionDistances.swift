import Algorithms
public import Geo

/// How far it is from each edge, along the shortest legal way, to the nearest decision before each hazard: what notices go by.
///
/// One backward search for each hazard, once; what a fix is near to is then a look-up.
public struct DecisionDistances: Sendable {
    /// One hazard that can be reached from an edge.
    public struct Prospect: Sendable, BitwiseCopyable {
        fileprivate let edge: EdgeID
        fileprivate let entry: EdgeID
        private let metres: Float
        private let share: Float

        /// - Parameter entry: of the hazard.
        init(on edge: EdgeID, entry: EdgeID, distance: Metres, probability: Double) {
            (self.edge, self.entry, metres, share) = (edge, entry, Float(distance), Float(min(1, probability)))
        }

        /// From the end of the edge to the end of the next on which it is decided whether a vehicle comes to the hazard; below 0
        /// where that is behind.
        public var distance: Metres { Metres(metres) }
        /// That a vehicle on the edge comes to the hazard by ways on which it comes ever nearer, as the roads look; `0 ... 1`.
        public var probability: Double { Double(share) }

        /// Position in the `hazards` of the table that the distances were made for.
        public func hazard(in table: HazardTable) -> Int { table.entries[entry]! }

        fileprivate static func < (a: Prospect, b: Prospect) -> Bool {
            (a.edge, a.metres, a.entry) < (b.edge, b.metres, b.entry)
        }
    }

    /// Where the search for one hazard begins.
    struct Source: Hashable, Sendable {
        var edge: EdgeID
        /// Behind the decision the probability alone counts.
        var isBehind: Bool
        var probability: Double
    }

    /// What was searched for one hazard.
    private final class Search: EdgeBlockPart {
        let sources: [Source]
        let blocks: Set<Int>

        init(_ sources: [Source], _ blocks: Set<Int>) { (self.sources, self.blocks) = (sources, blocks) }
    }

    public let reach: Metres
    /// By entry what was searched, and by edge what was found, the nearest decision first.
    private let blocks: EdgeBlocks<EdgeID, Search, Prospect>

    /// - Parameters:
    ///   - reach: how far before a decision there is something to find, along the road.
    ///   - isTold: which hazards of the table anybody is told of from afar.
    ///   - others: those of other tables of the same roads, the likest first: what is the same in both is taken from them.
    ///   - memory: of the same roads; nil: none is kept.
    public init(
        _ network: RoadNetwork, _ table: HazardTable, reach: Metres, from others: [DecisionDistances] = [],
        memory: SearchMemory? = nil, where isTold: (Hazard) -> Bool
    ) {
        self.reach = reach
        let others = others.filter { $0.reach == reach }.map(\.blocks)
        var search = DecisionSearch(network, table, reach: reach, .of(memory, for: network))
        var searches: [EdgeID: Search] = [:]
        var found: [Int: [Prospect]] = [:]
        /// By entry of what is not searched again: the position in `others` of the table that has it.
        var known = EdgeMap<Int>()
        for (hazard, sources) in search.sources(of: Set(table.hazards.indices.filter { isTold(table.hazards[$0]) })) {
            let entry = table.hazards[hazard].entry
            if let same = others.firstIndex(where: { $0.parts[entry]?.sources == sources }) {
                known.set(entry, same)
                searches[entry] = others[same].parts[entry]
                continue
            }
            var blocks: Set<Int> = []
            search.find(hazard, from: sources) { prospect in
                blocks.insert(prospect.edge.block)
                found[prospect.edge.block, default: []].append(prospect)
            }
            searches[entry] = Search(sources, blocks)
        }
        blocks = EdgeBlocks(searches, network, from: others) { block in
            let kept = others.enumerated().flatMap { [known] number, other in
                other[block].filter { known[$0.entry] == number }
            }
            return (kept + found[block, default: []]).sorted(by: <)
        }
    }

    /// What can be reached from an edge, the nearest decision first; a shadow is an edge of its own.
    public func prospects(on edge: EdgeID) -> ArraySlice<Prospect> {
        let block = blocks[edge.block]
        return block[block.partitioningIndex { $0.edge >= edge }...].prefix { $0.edge == edge }
    }

    /// The decision that the shortest way from an edge leads to; nil where none is within the reach.
    public func nextDecision(
        before hazard: Int, after edge: EdgeID, _ network: RoadNetwork, _ table: HazardTable
    ) -> HazardTable.Decision? {
        let entry = table.hazards[hazard].entry
        var edge = edge
        // No way within the reach is of more edges; and rounding may have two of them no nearer than each other.
        for _ in 0..<Self.stepsMax {
            if let decision = table.decisions[edge, default: []].first(where: { $0.hazard == hazard }) {
                return decision
            }
            let next = network.successors(edge).compactMap { next in
                distance(to: entry, after: next).map { (edge: next, distance: $0 + network.length(next)) }
            }
            guard let nearest = next.min(by: { ($0.distance, $0.edge) < ($1.distance, $1.edge) }) else { return nil }
            edge = nearest.edge
        }
        return nil
    }

    private static let stepsMax = 10_000

    private func distance(to entry: EdgeID, after edge: EdgeID) -> Metres? {
        prospects(on: edge).first { $0.entry == entry && $0.distance >= 0 }?.distance
    }
}
