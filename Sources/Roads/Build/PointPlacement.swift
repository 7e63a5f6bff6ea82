import Geo

/// Finds the road for every point clearance, and where on it.
struct PointPlacement {
    /// A clearance, and its feet on the roads that it limits, or why there are none.
    struct Placed {
        var clearance: PointClearance
        var outcome: Result<[NearbyRoads.Foot], UnsnappedReason>
    }

    let placed: [Placed]

    init(
        _ clearances: [PointClearance], ways: [RoadNetworkBuilder.DrivableWay],
        bridges: [RoadNetworkBuilder.BridgeWay], nodes: NodeTable, radius: Metres
    ) {
        guard !clearances.isEmpty else {
            placed = []
            return
        }
        var nearby = NearbyRoads(clearances.map(\.position), radius: radius)
        for (index, way) in ways.enumerated() { nearby.add(way: index, nodes.line(way.nodes)) }
        for (index, bridge) in bridges.enumerated() { nearby.add(bridge: index, nodes.line(bridge.nodes)) }
        placed = clearances.indices.map { index in
            let overhead = nearby.bridges[index].map { bridges[$0] }
            let feet = nearby.feet[index]
            let candidates = feet.map { foot in
                let way = ways[foot.way]
                let isUnder = overhead.contains {
                    Self.passes($0, over: way, within: radius, of: clearances[index].position, nodes)
                }
                return SnapCandidate(foot, way, passesUnder: isUnder)
            }
            let outcome = Result { () throws(UnsnappedReason) in
                try Snapping.choose(clearances[index], among: candidates).map { feet[$0] }
            }
            return Placed(clearance: clearances[index], outcome: outcome)
        }
    }

    /// Whether a bridge of a higher layer crosses a way near the point. One that shares a node with it carries it on.
    private static func passes(
        _ bridge: RoadNetworkBuilder.BridgeWay, over way: RoadNetworkBuilder.DrivableWay, within radius: Metres,
        of point: Coordinate, _ nodes: NodeTable
    ) -> Bool {
        guard bridge.layer > way.road.layer, !way.nodes.contains(where: bridge.nodes.contains) else { return false }
        let over = nodes.line(bridge.nodes).segments
        return nodes.line(way.nodes).segments.contains { segment in
            over.contains { other in
                guard let fraction = crossing(of: segment, and: other) else { return false }
                return segment.0.interpolated(to: segment.1, fraction: fraction).distance(to: point) <= radius
            }
        }
    }
}

extension SnapCandidate {
    fileprivate init(_ foot: NearbyRoads.Foot, _ way: RoadNetworkBuilder.DrivableWay, passesUnder: Bool) {
        let against = (foot.bearing + 180).truncatingRemainder(dividingBy: 360)
        let courses =
            switch way.road.oneway {
            case .no: [foot.bearing, against]
            case .along: [foot.bearing]
            case .against: [against]
            }
        self.init(
            distance: foot.distance, courses: courses, layer: way.road.layer, isBridge: way.road.isBridge,
            passesUnder: passesUnder, name: way.road.name, number: way.road.number,
            ends: [way.nodes.first, way.nodes.last].compactMap { $0 })
    }
}

extension NodeTable {
    /// The positions of a way's nodes; nil where one is missing.
    func line(_ ids: [Int64]) -> [Coordinate?] {
        ids.map { id in
            guard let index = index(of: id), flags[index].contains(.found) else { return nil }
            return Coordinate(fixed: points[index].latitude, points[index].longitude)
        }
    }
}

extension [Coordinate?] {
    fileprivate var segments: [(Coordinate, Coordinate)] {
        zip(self, dropFirst()).compactMap { a, b in
            guard let a, let b else { return nil }
            return (a, b)
        }
    }
}
