/// What becomes of a line on its way into a tile.
enum TileLines {
    /// Leaves out points that lie no farther than a tolerance from the line without them (Douglas and Peucker, 1973); both ends
    /// stay.
    static func simplified(_ line: [TilePoint], tolerance: Double) -> [TilePoint] {
        guard line.count > 2 else { return line }
        var isKept = [Bool](repeating: false, count: line.count)
        isKept[0] = true
        isKept[line.count - 1] = true
        var spans = [0..<(line.count - 1)]
        while let span = spans.popLast() {
            let (first, last) = (span.lowerBound, span.upperBound)
            var farthest = (index: first, distance: tolerance * tolerance)
            for index in (first + 1)..<last {
                let distance = squaredDistance(line[index], line[first], line[last])
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index > first else { continue }
            isKept[farthest.index] = true
            if farthest.index > first + 1 { spans.append(first..<farthest.index) }
            if last > farthest.index + 1 { spans.append(farthest.index..<last) }
        }
        return line.indices.filter { isKept[$0] }.map { line[$0] }
    }

    /// From a point to a straight line between two others, which may be one.
    private static func squaredDistance(_ point: TilePoint, _ start: TilePoint, _ end: TilePoint) -> Double {
        let (way, offset) = (end - start, point - start)
        let length = (way * way).sum()
        let fraction = length > 0 ? min(max((way * offset).sum() / length, 0), 1) : 0
        let rest = offset - way * fraction
        return (rest * rest).sum()
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
