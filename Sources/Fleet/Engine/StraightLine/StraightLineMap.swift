import Clearances
import Geo
import Messages
import Roads

/// Clearances that limit no known road, by place: those of a gateway without a road file, and those that no road was found
/// for.
struct StraightLineMap: Sendable {
    /// A cell's height and width; about 5 km, so that a look ahead touches few.
    private static let cellSize: Degrees = 0.05

    private struct Cell: Hashable {
        var row: Int
        var column: Int
    }

    private let cells: [Cell: [Clearance]]
    private let byID: [String: Clearance]
    let count: Int

    init(_ clearances: [Clearance]) {
        cells = Dictionary(grouping: clearances) { Self.cell($0.position) }
        byID = Dictionary(clearances.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        count = clearances.count
    }

    var clearances: some Collection<Clearance> { byID.values }

    func clearance(_ id: String) -> Clearance? { byID[id] }

    /// Those at most so far away, by id. Cells do not wrap at the 180th meridian, where no roads cross it but one.
    func near(_ position: Coordinate, within distance: Metres) -> [Clearance] {
        guard count > 0 else { return [] }
        let plane = LocalPlane(latitude: position.latitude)
        let reach = Vector(east: distance, north: distance)
        let low = Self.cell(plane.coordinate(Vector(east: 0, north: 0) - reach, from: position))
        let high = Self.cell(plane.coordinate(reach, from: position))
        var found: [Clearance] = []
        for row in low.row...high.row {
            for column in low.column...high.column {
                found += cells[Cell(row: row, column: column), default: []]
            }
        }
        return found.filter { $0.position.distance(to: position) <= distance }.sorted { $0.id < $1.id }
    }

    private static func cell(_ position: Coordinate) -> Cell {
        Cell(
            row: Int((position.latitude / cellSize).rounded(.down)),
            column: Int((position.longitude / cellSize).rounded(.down)))
    }
}
