import Clearances
import Geo

/// Finds the road for every point clearance, and where on it.
struct PointPlacement {
    /// A clearance, and its feet on the roads that it limits, or why there are none.
    struct Placed {
        var clearance: PointClearance
        var outcome: Result<[NearbyRoads.Foot], SnappingError>
    }

    let placed: [Placed]

    init(
        _ clearances: [PointClearance], ways: [RoadNetworkBuilder.DrivableWay], bridges: BridgeCrossings,
        nodes: NodeTable, radius: Metres
    ) {
        guard !clearances.isEmpty else {
            placed = []
            return
        }
        var nearby = NearbyRoads(clearances.map(\.position), radius: radius)
        for (index, way) in ways.enumerated() { nearby.add(way: index, nodes.line(way.nodes)) }
        placed = clearances.indices.map { index in
            let feet = nearby.feet[index]
            let candidates = feet.map { foot in
                let way = ways[foot.way]
                let isUnder = nodes.lines(way.nodes).contains { line in
                    bridges.over(line, of: way).contains { $0.distance(to: clearances[index].position) <= radius }
                }
                return SnapCandidate(foot, way, passesUnder: isUnder)
            }
            let outcome = Result { () throws(SnappingError) in
                try Snapping.choose(clearances[index], among: candidates).map { feet[$0] }
            }
            return Placed(clearance: clearances[index], outcome: outcome)
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
    func line(_ ids: [Int64]) -> [Coordinate?] { ids.map { found($0).map { Coordinate(points[$0]) } } }

    /// The pieces of a way whose nodes are there.
    func lines(_ ids: [Int64]) -> [[Coordinate]] { runs(of: ids).map { run in run.map { Coordinate(points[$0]) } } }
}
