import Fleet
import Foundation
import Geo
import Messages
import Wire

/// Counts vehicles by the squares of a map, where they are too many to be told apart.
struct ClusterGrid {
    /// Squares on a map's tile, along each side: 64 pixels each.
    private static let squaresPerTile = 8.0

    struct Cell {
        /// The middle of the vehicles, not of the square.
        var position: Coordinate
        var count: Int
        var stage: AlertMessage.Stage?

        func write(_ writer: inout JSONWriter) {
            writer.row { writer in
                writer.number(position.latitude, decimals: 4)
                writer.number(position.longitude, decimals: 4)
                writer.integer(count)
                if let stage { writer.string(stage.rawValue) } else { writer.null() }
            }
        }
    }

    private struct Square: Hashable, Comparable {
        var row: Int
        var column: Int

        static func < (a: Square, b: Square) -> Bool { (a.row, a.column) < (b.row, b.column) }
    }

    fileprivate struct Sum {
        var latitude = 0.0
        var longitude = 0.0
        var count = 0
        var stage: AlertMessage.Stage?
    }

    private let squares: Double

    init(zoom: Int) { squares = Self.squaresPerTile * pow(2, Double(zoom)) }

    /// From north to south, and from west to east.
    func cells(of vehicles: [VehicleSnapshot]) -> [Cell] {
        var sums: [Square: Sum] = [:]
        for vehicle in vehicles {
            guard let position = vehicle.fix?.position else { continue }
            sums[square(of: position), default: Sum()].add(position, vehicle.worstStage)
        }
        return sums.sorted { $0.key < $1.key }.map { $0.value.cell }
    }

    private func square(of position: Coordinate) -> Square {
        let point = MercatorPoint(position)
        return Square(row: Int((point.y * squares).rounded(.down)), column: Int((point.x * squares).rounded(.down)))
    }
}

extension ClusterGrid.Sum {
    fileprivate mutating func add(_ position: Coordinate, _ stage: AlertMessage.Stage?) {
        latitude += position.latitude
        longitude += position.longitude
        count += 1
        if let stage, stage.rank > self.stage?.rank ?? 0 { self.stage = stage }
    }

    fileprivate var cell: ClusterGrid.Cell {
        let middle = Coordinate(latitude: latitude / Double(count), longitude: longitude / Double(count))
        return ClusterGrid.Cell(position: middle, count: count, stage: stage)
    }
}
