import Algorithms
import Clearances
import Geo

/// Finds the road that a point clearance limits on a finished network, by the same rules as the import.
struct RoadSnapping: Sendable {
    /// Where a clearance limits roads.
    struct Place: Sendable {
        /// Where on them it stands: one, or one for each carriageway.
        var feet: [NearbyEdge]
        /// Originals only, ascending.
        var edges: [EdgeID]
        /// What the road is called; empty where it has no name.
        var road: String
    }

    let network: RoadNetwork
    /// How far from the road that it limits a clearance may lie.
    let snapDistance: Metres

    func place(_ clearance: PointClearance) throws(SnappingError) -> Place {
        let nearby = network.edges(within: snapDistance, of: clearance.position)
        let feet = network.nearestOnWays(nearby.filter(isFirstOfShape))
        let crossed = Set(nearby.map(\.edge).filter { isCrossed($0, near: clearance.position) }.map(way))
        let candidates = feet.map { candidate($0, isCrossed: crossed.contains(way($0.edge))) }
        let chosen = try Snapping.choose(clearance, among: candidates).map { feet[$0] }
        let edges = Set(chosen.flatMap { limitedEdges(clearance, at: $0) })
        return Place(feet: chosen, edges: edges.sorted(), road: chosen.first.flatMap { network.title($0.edge) } ?? "")
    }

    // MARK: Candidates

    private func way(_ edge: EdgeID) -> UInt32 { network.edges[edge.index].way }

    /// One of the two directions of a road stands for both.
    private func isFirstOfShape(_ nearby: NearbyEdge) -> Bool {
        network.reverse(nearby.edge).map { nearby.edge < $0 } ?? true
    }

    private func isCrossed(_ edge: EdgeID, near position: Coordinate) -> Bool {
        network.crossings(over: edge).contains { $0.distance(to: position) <= snapDistance }
    }

    private func candidate(_ foot: NearbyEdge, isCrossed: Bool) -> SnapCandidate {
        SnapCandidate(
            distance: foot.distance, courses: courses(foot).map(\.course), layer: network.layer(foot.edge),
            isBridge: network.isBridge(foot.edge), passesUnder: isCrossed, name: network.name(foot.edge),
            number: network.number(foot.edge), ends: network.wayEnds(foot.edge).map(network.osmID))
    }

    /// The edges that run through a foot, and their courses there.
    private func courses(_ foot: NearbyEdge) -> [(edge: EdgeID, course: Degrees)] {
        let along = (foot.edge, foot.bearing)
        guard let reverse = network.reverse(foot.edge) else { return [along] }
        return [along, (reverse, (foot.bearing + 180).truncatingRemainder(dividingBy: 360))]
    }

    // MARK: What is limited

    /// The import splits the edge at the foot, so that a truck may still start or end before the bridge. A finished
    /// network keeps its edges, and the whole of one is limited, in each direction that the clearance is for. At a
    /// junction nothing needs splitting: there the same edges are limited as on import.
    private func limitedEdges(_ clearance: PointClearance, at foot: NearbyEdge) -> [EdgeID] {
        let courses = courses(foot)
        guard let junction = junction(at: foot) else {
            return courses.filter { clearance.limits(course: $0.course) }.map(\.edge)
        }
        let edges = NodeEdges(
            of: way(foot.edge),
            arriving: network.arrivals(junction).filter { network.original($0) == $0 }.map(\.index),
            leaving: courses.map(\.edge).filter { network.from($0) == junction }.map(\.index),
            record: { network.edges[$0] }, layer: { Int(network.ways[$0].layer) })
        return edges.limited(by: clearance).map { EdgeID($0) }
    }

    /// As near as that to a node, the import does not split either.
    private func junction(at foot: NearbyEdge) -> NodeID? {
        let rest = network.length(foot.edge) - foot.offset
        guard min(foot.offset, rest) < WayCuts.nearest else { return nil }
        return foot.offset <= rest ? network.from(foot.edge) : network.to(foot.edge)
    }
}

extension RoadNetwork {
    /// Where bridges of a higher layer cross the edge.
    func crossings(over edge: EdgeID) -> [Coordinate] {
        let shape = edges[edge.index].shape
        var row = crossings.partitioningIndex { $0.shape >= shape }
        var found: [Coordinate] = []
        while row < crossings.count, crossings[row].shape == shape {
            found.append(Coordinate(crossings[row].point))
            row += 1
        }
        return found
    }

    /// The nodes at which the way of an edge begins and ends, of an original: edges of one way stand side by side.
    func wayEnds(_ edge: EdgeID) -> [NodeID] {
        let way = edges[edge.index].way
        func isOfWay(_ index: Int) -> Bool {
            (0..<edges.count).contains(index) && edges[index].way == way && edges[index].original == UInt32(index)
        }
        var (first, last) = (Int(edge.index), Int(edge.index))
        while isOfWay(first - 1) { first -= 1 }
        while isOfWay(last + 1) { last += 1 }
        func isReversed(_ index: Int) -> Bool { edges[index].flags & EdgeRecord.againstShape != 0 }
        return [
            NodeID(isReversed(first) ? edges[first].to : edges[first].from),
            NodeID(isReversed(last) ? edges[last].from : edges[last].to),
        ]
    }

    /// One way, or ways on one level that share a name or number, or nameless ways that meet: where clearances near
    /// each other tell of one structure.
    func isSameRoadOnLevel(_ a: EdgeID, _ b: EdgeID) -> Bool {
        if edges[a.index].way == edges[b.index].way { return true }
        guard layer(a) == layer(b) else { return false }
        if isSameRoad(a, b) { return true }
        let isNameless = [a, b].allSatisfy { title($0) == nil }
        return isNameless && wayEnds(a).contains(where: wayEnds(b).contains)
    }
}
