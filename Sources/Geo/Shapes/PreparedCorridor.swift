/// A corridor made ready for many questions; an object as `PreparedPolygons` is.
final class PreparedCorridor: Sendable {
    let line: Border
    let halfWidth: Metres

    init(_ corridor: Corridor) {
        let points = corridor.line.unrolled()
        line = Border(EdgeTree(zip(points, points.dropFirst()).map { Edge(start: $0, end: $1) }))
        halfWidth = corridor.width / 2
    }

    func contains(_ coordinate: Coordinate) -> Bool { signedDistance(from: coordinate) <= 0 }

    func signedDistance(from coordinate: Coordinate) -> Metres {
        line.distance(from: coordinate, isExact: halfWidth > Geodesic.planeMax.metres) - halfWidth
    }
}
