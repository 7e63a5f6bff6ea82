extension Circle {
    /// A circle round all points that is hardly larger than the smallest one.
    ///
    /// Its centre begins in the middle and moves towards the farthest point, each time by a smaller part of the way (Bădoiu
    /// and Clarkson, Smaller core-sets for balls, 2003).
    private init(enclosing points: some Collection<MapPoint>, in bounds: Bounds) {
        let east = bounds.crossesAntimeridian ? bounds.east + 360 : bounds.east
        var center = MapPoint(bounds.west + east, bounds.south + bounds.north) / 2
        let scale = LocalPlane(latitude: center.y).scale
        let near = points.map { MapPoint(center.x + ($0.x - center.x).remainder(dividingBy: 360), $0.y) }
        for step in 1...Self.stepsMax {
            guard let farthest = near.max(by: { (($0 - center) * scale).dotSelf < (($1 - center) * scale).dotSelf })
            else { break }
            center += (farthest - center) / Double(step + 1)
        }
        let middle = Coordinate(center)
        self.init(
            center: middle, radius: near.reduce(0) { max($0, Geodesic.distance(from: middle, to: Coordinate($1))) })
    }

    /// The radius is then within about a per cent of the smallest.
    private static let stepsMax = 100

    init(enclosing rings: [Ring]) {
        let points = rings.flatMap { $0.tree.edges.flatMap(\.points) }
        if let pole = rings.lazy.compactMap(\.pole).first {
            // What reaches farthest from the pole may do so at any longitude.
            let center = Coordinate(latitude: pole, longitude: 0)
            self.init(
                center: center,
                radius: points.reduce(0) {
                    max($0, Geodesic.distance(from: center, to: Coordinate(latitude: $1.y, longitude: 0)))
                })
        } else {
            self.init(enclosing: points, in: Bounds(enclosing: rings.map(\.extent)) ?? .none)
        }
    }

    init(enclosing corridor: Corridor) {
        let corners = corridor.line.unrolled()
        let points = zip(corners, corners.dropFirst()).flatMap { Edge(start: $0, end: $1).points } + corners.suffix(1)
        let line = Circle(enclosing: points, in: Bounds(enclosing: points.map { MapBox(low: $0, high: $0) }) ?? .none)
        self.init(center: line.center, radius: line.radius + corridor.width / 2)
    }
}

extension Edge {
    /// Its start and what lies between its ends, a degree apart at most: an edge that is straight on the map may leave a circle
    /// that both of its ends lie in, of so short a piece by less than 0.1 %.
    fileprivate var points: [MapPoint] {
        let pieces = max(1, max(direction.x.magnitude, direction.y.magnitude).rounded(.up))
        return stride(from: 0, to: pieces, by: 1).map { point(at: $0 / pieces) }
    }
}

extension Bounds {
    fileprivate static let none = Bounds(south: 0, west: 0, north: 0, east: 0)
}
