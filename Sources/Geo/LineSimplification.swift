/// Lines with fewer points.
public enum LineSimplification {
    /// Leaves out points that lie no farther than a tolerance from the line without them (Douglas and Peucker, 1973); both ends
    /// stay. The positions of those that are kept, in order.
    ///
    /// The same line simplified once more with the same tolerance stays as it is.
    public static func kept(_ line: [SIMD2<Double>], tolerance: Double) -> [Int] {
        guard line.count > 2 else { return Array(line.indices) }
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
        return line.indices.filter { isKept[$0] }
    }

    /// From a point to a straight line between two others, which may be one.
    private static func squaredDistance(_ point: SIMD2<Double>, _ start: SIMD2<Double>, _ end: SIMD2<Double>) -> Double
    {
        let (way, offset) = (end - start, point - start)
        let length = (way * way).sum()
        let fraction = length > 0 ? min(max((way * offset).sum() / length, 0), 1) : 0
        let rest = offset - way * fraction
        return (rest * rest).sum()
    }
}
