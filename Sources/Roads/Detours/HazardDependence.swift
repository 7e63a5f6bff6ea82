import Geo

/// What would have to change for something else to be found for an entry.
///
/// Where an edge becomes too low, no way becomes shorter and no other one appears: only the edges that were found matter. One
/// that is no longer too low matters where the search has come to it.
struct HazardDependence: Sendable {
    /// Beyond so many edges the squares say the same in less memory.
    private static let edgesMax = 4_000

    /// On the map: too-low edges that the search has come to.
    private var blocking: Set<EdgeID> = []
    private var touched = TouchedArea()
    /// On the map: of the low zone and the road behind it, on the ways back from the entry, and of the detours.
    private var edges: Set<EdgeID> = []
    private var isOnAllEdges = false

    /// Where it was asked which edges are too low.
    mutating func add(_ node: NodeID, _ network: RoadNetwork) { touched.add(node, network) }
    mutating func add(_ area: TouchedArea) { touched.formUnion(area) }

    mutating func add(blocking edges: Set<EdgeID>) { blocking.formUnion(edges) }

    /// An edge that matters as long as it is not too low.
    mutating func add(_ edge: EdgeID, _ network: RoadNetwork) {
        guard !isOnAllEdges else { return }
        edges.insert(network.original(edge))
        if edges.count > Self.edgesMax { (isOnAllEdges, edges) = (true, []) }
    }

    mutating func formUnion(_ other: HazardDependence) {
        blocking.formUnion(other.blocking)
        touched.formUnion(other.touched)
        isOnAllEdges = isOnAllEdges || other.isOnAllEdges
        if isOnAllEdges { edges = [] } else { edges.formUnion(other.edges) }
    }

    /// Whether the same is found with other edges that are too low.
    func holds(after change: TooLowEdges.Difference) -> Bool {
        guard blocking.isDisjoint(with: change.freed) else { return false }
        return isOnAllEdges ? touched.isDisjoint(with: change.closedArea) : edges.isDisjoint(with: change.closed)
    }
}
