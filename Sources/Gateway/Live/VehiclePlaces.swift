import Fleet
package import Geo
import Messages

/// Vehicles by where they are, in squares, so that a view of a part of the map costs what is in it and not the whole fleet.
package struct VehiclePlaces: Sendable {
    /// Degrees: some 10 km, of which a town has a few.
    private static let side: Degrees = 0.1

    fileprivate struct Square: Hashable {
        var row: Int
        var column: Int

        init(row: Int, column: Int) { (self.row, self.column) = (row, column) }

        init(_ position: Coordinate) {
            row = Self.index(position.latitude)
            column = Self.index(position.longitude)
        }

        static func index(_ degrees: Degrees) -> Int { Int((degrees / side).rounded(.down)) }
    }

    private var squares: [Square: [VehicleID: LiveVehicle]] = [:]

    package init() {}

    /// - Parameters:
    ///   - old: as it was before; nil: it is new.
    ///   - new: as it is; nil: it is gone.
    mutating func replace(_ old: LiveVehicle?, with new: LiveVehicle?) {
        let (before, after) = (old?.square, new?.square)
        if let old, let before, before != after {
            squares[before]?[old.snapshot.vehicle] = nil
            if squares[before]?.isEmpty == true { squares[before] = nil }
        }
        if let new, let after { squares[after, default: [:]][new.snapshot.vehicle] = new }
    }

    /// The vehicles that are within; those without a position are nowhere.
    package func vehicles(in bounds: Bounds?) -> [LiveVehicle] {
        guard let bounds else { return squares.values.flatMap(\.values) }
        return near(bounds).filter { vehicle in vehicle.snapshot.fix.map { bounds.contains($0.position) } ?? false }
    }

    private func near(_ bounds: Bounds) -> [LiveVehicle] {
        let rows = Square.index(bounds.south)...Square.index(bounds.north)
        let spans =
            bounds.west <= bounds.east ? [bounds.west...bounds.east] : [bounds.west...180, -180...bounds.east]
        let columns = spans.map { Square.index($0.lowerBound)...Square.index($0.upperBound) }
        // A view of more squares than there are vehicles in.
        guard rows.count * columns.reduce(0, { $0 + $1.count }) < squares.count else {
            return squares.lazy.filter { square, _ in
                rows.contains(square.row) && columns.contains { $0.contains(square.column) }
            }.flatMap(\.value.values)
        }
        return rows.flatMap { row in
            columns.joined().flatMap { squares[Square(row: row, column: $0)].map { Array($0.values) } ?? [] }
        }
    }
}

extension LiveVehicle {
    fileprivate var square: VehiclePlaces.Square? { snapshot.fix.map { VehiclePlaces.Square($0.position) } }
}
