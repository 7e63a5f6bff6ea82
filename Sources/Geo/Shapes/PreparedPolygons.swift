/// Polygons made ready for many questions: unrolled, and with boxes where they have many edges.
///
/// An object, so that a prepared shape is handed on by one reference.
final class PreparedPolygons: Sendable {
    private let area: PolygonParts
    /// Where inside and outside meet.
    let border: Border

    var parts: [PolygonParts.Part] { area.parts }

    init(_ polygons: [Polygon]) {
        let area = PolygonParts(polygons)
        self.area = area
        let rings = area.parts.flatMap { [$0.outer] + $0.holes }
        // The border of one ring is the ring, unless its two ends may be drawn on the rim of a plane map.
        if rings.count == 1, rings[0].tree.box.size.x < 360 {
            border = Border(rings[0].tree)
        } else {
            border = Border(between: rings.map(\.tree)) { area.contains($0) }
        }
    }

    func contains(_ coordinate: Coordinate) -> Bool { area.contains(MapPoint(coordinate)) }

    func signedDistance(from coordinate: Coordinate) -> Metres {
        let distance = border.distance(from: coordinate)
        return contains(coordinate) ? -distance : distance
    }
}

/// What several polygons, which may overlap, enclose together.
struct PolygonParts: Sendable {
    struct Part: Sendable {
        var outer: Ring
        var holes: [Ring]

        /// Borders are inside, those of holes too.
        func contains(_ point: MapPoint) -> Bool {
            switch outer.side(of: point) {
            case .outside: false
            case .border: true
            case .inside: !holes.contains { $0.side(of: point) == .inside }
            }
        }
    }

    let parts: [Part]
    /// The boxes of the parts, where there are many.
    private let index: BoxIndex?

    /// Up to here asking every part is as fast as looking for boxes first.
    private static let partsWithoutIndexMax = 8
    /// By so much boxes are wider than their parts: longitudes beyond ±180° are rounded when they are brought back.
    private static let rounding: Metres = 0.001

    init(_ polygons: [Polygon]) {
        let parts = polygons.map { Part(outer: Ring($0.outer), holes: $0.holes.map { Ring($0) }) }
        self.parts = parts
        guard parts.count > Self.partsWithoutIndexMax else {
            index = nil
            return
        }
        index = BoxIndex(
            parts.indices.compactMap { part in
                Bounds(enclosing: [parts[part].outer.extent]).map { (box: $0.widened(by: Self.rounding), item: part) }
            })
    }

    /// `point` has a longitude of `-180 ... 180`.
    func contains(_ point: MapPoint) -> Bool {
        guard let index else { return parts.contains { $0.contains(point) } }
        let place = Bounds(south: point.y, west: point.x, north: point.y, east: point.x)
        var isInside = false
        index.search(place) { part in
            if !isInside { isInside = parts[part].contains(point) }
        }
        return isInside
    }
}
