import Geo
package import Roads

extension Trip {
    /// How far a truck comes straight along the road before it turns off.
    private static let before: Metres = 3_000

    /// One trip for each detour of each hazard on a public road: straight on to where it leaves, and all of it.
    package static func detours(_ network: RoadNetwork, _ table: HazardTable) -> [Trip] {
        table.hazards.filter(\.isPublic).flatMap(\.detours).map { detour in
            let arriving = network.predecessors(detour.edges[0]).first { network.original($0) == detour.arriving }
            let approach = straightRoad(to: arriving ?? detour.arriving, network, table)
            return Trip(network, edges: approach + detour.edges)
        }
    }

    /// The way along which everybody goes straight on to an edge, under nothing too low and over no edge twice.
    private static func straightRoad(to last: EdgeID, _ network: RoadNetwork, _ table: HazardTable) -> [EdgeID] {
        var edges = [last]
        var length = network.length(last)
        while length < before, let edge = network.straightest(before: edges[edges.count - 1]),
            !table.tooLow.contains(edge), !edges.contains(edge)
        {
            edges.append(edge)
            length += network.length(edge)
        }
        return edges.reversed()
    }
}
