import Geo
import HeapModule

/// The fastest way by usual speeds over legal turns, as a car navigation finds it: heights are ignored.
///
/// Dijkstra's algorithm on edges, since turn bans depend on where one comes from.
public struct FastestWay {
    private struct Entry: Comparable {
        /// From the end of the first edge to the end of this one.
        var seconds: Seconds
        var edge: EdgeID

        static func < (a: Entry, b: Entry) -> Bool { (a.seconds, a.edge) < (b.seconds, b.edge) }
    }

    private let network: RoadNetwork
    private let edgesMax: Int

    /// - Parameter edgesMax: the search ends unsuccessfully after so many edges; two million are a country's.
    public init(_ network: RoadNetwork, edgesMax: Int = 2_000_000) {
        self.network = network
        self.edgesMax = edgesMax
    }

    /// - Returns: the edges in driving order, `start` first and `goal` (or a shadow of it) last; nil where no legal way
    ///   leads there within the bound. Edges within turn restrictions are shadows: see `RoadNetwork.original`.
    public func edges(from start: EdgeID, to goal: EdgeID) -> [EdgeID]? {
        let goal = network.original(goal)
        if network.original(start) == goal { return [start] }
        var queue = Heap([Entry(seconds: 0, edge: start)])
        var best: [EdgeID: Seconds] = [start: 0]
        var previous: [EdgeID: EdgeID] = [:]
        var settled = 0
        while let entry = queue.popMin(), settled < edgesMax {
            guard entry.seconds == best[entry.edge] else { continue }
            settled += 1
            if network.original(entry.edge) == goal { return Self.path(to: entry.edge, previous) }
            for next in network.successors(entry.edge) {
                let seconds = entry.seconds + network.length(next) / network.usualSpeed(next)
                guard seconds < best[next] ?? .infinity else { continue }
                best[next] = seconds
                previous[next] = entry.edge
                queue.insert(Entry(seconds: seconds, edge: next))
            }
        }
        return nil
    }

    private static func path(to goal: EdgeID, _ previous: [EdgeID: EdgeID]) -> [EdgeID] {
        var path = [goal]
        while let before = previous[path[path.count - 1]] { path.append(before) }
        return path.reversed()
    }
}
