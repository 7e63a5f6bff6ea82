import Geo

/// One square of the web map: of the 4^zoom squares of a zoom the one in a column from the west and a row from the north.
struct TileAddress: Hashable {
    /// A country in four tiles, and the zoom from which on a map shows the same tile larger.
    static let zooms = 5...15

    let zoom: Int
    let column: Int
    let row: Int

    /// Nil where there is no such tile.
    init?(zoom: Int, column: Int, row: Int) {
        guard Self.zooms.contains(zoom), 0..<(1 << zoom) ~= column, 0..<(1 << zoom) ~= row else { return nil }
        (self.zoom, self.column, self.row) = (zoom, column, row)
    }

    private var tiles: Double { Double(1 << zoom) }

    /// What lies in the tile and in a margin round it.
    ///
    /// - Parameter margin: in widths of the tile.
    func bounds(margin: Double) -> Bounds {
        let low = MercatorPoint(x: (Double(column) - margin) / tiles, y: (Double(row) - margin) / tiles).coordinate
        let high = MercatorPoint(x: (Double(column + 1) + margin) / tiles, y: (Double(row + 1) + margin) / tiles)
            .coordinate
        return Bounds(
            south: high.latitude, west: Self.brought(low.longitude), north: low.latitude,
            east: Self.brought(high.longitude))
    }

    /// Where a place lies in the tile: 0 to `extent` from west to east and from north to south, and beyond that outside.
    func point(_ position: Coordinate, extent: Double) -> TilePoint {
        let point = MercatorPoint(position)
        // The short way round, as seen from the tile.
        let middle = (Double(column) + 0.5) / tiles
        let turn = (point.x - middle).rounded()
        return TilePoint(
            ((point.x - turn) * tiles - Double(column)) * extent, (point.y * tiles - Double(row)) * extent)
    }

    private static func brought(_ longitude: Degrees) -> Degrees {
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }
}

/// A place in a tile, in its units.
typealias TilePoint = SIMD2<Double>
