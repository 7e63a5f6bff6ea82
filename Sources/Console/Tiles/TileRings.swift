import Geo

/// What becomes of an area's ring on its way into a tile.
enum TileRings {
    /// The part of a closed ring within a square from `-margin` to `size + margin` (Sutherland and Hodgman, 1974). Where a ring
    /// leaves the square several times its parts hang together along the border, which lies outside of what is shown.
    static func clipped(_ ring: [TilePoint], size: Double, margin: Double) -> [TilePoint] {
        let (low, high) = (-margin, size + margin)
        var ring = ring
        for axis in 0..<2 {
            ring = cut(ring, axis, at: low) { $0 >= low }
            ring = cut(ring, axis, at: high) { $0 <= high }
        }
        return ring
    }

    private static func cut(
        _ ring: [TilePoint], _ axis: Int, at border: Double, _ isInside: (Double) -> Bool
    ) -> [TilePoint] {
        guard var last = ring.last else { return [] }
        var kept: [TilePoint] = []
        for point in ring {
            if isInside(last[axis]) != isInside(point[axis]) {
                var crossing = last + (point - last) * ((border - last[axis]) / (point[axis] - last[axis]))
                crossing[axis] = border
                kept.append(crossing)
            }
            if isInside(point[axis]) { kept.append(point) }
            last = point
        }
        return kept
    }

    /// On whole units, without the first point at the end; nil where it encloses less than an area.
    ///
    /// - Parameter isHole: the specification wants holes the other way round than rings.
    static func rounded(_ ring: [TilePoint], isHole: Bool, areaMin: Double) -> [VectorTileLayer.Point]? {
        guard var points = TileLines.rounded(ring) else { return nil }
        if points.first == points.last { points.removeLast() }
        guard points.count > 2 else { return nil }
        let area = doubledArea(points)
        guard area != 0, abs(Double(area)) >= 2 * areaMin else { return nil }
        // Above 0: clockwise, as y grows downwards.
        return (area > 0) == isHole ? points.reversed() : points
    }

    private static func doubledArea(_ ring: [VectorTileLayer.Point]) -> Int64 {
        ring.indices.reduce(0) { sum, index in
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            return sum + Int64(a.x) * Int64(b.y) - Int64(b.x) * Int64(a.y)
        }
    }
}
