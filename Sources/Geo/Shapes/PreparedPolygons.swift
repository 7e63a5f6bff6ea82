/// Polygons made ready for many questions: unrolled, and with boxes where they have many edges.
///
/// An object, so that a prepared shape is handed on by one reference.
final class PreparedPolygons: Sendable {
    struct Part: Sendable {
        var outer: Ring
        var holes: [Ring]
    }

    let parts: [Part]
    /// Where inside and outside meet.
    let border: Border

    init(_ polygons: [Polygon]) {
        let parts = polygons.map { Part(outer: Ring($0.outer), holes: $0.holes.map { Ring($0) }) }
        self.parts = parts
        let rings = parts.flatMap { [$0.outer] + $0.holes }
        // The border of one ring is the ring, unless its two ends may be drawn on the rim of a plane map.
        if rings.count == 1, rings[0].tree.box.size.x < 360 {
            border = Border(rings[0].tree)
        } else {
            border = Border(between: rings.map(\.tree)) { Self.contains($0, parts) }
        }
    }

    func contains(_ coordinate: Coordinate) -> Bool {
        Self.contains(MapPoint(coordinate), parts)
    }

    /// Borders are inside, those of holes too.
    private static func contains(_ point: MapPoint, _ parts: [Part]) -> Bool {
        parts.contains { part in
            switch part.outer.side(of: point) {
            case .outside: false
            case .border: true
            case .inside: !part.holes.contains { $0.side(of: point) == .inside }
            }
        }
    }

    func signedDistance(from coordinate: Coordinate) -> Metres {
        let distance = border.distance(from: coordinate)
        return contains(coordinate) ? -distance : distance
    }
}
