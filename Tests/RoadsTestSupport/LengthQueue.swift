import Geo
import Roads

/// A binary heap of edges by length.
struct LengthQueue {
    private var rows: [(edge: EdgeID, length: Metres)] = []

    mutating func insert(_ edge: EdgeID, _ length: Metres) {
        rows.append((edge, length))
        var child = rows.count - 1
        while child > 0, rows[child].length < rows[(child - 1) / 2].length {
            rows.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popShortest() -> (edge: EdgeID, length: Metres)? {
        guard let first = rows.first else { return nil }
        let last = rows.removeLast()
        guard !rows.isEmpty else { return first }
        rows[0] = last
        var parent = 0
        while 2 * parent + 1 < rows.count {
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            let child = right < rows.count && rows[right].length < rows[left].length ? right : left
            if rows[parent].length <= rows[child].length { break }
            rows.swapAt(parent, child)
            parent = child
        }
        return first
    }
}
