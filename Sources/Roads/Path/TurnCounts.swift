/// How often vehicles of one fleet took each turn, at junctions that leave a choice.
public struct TurnCounts: Sendable {
    /// How often vehicles drove from one edge onto the next.
    public struct Row: Hashable, Sendable, Codable {
        public var arriving: EdgeKey
        public var next: EdgeKey
        /// At least 1. In a batch to store: how many more than before.
        public var count: Int

        public init(arriving: EdgeKey, next: EdgeKey, count: Int) {
            self.arriving = arriving
            self.next = next
            self.count = count
        }
    }

    /// Those of one arriving edge are sorted by `next`.
    fileprivate struct Turn: Sendable {
        var next: EdgeID
        var count: Int
    }

    /// Some 30 MB, and several times the turns of a large town (rhein-neckar has 141,000). Where there are more, all counts
    /// are halved and those of turns taken once are forgotten, so that habits outlive single trips.
    public static let turnsMax = 500_000

    private let turnsMax: Int
    /// Edges on the map, by the one on which the vehicle came to the junction.
    private var turns = EdgeMap<[Turn]>()
    /// How many turns there are counts of.
    public private(set) var size = 0

    public init() { self.init(turnsMax: Self.turnsMax) }

    init(turnsMax: Int) { self.turnsMax = turnsMax }

    /// As they were kept. Turns that the road file no longer has are passed over.
    public init(_ rows: [Row], _ index: EdgeIndex) {
        self.init()
        add(rows, index)
    }

    public var isEmpty: Bool { turns.keys.isEmpty }

    /// All of them, by road file edge.
    public func rows(_ network: RoadNetwork) -> [Row] {
        turns.keys.sorted().flatMap { arriving in
            turns[arriving, default: []].map { turn in
                Row(arriving: network.key(arriving), next: network.key(turn.next), count: turn.count)
            }
        }
    }

    /// The turns from one edge.
    struct TurnsFromEdge {
        fileprivate let turns: [Turn]

        var isEmpty: Bool { turns.isEmpty }

        /// How often vehicles drove on to `next`, an edge on the map.
        func count(of next: EdgeID) -> Int { turns.first { $0.next == next }?.count ?? 0 }
    }

    /// Whether vehicles have turned onto a road: onto the edge itself, or onto one from which nothing but it is reached.
    public func haveTurned(onto edge: EdgeID, _ network: RoadNetwork) -> Bool {
        guard !isEmpty else { return false }
        var seen: Set<EdgeID> = [edge]
        var frontier = [edge]
        while let next = frontier.popLast() {
            for arriving in network.predecessors(next) {
                if network.successors(arriving).count == 1 {
                    if seen.insert(arriving).inserted { frontier.append(arriving) }
                } else if taken(network, after: arriving).count(of: network.original(next)) > 0 {
                    return true
                }
            }
        }
        return false
    }

    func taken(_ network: RoadNetwork, after arriving: EdgeID) -> TurnsFromEdge {
        TurnsFromEdge(turns: turns[network.original(arriving), default: []])
    }

    /// Counts the turns of a driven route, `MatchCandidate.route`. Turning round is none.
    ///
    /// - Returns: the turns that were counted, once each time.
    @discardableResult
    public mutating func add(_ route: [EdgeID], _ network: RoadNetwork) -> [Row] {
        var counted: [Row] = []
        for (arriving, next) in zip(route, route.dropFirst()) {
            let successors = network.successors(arriving)
            let next = network.original(next)
            guard successors.count > 1, successors.contains(where: { network.original($0) == next }) else { continue }
            add(1, from: network.original(arriving), to: next)
            counted.append(Row(arriving: network.key(arriving), next: network.key(next), count: 1))
        }
        return counted
    }

    /// Counts turns as they were kept. Those that the road file no longer has are passed over.
    public mutating func add(_ rows: [Row], _ index: EdgeIndex) {
        let network = index.network
        for row in rows where row.count > 0 {
            guard let arriving = index.edge(row.arriving),
                let next = network.successors(arriving).first(where: { network.key($0) == row.next })
            else { continue }
            add(row.count, from: arriving, to: network.original(next))
        }
    }

    private mutating func add(_ count: Int, from arriving: EdgeID, to next: EdgeID) {
        var list = turns[arriving, default: []]
        if let position = list.firstIndex(where: { $0.next == next }) {
            list[position].count += count
        } else {
            while size >= turnsMax { halve() }
            list = turns[arriving, default: []]
            list.insert(Turn(next: next, count: count), at: list.firstIndex { $0.next > next } ?? list.count)
            size += 1
        }
        turns.set(arriving, list)
    }

    private mutating func halve() {
        var halved = EdgeMap<[Turn]>()
        size = 0
        for (edge, list) in turns {
            let kept = list.filter { $0.count > 1 }.map { Turn(next: $0.next, count: $0.count / 2) }
            if !kept.isEmpty { halved.set(edge, kept) }
            size += kept.count
        }
        turns = halved
    }
}
