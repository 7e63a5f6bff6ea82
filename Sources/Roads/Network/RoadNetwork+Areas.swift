import Algorithms
import Clearances
public import Geo

/// What lies in a part of the map.
extension RoadNetwork {
    /// What all roads lie in, to a cell of the grid; nil where there is none. Goes through the grid: some milliseconds for
    /// a large country.
    public var bounds: Bounds? {
        // The last row only closes the one before.
        let rows = cells.count - 1
        guard rows > 0 else { return nil }
        var hasRoads = [Bool](repeating: false, count: Int(ShapeGrid.columnMax) + 1)
        for row in 0..<rows { hasRoads[Int(ShapeGrid.column(ofKey: cells[row].key))] = true }
        let south = ShapeGrid.degrees(ShapeGrid.row(ofKey: cells[0].key))
        let north = ShapeGrid.degrees(ShapeGrid.row(ofKey: cells[rows - 1].key) + 1)
        let columns = hasRoads.indices.filter { hasRoads[$0] }.map { column in
            let west = ShapeGrid.degrees(Int64(column))
            return Bounds(south: south, west: west, north: north, east: ShapeGrid.degrees(Int64(column) + 1))
        }
        return Bounds(enclosing: columns)
    }

    /// One edge for each piece of road that may lie in a box, in the order of edge ids: those whose grid cells it meets.
    public func roads(in box: Bounds) -> [EdgeID] {
        var found: [UInt32] = []
        for box in box.cut {
            let (low, high) = (PointRecord(box.southWest), PointRecord(box.northEast))
            let columns = ShapeGrid.cell(low.longitude)...ShapeGrid.cell(high.longitude)
            for row in ShapeGrid.cell(low.latitude)...ShapeGrid.cell(high.latitude) {
                let (first, last) = (ShapeGrid.key(row, columns.lowerBound), ShapeGrid.key(row, columns.upperBound))
                var cell = cells.partitioningIndex { $0.key >= first }
                while cell + 1 < cells.count, cells[cell].key <= last {
                    for item in cells[cell].start..<cells[cell + 1].start { found.append(cellItems[item]) }
                    cell += 1
                }
            }
        }
        found.sort()
        return found.indices.filter { $0 == 0 || found[$0 - 1] != found[$0] }.map { EdgeID(found[$0]) }
    }

    /// One edge for each piece of road of a class or above, in the order of edge ids. Goes through all edges: a tenth of a
    /// second for ten millions.
    public func roads(from least: RoadClass) -> [EdgeID] {
        var found: [EdgeID] = []
        for index in 0..<UInt32(edges.count) {
            let edge = edges[index]
            guard edge.original == index, edge.reverse == EdgeRecord.none || edge.reverse > index,
                ways[edge.way].roadClass >= least.rawValue
            else { continue }
            found.append(EdgeID(index))
        }
        return found
    }

    /// The lowest known limit on a piece of road, whichever way it is driven; nil where none is known.
    public func lowestLimit(_ edge: EdgeID) -> Centimetres? {
        (clearances(edge) + (reverse(edge).map(clearances) ?? [])).compactMap { clearance in
            if case .limit(let limit) = reading(clearance) { limit } else { nil }
        }.min()
    }
}

extension Bounds {
    fileprivate var southWest: Coordinate { Coordinate(latitude: south, longitude: west) }
    fileprivate var northEast: Coordinate { Coordinate(latitude: north, longitude: east) }
}
