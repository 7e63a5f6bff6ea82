import Algorithms
import Geo
import Hashing
import Messages

/// Where fences matter to vehicles: a change of a fence finds the vehicles that it may matter to, and costs nothing for the
/// others, however many they are.
///
/// Each vehicle lies in one cell of a grid, by the middle of a circle that holds all places where a fence may matter to it.
/// There is a grid for each power of two of that circle's radius, so that whoever looks knows how far round a place to look.
struct VehicleIndex {
    struct Cell: Hashable {
        fileprivate var level: UInt8
        fileprivate var south: Int32
        fileprivate var west: Int32
    }

    /// Where a vehicle is found.
    struct Place {
        /// Nil: no fence matters to it by where it is.
        var cell: Cell?
        /// Ids of the fences at whose borders it stands, or that it is inside of; in order.
        var fences: [BytewiseText] = []
    }

    /// Radii up to a kilometre are in the first grid, larger ones than 8,192 km in the last, which has one cell.
    private static let levels = 15
    private static let radiusMin: Metres = 1_000
    /// Metres per degree of latitude, about: it makes cells, and whoever looks for them divides by the same.
    private static let metresPerDegree: Metres = 111_000
    /// The factor that allows for distances on the local plane being longer than those that boxes are widened by.
    private static let slack = 1.05

    private var grids: [[Cell: Set<VehicleID>]] = Array(repeating: [:], count: levels)
    /// By the fences whose borders a vehicle has a state of.
    private var byFence: [BytewiseText: Set<VehicleID>] = [:]

    // MARK: Changes

    /// Notes how a vehicle is now; costs little where it is as it was.
    @inline(__always)
    mutating func note(_ vehicle: Vehicle, in kept: KeptVehicle) {
        let cell = vehicle.concern.map(Self.cell)
        if kept.place.cell != cell { move(kept, to: cell) }
        if !vehicle.fences.hasBorders(of: kept.place.fences) { note(vehicle.fences.borders.map(\.$fence), of: kept) }
    }

    mutating func remove(_ kept: KeptVehicle) {
        move(kept, to: nil)
        note([], of: kept)
    }

    private mutating func move(_ kept: KeptVehicle, to cell: Cell?) {
        if let old = kept.place.cell { grids[Int(old.level)].remove(kept.id, from: old) }
        if let cell { grids[Int(cell.level)][cell, default: []].insert(kept.id) }
        kept.place.cell = cell
    }

    private mutating func note(_ fences: [BytewiseText], of kept: KeptVehicle) {
        let old = kept.place.fences
        for fence in old where !fences.has(fence) { byFence.remove(kept.id, from: fence) }
        for fence in fences where !old.has(fence) { byFence[fence, default: []].insert(kept.id) }
        kept.place.fences = fences
    }

    // MARK: Questions

    /// Those that changed fences may matter to, and some that are near enough to look at.
    func concerned(by fences: [FenceReplacement]) -> Set<VehicleID> {
        var found = concerned(by: fences.lazy.flatMap(\.versions).flatMap(\.shape.bounds))
        for fence in fences { found.formUnion(byFence[fence.$id] ?? []) }
        return found
    }

    /// Those to which a change within one of some boxes may matter, by where they are, their quiet circle and their regions; and
    /// some that are near enough to look at.
    func concerned(by boxes: some Sequence<Bounds>) -> Set<VehicleID> {
        // Of a cell that many boxes are near the vehicles are taken once.
        var cells: Set<Cell> = []
        for box in boxes {
            for level in grids.indices where !grids[level].isEmpty { collect(&cells, near: box, level) }
        }
        return cells.reduce(into: []) { $0.formUnion(grids[Int($1.level)][$1] ?? []) }
    }

    private func collect(_ cells: inout Set<Cell>, near box: Bounds, _ level: Int) {
        guard level < Self.levels - 1 else { return cells.formUnion(grids[level].keys) }
        for part in box.widened(by: Self.slack * Self.radius(level)).cut {
            let first = Self.cell(Coordinate(latitude: part.south, longitude: part.west), level)
            let last = Self.cell(Coordinate(latitude: part.north, longitude: part.east), level)
            let (rows, columns) = (first.south...last.south, first.west...last.west)
            if rows.count * columns.count <= grids[level].count {
                for south in rows {
                    cells.formUnion(columns.lazy.map { Cell(level: first.level, south: south, west: $0) })
                }
            } else {
                cells.formUnion(grids[level].keys.lazy.filter { rows.contains($0.south) && columns.contains($0.west) })
            }
        }
    }

    // MARK: Cells

    /// The largest of the circles in a grid.
    private static func radius(_ level: Int) -> Metres { radiusMin * Metres(1 << level) }

    private static func cell(_ circle: Circle) -> Cell {
        let level = (0..<levels - 1).first { circle.radius <= radius($0) } ?? levels - 1
        return level < levels - 1 ? cell(circle.center, level) : Cell(level: UInt8(level), south: 0, west: 0)
    }

    /// A cell is as high as its grid's largest radius.
    private static func cell(_ place: Coordinate, _ level: Int) -> Cell {
        let side = radius(level) / metresPerDegree
        return Cell(
            level: UInt8(level), south: Int32(((place.latitude + 90) / side).rounded(.down)),
            west: Int32(((place.longitude + 180) / side).rounded(.down)))
    }
}

extension [BytewiseText] {
    /// As `contains` of those that are in order.
    fileprivate func has(_ text: BytewiseText) -> Bool {
        let place = partitioningIndex { $0 >= text }
        return place < count && self[place] == text
    }
}

extension Dictionary where Value == Set<VehicleID> {
    /// Leaves no empty set behind.
    fileprivate mutating func remove(_ id: VehicleID, from key: Key) {
        guard let index = index(forKey: key) else { return }
        values[index].remove(id)
        if values[index].isEmpty { remove(at: index) }
    }
}

extension Vehicle {
    /// Holds all places where a fence may matter to it: those from which it would be among its regions, those that its quiet
    /// circle keeps away from, and where it is. Nil before its first fix.
    @inline(__always)
    fileprivate var concern: Circle? {
        guard let fix = lastFix else { return nil }
        let center = regions.place ?? fix.position
        // Where there was room for more regions, every fence may be one.
        if regions.place != nil, regions.reach == .infinity { return Circle(center: center, radius: .infinity) }
        var radius = center.distance(to: fix.position) + QuietRule.radiusMin
        if let last = ordered.last { radius = max(radius, center.distance(to: last.position)) }
        if let circle = quiet.quiet?.circle { radius = max(radius, center.distance(to: circle.center) + circle.radius) }
        radius += QuietFinder.fenceMarginMax
        if regions.place != nil { radius = max(radius, regions.reach) }
        return Circle(center: center, radius: radius)
    }
}
