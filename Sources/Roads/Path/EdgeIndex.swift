import Algorithms

/// Finds edges by their keys: what state that was kept by OSM ids is read with. One for each road file.
public struct EdgeIndex: Sendable {
    let network: RoadNetwork
    /// Edges on the map by OSM way; nil where the file has them in that order, as one from a sorted extract does.
    private let order: [UInt32]?
    private let count: Int

    public init(_ network: RoadNetwork) {
        self.network = network
        count = network.edgeCount - network.shadows.count
        let isSorted = (1..<max(1, count)).allSatisfy { network.wayID(EdgeID($0 - 1)) <= network.wayID(EdgeID($0)) }
        order =
            isSorted
            ? nil
            : (0..<UInt32(count)).sorted { (network.wayID(EdgeID($0)), $0) < (network.wayID(EdgeID($1)), $1) }
    }

    /// Nil where the road file has no such edge.
    public func edge(_ key: EdgeKey) -> EdgeID? {
        let first = (0..<count).partitioningIndex { network.wayID(self[$0]) >= key.way }
        return (first..<count).lazy.map { self[$0] }.prefix { network.wayID($0) == key.way }
            .first { network.key($0) == key }
    }

    private subscript(_ position: Int) -> EdgeID { order.map { EdgeID($0[position]) } ?? EdgeID(position) }
}
