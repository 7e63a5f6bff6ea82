extension Shape {
    /// The largest radius and width, in metres: a country. Larger ones are mistakes in the unit more often than fences.
    public static let extentMax: Metres = 1_000_000

    /// The most points in all lines of a shape: about what the outline of a country has, and few enough for a fence to be
    /// checked and prepared while a message is being handled.
    public static let verticesMax = 10_000

    /// The shape itself, if fences can be judged by it: sizes and coordinates are in range, lines have enough points, and
    /// no ring crosses or touches itself. Where holes lie does not matter, nor whether polygons overlap.
    public func validated() throws(ShapeError) -> Shape {
        switch self {
        case .circle(let circle):
            guard circle.center.isValid else { throw .coordinate(circle.center, at: ShapePlace(.center)) }
            guard Self.isExtent(circle.radius) else { throw .radius(circle.radius) }
        case .corridor(let corridor):
            guard Self.isExtent(corridor.width) else { throw .width(corridor.width) }
            try Self.limit(corridor.line.count)
            try Line(points: corridor.line, name: .line, isRing: false).validate()
        case .polygons(let polygons):
            guard !polygons.isEmpty else { throw .noPolygon }
            try Self.limit(polygons.reduce(0) { $1.holes.reduce($0 + $1.outer.count) { $0 + $1.count } })
            for (polygon, number) in zip(polygons, 1...) {
                try Line(points: polygon.outer, name: .outerRing(polygon: number), isRing: true).validate()
                for (hole, index) in zip(polygon.holes, 1...) {
                    try Line(points: hole, name: .hole(index, polygon: number), isRing: true).validate()
                }
            }
        }
        return self
    }

    private static func isExtent(_ metres: Metres) -> Bool { metres > 0 && metres <= extentMax }

    private static func limit(_ vertices: Int) throws(ShapeError) {
        guard vertices <= verticesMax else { throw .tooManyVertices(vertices) }
    }
}

/// One line of a shape and what it is called.
private struct Line {
    let points: [Coordinate]
    let name: ShapePlace.Line
    let isRing: Bool

    func validate() throws(ShapeError) {
        for (point, number) in zip(points, 1...) where !point.isValid {
            throw .coordinate(point, at: ShapePlace(name, point: number))
        }
        try validateCount()
        try validateEdges()
        if isRing { try validateSimplicity() }
    }

    private func validateCount() throws(ShapeError) {
        let least = isRing ? 3 : 2
        var different: [Coordinate] = []
        for point in points where different.count < least {
            if !different.contains(where: { $0.isSamePlace(as: point) }) { different.append(point) }
        }
        guard different.count == least else { throw .tooFewPoints(different.count, in: ShapePlace(name)) }
    }

    private func validateEdges() throws(ShapeError) {
        let ends = points.dropFirst() + (isRing ? points.prefix(1) : [])
        for (number, edge) in zip(1..., zip(points, ends)) where abs(edge.0.longitude - edge.1.longitude) == 180 {
            throw .ambiguousEdge(at: ShapePlace(name, point: number))
        }
    }

    private func validateSimplicity() throws(ShapeError) {
        guard let (edge, other) = RingCrossing.first(in: Ring.points(points)) else { return }
        throw .selfIntersection(at: ShapePlace(name, point: number(of: edge)), with: number(of: other))
    }

    /// The number of the point at which an edge begins; the nearest, as unrolling may have rounded it.
    private func number(of edge: Edge) -> Int {
        let start = Coordinate(edge.start)
        func offset(_ index: Int) -> Degrees {
            abs(points[index].latitude - start.latitude)
                + abs(shortestLongitude(from: start.longitude, to: points[index].longitude))
        }
        return (points.indices.min { offset($0) < offset($1) } ?? 0) + 1
    }
}

extension Coordinate {
    fileprivate func isSamePlace(as other: Coordinate) -> Bool {
        latitude == other.latitude && shortestLongitude(from: longitude, to: other.longitude) == 0
    }
}
