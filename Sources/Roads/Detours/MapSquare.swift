public import Geo

/// A square of the map's grid: a tenth of a degree each way, some 11 km from south to north and 7 km from west to east in Germany.
public struct MapSquare: Hashable, Comparable, Sendable {
    /// Degrees.
    private static let side = 0.1

    private let row: Int32
    private let column: Int32

    /// The square that a place lies in.
    public init(_ place: Coordinate) {
        row = Int32((place.latitude / Self.side).rounded(.down))
        column = Int32((place.longitude / Self.side).rounded(.down))
    }

    /// From south to north, and from west to east in one row.
    public static func < (a: Self, b: Self) -> Bool { (a.row, a.column) < (b.row, b.column) }

    /// - Parameter margin: how much wider than the square.
    public func bounds(widenedBy margin: Metres) -> Bounds {
        let (south, west) = (Double(row) * Self.side, Double(column) * Self.side)
        let corners = (
            Coordinate(latitude: max(-90, south), longitude: max(-180, west)),
            Coordinate(latitude: min(90, south + Self.side), longitude: min(180, west + Self.side))
        )
        return Bounds(corners.0, corners.1).widened(by: margin)
    }
}
