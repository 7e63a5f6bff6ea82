import Foundation
import Geo
import Messages

/// What lies near a place: cells of a cube grid round the earth's centre, which knows no poles and no antimeridian.
struct PlaceGrid {
    private struct Cell: Hashable {
        var x: Int
        var y: Int
        var z: Int
    }

    private static let earthRadius: Metres = 6_378_137

    private let size: Metres
    private var cells: [Cell: [Int]] = [:]

    /// - Parameter radius: what lies within it is found; at least a metre is taken.
    init(radius: Metres) {
        // A degree of latitude at the equator is 0.7 % shorter on the ellipsoid than on this sphere.
        size = max(radius, 1) * 1.01
    }

    mutating func insert(_ index: Int, at position: Coordinate) {
        cells[cell(of: position), default: []].append(index)
    }

    /// All within `radius` of `position`, and more; in an order that depends on nothing but the insertions.
    ///
    /// - Parameter isOver: those that it names are in nobody's way any more.
    mutating func near(_ position: Coordinate, dropping isOver: (Int) -> Bool) -> [Int] {
        let middle = cell(of: position)
        var near: [Int] = []
        for x in middle.x - 1...middle.x + 1 {
            for y in middle.y - 1...middle.y + 1 {
                for z in middle.z - 1...middle.z + 1 {
                    near += prune(Cell(x: x, y: y, z: z), isOver)
                }
            }
        }
        return near
    }

    /// What is left in a cell.
    private mutating func prune(_ cell: Cell, _ isOver: (Int) -> Bool) -> [Int] {
        guard let slot = cells.index(forKey: cell) else { return [] }
        cells.values[slot].removeAll(where: isOver)
        return cells.values[slot]
    }

    private func cell(of position: Coordinate) -> Cell {
        let (latitude, longitude) = (position.latitude * .pi / 180, position.longitude * .pi / 180)
        func index(_ share: Double) -> Int { Int((share * Self.earthRadius / size).rounded(.down)) }
        return Cell(
            x: index(cos(latitude) * cos(longitude)), y: index(cos(latitude) * sin(longitude)),
            z: index(sin(latitude)))
    }
}
