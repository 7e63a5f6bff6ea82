/// Lines that distances are measured to.
struct Border: Sendable {
    let tree: EdgeTree
    /// By which a longitude in `-180 ... 180` is shifted to lie within half a turn of the lines.
    let turns: Turns

    init(_ tree: EdgeTree) {
        self.tree = tree
        turns = Turns(of: tree.box, margin: 180)
    }

    /// In metres; infinite where there are no lines.
    ///
    /// The nearest point is found in the plane at `coordinate` and measured along the ellipsoid: at 10 km from the border that is
    /// within 0.1 m of the least distance, at 100 km within some metres. Where that is asked for, and at high latitudes, where
    /// the plane is worse, the nearest edge and those beside it are looked at along the ellipsoid, too.
    func distance(from coordinate: Coordinate, isExact: Bool = false) -> Metres {
        let point = MapPoint(coordinate)
        let scale = LocalPlane(latitude: coordinate.latitude).scale
        var nearest = EdgeTree.Nearest()
        for turn in turns {
            let shifted = MapPoint(point.x + turn, point.y)
            guard shifted.x >= tree.box.low.x - 180, shifted.x <= tree.box.high.x + 180 else { continue }
            tree.findNearest(to: shifted, scale: scale, &nearest)
        }
        guard nearest.squared < .infinity else { return .infinity }
        let distance = Geodesic.distance(from: coordinate, to: Coordinate(tree.point(of: nearest)))
        guard isExact || coordinate.latitude.magnitude > Geodesic.planeMax.latitude && distance < Self.exactMax else {
            return distance
        }
        let beside = max(0, nearest.edge - 1)...min(tree.edges.count - 1, nearest.edge + 1)
        return tree.edges[beside].reduce(distance) { min($0, $1.distance(from: coordinate)) }
    }

    /// Farther away nothing hangs on a few metres.
    private static let exactMax: Metres = 50_000
}

// MARK: - Where several rings meet

extension Border {
    /// Pieces shorter than this part of an edge come from rounding.
    private static let fractionMin = 1e-12
    /// How far beside a piece is looked whether it parts inside from outside. Gaps narrower than twice this are closed.
    private static let offset: Metres = 0.001

    /// The border of what `rings` enclose together.
    ///
    /// An edge, cut where others meet it, belongs to the border where one of its sides is inside and the other is not. That
    /// leaves out what lies inside another polygon, edges that two polygons share, and the cut along the antimeridian that
    /// RFC 7946 §3.1.9 asks for, where nothing ends on earth.
    init(between rings: [EdgeTree], contains: (MapPoint) -> Bool) {
        var edges: [Edge] = []
        let all = EdgeTree(rings.flatMap(\.edges))
        for edge in all.edges {
            let cuts = Self.cuts(of: edge, by: all)
            for (from, to) in zip(cuts, cuts.dropFirst()) where to - from > Self.fractionMin {
                let piece = Edge(start: edge.point(at: from), end: edge.point(at: to))
                if Self.parts(piece, contains) { edges.append(piece) }
            }
        }
        self.init(EdgeTree(edges))
    }

    /// Ascending, from 0 to 1.
    private static func cuts(of edge: Edge, by others: EdgeTree) -> [Double] {
        var cuts = [0.0, 1]
        for turn in [0.0, -360, 360] {
            let shifted = edge.shifted(by: turn)
            others.forEachEdge(meeting: shifted.box) { _, other in cuts += shifted.fractions(meeting: other) }
        }
        return cuts.sorted()
    }

    private static func parts(_ piece: Edge, _ contains: (MapPoint) -> Bool) -> Bool {
        let middle = piece.point(at: 0.5)
        let scale = LocalPlane(latitude: middle.y).scale
        let along = piece.direction * scale
        let across = MapPoint(-along.y, along.x) / along.dotSelf.squareRoot() * offset / scale
        return contains(MapPoint(Coordinate(middle + across))) != contains(MapPoint(Coordinate(middle - across)))
    }
}

extension Edge {
    /// Where another edge meets this one, as fractions of this one, `0 ... 1`: a point, the ends of an overlap, or nothing.
    func fractions(meeting other: Edge) -> [Double] {
        let offset = other.start - start
        let determinant = cross(direction, other.direction)
        if determinant != 0 {
            let fraction = cross(offset, other.direction) / determinant
            let otherFraction = cross(offset, direction) / determinant
            return (0...1).contains(fraction) && (0...1).contains(otherFraction) ? [fraction] : []
        }
        guard cross(direction, offset) == 0 else { return [] }
        let ends = [other.start, other.end].map { (end: MapPoint) -> Double in
            let along = (end - start) * direction
            return (along.x + along.y) / direction.dotSelf
        }
        return ends.filter { (0...1).contains($0) }
    }
}
