import Geo

/// A lower bound on the driving time between two nodes: the straight line at the greatest usual speed of the network.
struct SpeedBound {
    private let network: RoadNetwork
    private let secondsPerDegreeNorth: Double
    private let secondsPerDegreeEast: Double

    init(_ network: RoadNetwork) {
        self.network = network
        let speed = (0..<network.wayCount).reduce(1) { max($0, Double(network.ways[$1].usualSpeed)) }
        var latitudes: (nearest: Degrees, farthest: Degrees) = (90, 0)
        for index in 0..<network.nodeCount {
            let latitude = network.coordinate(NodeID(index)).latitude.magnitude
            latitudes = (min(latitudes.nearest, latitude), max(latitudes.farthest, latitude))
        }
        // A degree north is shortest at the equator, a degree east at the poles; a thousandth is for rounding.
        let north = LocalPlane(latitude: latitudes.nearest).metresPerDegreeNorth
        let east = LocalPlane(latitude: latitudes.farthest).metresPerDegreeEast
        secondsPerDegreeNorth = 0.999 * north / speed
        secondsPerDegreeEast = 0.999 * east / speed
    }

    func seconds(from node: NodeID, to place: Coordinate) -> Seconds {
        let here = network.coordinate(node)
        let north = (place.latitude - here.latitude) * secondsPerDegreeNorth
        let east = shortestLongitude(from: here.longitude, to: place.longitude) * secondsPerDegreeEast
        return (north * north + east * east).squareRoot()
    }
}
