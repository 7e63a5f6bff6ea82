import Geo

/// What becomes of a line on its way into a tile.
enum TileLines {
    /// Moved by a quarter of a pixel at most; at the last zoom, which is shown larger, by less.
    static func simplified(_ line: [TilePoint], zoom: Int) -> [TilePoint] {
        let tolerance = zoom == TileAddress.zooms.upperBound ? 0.5 : 2
        return LineSimplification.kept(line, tolerance: tolerance).map { line[$0] }
    }

    /// The parts of a line within a square from `-margin` to `size + margin` on both axes.
    static func clipped(_ line: [TilePoint], size: Double, margin: Double) -> [[TilePoint]] {
        let (low, high) = (TilePoint(repeating: -margin), TilePoint(repeating: size + margin))
        var parts: [[TilePoint]] = []
        for (start, end) in zip(line, line.dropFirst()) {
            guard let inside = fractions(of: start, end, low, high) else { continue }
            let way = end - start
            let first = inside.lowerBound == 0 ? start : start + way * inside.lowerBound
            let last = inside.upperBound == 1 ? end : start + way * inside.upperBound
            if let before = parts.last?.last, before == first {
                parts[parts.count - 1].append(last)
            } else {
                parts.append([first, last])
            }
        }
        return parts
    }

    /// From which to which share of the way a line is inside (Liang and Barsky, 1984); nil where it never is.
    private static func fractions(
        of start: TilePoint, _ end: TilePoint, _ low: TilePoint, _ high: TilePoint
    ) -> ClosedRange<Double>? {
        var (first, last) = (0.0, 1.0)
        for axis in 0..<2 {
            let way = end[axis] - start[axis]
            if way == 0 {
                guard (low[axis]...high[axis]).contains(start[axis]) else { return nil }
                continue
            }
            let crossings = ((low[axis] - start[axis]) / way, (high[axis] - start[axis]) / way)
            first = max(first, min(crossings.0, crossings.1))
            last = min(last, max(crossings.0, crossings.1))
        }
        return first <= last ? first...last : nil
    }

    /// On whole units, without points that fall onto the one before; nil where one point is left.
    static func rounded(_ line: [TilePoint]) -> [VectorTileLayer.Point]? {
        var points: [VectorTileLayer.Point] = []
        for place in line {
            let point = VectorTileLayer.Point(x: Int32(place.x.rounded()), y: Int32(place.y.rounded()))
            if points.last != point { points.append(point) }
        }
        return points.count > 1 ? points : nil
    }
}
