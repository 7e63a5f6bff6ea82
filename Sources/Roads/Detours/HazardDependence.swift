/// What would have to change for something else to be found for an entry.
///
/// Where an edge becomes too low, no way becomes shorter and no other one appears: only the edges that were found matter. One
/// that is no longer too low matters where the search has come to it.
struct HazardDependence: Sendable {
    /// On the map: too-low edges that the search has come to.
    private var blocking: Set<EdgeID> = []
    /// On the map: of the low zone and the road behind it, on the ways back from the entry, and of the detours.
    private var edges: Set<EdgeID> = []

    mutating func add(blocking edges: Set<EdgeID>) { blocking.formUnion(edges) }

    /// An edge that matters as long as it is not too low.
    mutating func add(_ edge: EdgeID, _ network: RoadNetwork) { edges.insert(network.original(edge)) }

    mutating func formUnion(_ other: HazardDependence) {
        blocking.formUnion(other.blocking)
        edges.formUnion(other.edges)
    }

    /// Whether the same is found with other edges that are too low.
    func holds(after change: TooLowEdges.Difference) -> Bool {
        blocking.isDisjoint(with: change.freed) && edges.isDisjoint(with: change.closed)
    }
}
