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
    private var best: [EdgeID: Metres] = [:]

    init(_ edges: [EdgeID]) {
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
