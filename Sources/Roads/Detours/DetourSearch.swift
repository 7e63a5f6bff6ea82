import Geo
import HeapModule

/// One backward search from the rejoin points: how far it is from each edge's start to where it rejoins, over edges that are
/// high enough and may be passed through. It grows on demand and keeps its memory from one hazard to the next.
final class DetourSearch {
    private struct Entry: Comparable {
        var distance: Metres
        var edge: EdgeID

        static func < (a: Entry, b: Entry) -> Bool { (a.distance, a.edge) < (b.distance, b.edge) }
    }

    private let network: RoadNetwork
    private let isPassable: (EdgeID) -> Bool
    private let memory: DetourRows
    private var rows: ZeroedMemory<DetourRows.Row> { memory.rows }
    private var round: UInt32 { memory.round }
    private var queue = Heap<Entry>()
    private(set) var radius: Metres = 0
    /// Edges from which it is known how far it is to where they rejoin; nearest first.
    private(set) var settled: [EdgeID] = []
    private var hopeless: Set<EdgeID> = []
    /// What the present search does not lead over, though it is passable.
    private var avoided: TooLowEdges?

    /// - Parameter memory: used by no other search until this one is over.
    init(_ network: RoadNetwork, _ memory: DetourRows, isPassable: @escaping (EdgeID) -> Bool) {
        (self.network, self.memory, self.isPassable) = (network, memory, isPassable)
    }

    var isExhausted: Bool { queue.isEmpty }

    /// Starts anew from nodes: any edge that arrives at one of them has rejoined.
    ///
    /// - Parameter avoided: edges that it does not lead over, though they are passable.
    func start(at rejoin: [NodeID], avoiding avoided: TooLowEdges? = nil) {
        self.avoided = avoided
        memory.beginRound()
        radius = 0
        queue = Heap()
        settled.removeAll(keepingCapacity: true)
        hopeless = []
        for edge in rejoin.flatMap({ Array(network.arrivals($0)) }) where mayLead(over: edge) {
            reach(edge, network.length(edge), next: EdgeID(UInt32.max))
        }
    }

    /// Goes on until everything within `radius` metres is settled.
    func extend(to radius: Metres) {
        self.radius = max(radius, self.radius)
        while let first = queue.min, first.distance <= radius {
            queue.removeMin()
            let index = Int(first.edge.index)
            if rows[index].state == round | 1 { continue }
            rows[index].state = round | 1
            settled.append(first.edge)
            for previous in network.predecessors(first.edge) where mayLead(over: previous) {
                reach(previous, first.distance + network.length(previous), next: first.edge)
            }
        }
    }

    private func mayLead(over edge: EdgeID) -> Bool { isPassable(edge) && avoided?.contains(edge) != true }

    private func reach(_ edge: EdgeID, _ distance: Metres, next following: EdgeID) {
        let index = Int(edge.index)
        let known = rows[index]
        if known.state | 1 == round | 1, known.distance <= distance { return }
        rows[index] = DetourRows.Row(distance: distance, next: following.index, state: round)
        queue.insert(Entry(distance: distance, edge: edge))
    }

    /// From the edge's start to where the way rejoins; nil where it is not reached within the radius.
    func distance(_ edge: EdgeID) -> Metres? {
        let row = rows[Int(edge.index)]
        return row.state == round | 1 ? row.distance : nil
    }

    /// The way from `edge`, itself included, to where it rejoins.
    func path(_ edge: EdgeID) -> [EdgeID] {
        var path = [edge]
        while case let next = rows[Int(path[path.count - 1].index)].next, next != .max { path.append(EdgeID(next)) }
        return path
    }

    /// Whether a larger radius may still reach `edge`. A short look ahead settles it for cul-de-sacs and yards, which
    /// would otherwise keep the search going to its limit.
    func mayStillReach(_ edge: EdgeID) -> Bool {
        if isExhausted || hopeless.contains(edge) { return false }
        guard mayLead(over: edge) else { return false }
        var seen: Set<EdgeID> = [edge]
        var frontier = [edge]
        while let current = frontier.popLast() {
            if distance(current) != nil || seen.count > 64 { return true }
            if rows[Int(current.index)].state == round { return true }
            for following in network.successors(current)
            where mayLead(over: following) && seen.insert(following).inserted {
                frontier.append(following)
            }
        }
        hopeless.formUnion(seen)
        return false
    }
}

/// What a `DetourSearch` knows of each edge, kept from one search to the next.
final class DetourRows {
    struct Row: BitwiseCopyable {
        var distance: Metres
        /// Of the edge that follows; `max` where it rejoins.
        var next: UInt32
        /// In which round the edge was reached, and whether it is settled, in the lowest bit.
        var state: UInt32
    }

    let rows: ZeroedMemory<Row>
    /// Even.
    private(set) var round: UInt32 = 0

    init(_ network: RoadNetwork) { rows = ZeroedMemory(count: network.edgeCount) }

    func beginRound() { round += 2 }
}
