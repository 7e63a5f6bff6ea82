/// Says which edges are too low, and remembers of which it has said so: what is found stays the same as long as that does.
final class TooLowAnswers {
    let edges: TooLowEdges
    private let network: RoadNetwork
    /// On the map.
    private(set) var blocking: Set<EdgeID> = []

    init(_ edges: TooLowEdges, _ network: RoadNetwork) {
        (self.edges, self.network) = (edges, network)
    }

    func contains(_ edge: EdgeID) -> Bool {
        guard edges.contains(edge) else { return false }
        blocking.insert(network.original(edge))
        return true
    }

    /// Begins anew.
    ///
    /// - Returns: what was remembered.
    func forget() -> Set<EdgeID> {
        defer { blocking = [] }
        return blocking
    }

    func remember(_ edges: Set<EdgeID>) { blocking.formUnion(edges) }
}
