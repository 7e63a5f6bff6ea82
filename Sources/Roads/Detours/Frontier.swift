import Geo
import HeapModule

/// Edges still to be looked at, nearest first, each at most once.
struct Frontier {
    private struct Entry: Comparable {
        var distance: Metres
        var edge: EdgeID

        static func < (a: Entry, b: Entry) -> Bool { (a.distance, a.edge) < (b.distance, b.edge) }
    }

    private var queue = Heap<Entry>()
    private let best: EdgeDistances

    /// - Parameter memory: used by no other at the same time.
    init(_ edges: some Sequence<EdgeID>, _ memory: EdgeDistances) {
        best = memory
        best.clear()
        for edge in edges { _ = add(edge, 0) }
    }

    /// Whether the edge was not known yet.
    mutating func add(_ edge: EdgeID, _ distance: Metres) -> Bool {
        let known = best[edge]
        guard distance < known ?? .infinity else { return false }
        best[edge] = distance
        queue.insert(Entry(distance: distance, edge: edge))
        return known == nil
    }

    mutating func next() -> (edge: EdgeID, distance: Metres)? {
        while let entry = queue.popMin() {
            if best[entry.edge] == entry.distance { return (entry.edge, entry.distance) }
        }
        return nil
    }
}

/// Distances of edges, in memory that is kept from one search to the next: a search looks at some hundred edges or at all of
/// them, and a table of hashes costs several times as much.
final class EdgeDistances {
    private struct Row: BitwiseCopyable {
        var distance: Metres
        /// Where the present round stands there is a distance.
        var round: UInt32
    }

    private let rows: ZeroedMemory<Row>
    private var round: UInt32 = 0

    init(_ network: RoadNetwork) { rows = ZeroedMemory(count: network.edgeCount) }

    func clear() { round += 1 }

    subscript(edge: EdgeID) -> Metres? {
        get {
            let row = rows[Int(edge.index)]
            return row.round == round ? row.distance : nil
        }
        set { rows[Int(edge.index)] = Row(distance: newValue ?? 0, round: newValue == nil ? 0 : round) }
    }
}
