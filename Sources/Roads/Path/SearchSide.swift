import Geo
import HeapModule

/// One half of a search from both ends: what was reached from its end, and what is to be looked at next.
///
/// Its memory, 16 bytes for each edge of the network, is kept from one search to the next and never cleared: a label
/// counts only in the round that wrote it.
struct SearchSide {
    enum Direction { case forward, backward }

    private struct Label {
        /// Forward from the start to the edge's end, backward from the edge's start to the goal.
        var seconds: Seconds
        /// The edge before (forward) or behind (backward); at the search's end the edge itself.
        var neighbour: EdgeID
        /// Even: reached in this round; odd: settled.
        var round: UInt32
    }

    private struct Entry: Comparable {
        /// `seconds` and the bound on what is left.
        var key: Seconds
        var edge: EdgeID

        static func < (a: Entry, b: Entry) -> Bool { a.key < b.key || a.key == b.key && a.edge < b.edge }
    }

    let direction: Direction
    private var labels: [Label]
    private var round: UInt32 = 0
    private var queue = Heap<Entry>()
    /// Edges not to be passed through that were reached and not settled.
    private(set) var confined = 0

    init(_ direction: Direction, edgeCount: Int) {
        self.direction = direction
        labels = Array(repeating: Label(seconds: 0, neighbour: EdgeID(0), round: 0), count: edgeCount)
    }

    mutating func restart() {
        queue = Heap()
        confined = 0
        round += 2
        guard round > .max - 4 else { return }
        for index in labels.indices { labels[index].round = 0 }
        round = 2
    }

    /// The smallest key still to be looked at.
    var nearest: Seconds { queue.min?.key ?? .infinity }

    var count: Int { queue.count }

    /// From or to the end, where `edge` was reached in this search.
    func seconds(_ edge: EdgeID) -> Seconds? {
        let label = labels[Int(edge.index)]
        return label.round | 1 == round | 1 ? label.seconds : nil
    }

    /// - Parameter neighbour: nil at the search's end.
    mutating func reach(
        _ edge: EdgeID, after seconds: Seconds, from neighbour: EdgeID?, left: Seconds, isConfined: Bool
    ) {
        let index = Int(edge.index)
        if let known = self.seconds(edge) {
            if labels[index].round == round | 1 || known <= seconds { return }
        } else if isConfined {
            confined += 1
        }
        labels[index] = Label(seconds: seconds, neighbour: neighbour ?? edge, round: round)
        queue.insert(Entry(key: seconds + left, edge: edge))
    }

    /// The next edge whose time is final.
    mutating func settle(isConfined: (EdgeID) -> Bool) -> EdgeID? {
        while let entry = queue.popMin() {
            let index = Int(entry.edge.index)
            guard labels[index].round == round else { continue }
            labels[index].round = round | 1
            if isConfined(entry.edge) { confined -= 1 }
            return entry.edge
        }
        return nil
    }

    /// From `edge` to the search's end, both included.
    func path(_ edge: EdgeID) -> [EdgeID] {
        var path = [edge]
        while true {
            let neighbour = labels[Int(path[path.count - 1].index)].neighbour
            if neighbour == path[path.count - 1] { return path }
            path.append(neighbour)
        }
    }
}
