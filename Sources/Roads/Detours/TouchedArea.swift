import Geo

/// Squares of the map in which something was looked at: what was found there holds for as long as nothing changes in them.
struct TouchedArea: Hashable, Sendable {
    /// Units of 1e-7 degrees: a square is 550 m high, so that most hazards touch a few dozen.
    private static let side: Int32 = 50_000

    struct Cell: Hashable, Sendable {
        var row: Int32
        var column: Int32

        /// The square that a node lies in.
        ///
        /// - Parameter side: in units of 1e-7 degrees.
        init(_ node: NodeID, _ network: RoadNetwork, side: Int32) {
            let record = network.nodes[node.index]
            (row, column) = (record.latitude / side, record.longitude / side)
        }
    }

    private var cells: Set<Cell> = []
    /// Most nodes lie where the one before does.
    private var last: Cell?

    mutating func add(_ node: NodeID, _ network: RoadNetwork) {
        let cell = Cell(node, network, side: Self.side)
        guard cell != last else { return }
        last = cell
        cells.insert(cell)
    }

    mutating func formUnion(_ other: TouchedArea) { cells.formUnion(other.cells) }

    func isDisjoint(with other: TouchedArea) -> Bool { cells.isDisjoint(with: other.cells) }
}
