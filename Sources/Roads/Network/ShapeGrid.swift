import Geo

/// The grid over a road file's shapes: cells of 0.0025° (some 280 m north, 280 m · cos φ east), sorted by key.
enum ShapeGrid {
    /// In 1e-7 degrees. At map matching's largest search radius (100 m) a search reads at most four cells below 60°.
    static let cellSize: Int64 = 25_000

    static func cell(_ fixed: Int32) -> Int64 { (Int64(fixed) + 1_800_000_000) / cellSize }

    static func key(_ row: Int64, _ column: Int64) -> UInt64 { UInt64(row) << 32 | UInt64(column) }

    static func row(ofKey key: UInt64) -> Int64 { Int64(key >> 32) }

    static func column(ofKey key: UInt64) -> Int64 { Int64(key & 0xFFFF_FFFF) }

    /// The eastern end of the grid: 180°.
    static let columnMax = cell(1_800_000_000)

    /// Where a row begins in the south, or a column in the west.
    static func degrees(_ cell: Int64) -> Degrees { Degrees(cell * cellSize - 1_800_000_000) / 1e7 }

    /// Beyond so many cells a segment, of some 20 km, has those of its box left out that it does not come near: a node whose
    /// coordinates are wrong would fill the memory.
    private static let boxCellsMax = 10_000

    /// Cell keys touched by the box round a segment, in order; of a very long one those that it comes to, and some beside them.
    static func cells(_ a: PointRecord, _ b: PointRecord) -> [UInt64] {
        let rows = cell(min(a.latitude, b.latitude))...cell(max(a.latitude, b.latitude))
        let columns = cell(min(a.longitude, b.longitude))...cell(max(a.longitude, b.longitude))
        let isLong = rows.count * columns.count > boxCellsMax && rows.count > 1
        return rows.flatMap { row in
            (isLong ? columns.clamped(to: self.columns(of: row, a, b)) : columns).map { key(row, $0) }
        }
    }

    /// In which columns a segment passes a row that it comes to, and one more on either side.
    private static func columns(of row: Int64, _ a: PointRecord, _ b: PointRecord) -> ClosedRange<Int64> {
        let height = Double(b.latitude) - Double(a.latitude)
        let borders = [row, row + 1].map { row -> Int64 in
            let latitude = Double(row * cellSize - 1_800_000_000)
            let fraction = min(max((latitude - Double(a.latitude)) / height, 0), 1)
            let longitude = Double(a.longitude) + fraction * (Double(b.longitude) - Double(a.longitude))
            return cell(Int32(longitude.rounded()))
        }
        return (min(borders[0], borders[1]) - 1)...(max(borders[0], borders[1]) + 1)
    }
}

extension PointRecord {
    /// Rounded to OSM's 1e-7 degrees; out of range is clamped.
    init(_ coordinate: Coordinate) {
        latitude = Int32((min(max(coordinate.latitude, -90), 90) * 1e7).rounded())
        longitude = Int32((min(max(coordinate.longitude, -180), 180) * 1e7).rounded())
    }

    /// Along the Hilbert curve through all that the two numbers can be.
    var hilbertDistance: UInt64 {
        HilbertCurve.distance(x: UInt32(bitPattern: longitude) ^ 1 << 31, y: UInt32(bitPattern: latitude) ^ 1 << 31)
    }
}
