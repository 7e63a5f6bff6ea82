import Geo
package import Roads

extension Trip {
    /// How far a truck comes straight along the road before it turns off, and goes on behind the detour.
    private static let before: Metres = 3_000
    private static let behind: Metres = 500

    /// One trip for each detour of each hazard on a public road: straight on to where it leaves, all of it, and straight on.
    package static func detours(_ network: RoadNetwork, _ table: HazardTable) -> [Trip] {
        table.hazards.filter(\.isPublic).flatMap(\.detours).map { detour in
            let onto = detour.edges[0]
            let arriving = network.predecessors(onto).first { network.original($0) == detour.arriving } ?? detour.arriving
            let approach = edges(from: arriving, within: before, network) { network.straightest(before: $0) }
            let onward = edges(from: detour.edges[detour.edges.count - 1], within: behind, network) {
                network.straightest(after: $0)
            }
            return Trip(network, edges: approach.reversed() + detour.edges + onward.dropFirst())
        }
    }

    /// An edge and those that follow by a rule, none of them twice.
    private static func edges(
        from first: EdgeID, within distance: Metres, _ network: RoadNetwork, next: (EdgeID) -> EdgeID?
    ) -> [EdgeID] {
        var edges = [first]
        var length = network.length(first)
        while length < distance, let edge = next(edges[edges.count - 1]), !edges.contains(edge) {
            edges.append(edge)
            length += network.length(edge)
        }
        return edges
    }
}
