import Geo

/// For which zooms of a web map a copy of the base map is: three, since what is seen from far away needs a hundredth of the
/// points.
enum BaseMapLevel: UInt8, CaseIterable {
    case far, middle, near

    init(zoom: Int) { self = zoom < 9 ? .far : zoom < 12 ? .middle : .near }

    /// The features are found by the tiles of the level's first zoom.
    var cellZoom: Int {
        switch self {
        case .far: 5
        case .middle: 9
        case .near: 12
        }
    }

    /// The zoom whose pixels decide what can be left out.
    private var finestZoom: Int {
        switch self {
        case .far: 8
        case .middle: 11
        case .near: 14
        }
    }

    /// Of a tile of 256, in widths of the world's square.
    private var pixel: Double { 1 / Double(256 << finestZoom) }

    /// Half a pixel: at 50° north 200 m, 25 m and 3 m.
    private var tolerance: Double { pixel / 2 }

    /// Two pixels by two: smaller areas are dots.
    private var areaMin: Double { 4 * pixel * pixel }

    func shows(_ kind: BaseMapKind) -> Bool { kind.firstZoom <= finestZoom }

    /// With the points that are seen at this level; nil where nothing is. The same at the same level once more.
    func simplified(_ feature: BaseMapFeature) -> BaseMapFeature? {
        guard shows(feature.kind) else { return nil }
        var feature = feature
        if feature.kind.shape == .place { return feature }
        var parts: [BaseMapFeature.Part] = []
        var hasOuter = false
        for part in feature.parts {
            let points = part.line.map { MercatorPoint($0) }.map { SIMD2($0.x, $0.y) }
            let kept = LineSimplification.kept(points, tolerance: tolerance)
            var isSeen = kept.count > 1
            if feature.kind.shape == .area {
                let isLarge = kept.count > 3 && abs(Self.area(kept.map { points[$0] })) >= areaMin
                if !part.isHole { hasOuter = isLarge }
                isSeen = isLarge && hasOuter
            }
            if isSeen {
                parts.append(BaseMapFeature.Part(isHole: part.isHole, line: kept.map { part.line[$0] }))
            }
        }
        guard !parts.isEmpty else { return nil }
        feature.parts = parts
        return feature
    }

    /// Of a closed ring, from its first point so that small ones keep their digits.
    private static func area(_ ring: [SIMD2<Double>]) -> Double {
        zip(ring, ring.dropFirst()).reduce(0) { sum, side in
            let (a, b) = (side.0 - ring[0], side.1 - ring[0])
            return sum + (a.x * b.y - b.x * a.y) / 2
        }
    }

    /// The cells that a box meets, from the north-west.
    func cells(_ box: Bounds) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let count = Double(1 << cellZoom)
        func cell(_ share: Double) -> Int { min(max(Int(share * count), 0), (1 << cellZoom) - 1) }
        let northWest = MercatorPoint(Coordinate(latitude: box.north, longitude: box.west))
        let southEast = MercatorPoint(Coordinate(latitude: box.south, longitude: box.east))
        return (
            cell(northWest.x)...max(cell(northWest.x), cell(southEast.x)),
            cell(northWest.y)...max(cell(northWest.y), cell(southEast.y))
        )
    }

    /// Sorted by level, then from the north-west row by row.
    func key(column: Int, row: Int) -> UInt64 { UInt64(rawValue) << 48 | UInt64(row) << 24 | UInt64(column) }
}
