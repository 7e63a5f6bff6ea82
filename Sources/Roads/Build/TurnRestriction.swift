/// A `restriction` relation that concerns trucks. https://wiki.openstreetmap.org/wiki/Relation:restriction
struct TurnRestriction {
    enum Kind { case ban, only }

    enum Via {
        case node(Int64)
        case ways([Int64])
    }

    var kind: Kind
    var isUTurn: Bool
    var from: [Int64]
    var via: Via
    var to: [Int64]

    /// Why a relation is not used.
    enum RestrictionError: String, Error {
        case notForTrucks = "not for trucks"
        case unknownKind = "unknown kind"
        case incomplete = "members missing"
        case noMatchingRoads = "members are no connected drivable roads"
    }

    /// Not all that begins like these bans a turn: `no_right_turn_on_red` is about a traffic light.
    private static let bans: Set = [
        "no_left_turn", "no_right_turn", "no_straight_on", "no_u_turn", "no_entry", "no_exit", "no_turn",
    ]
    private static let orders: Set = ["only_left_turn", "only_right_turn", "only_straight_on", "only_u_turn"]

    /// Nil where the relation is no turn restriction at all.
    init?(_ relation: SourceRelation) throws(RestrictionError) {
        guard let type = relation.tags["type"], type == "restriction" || type == "restriction:hgv" else { return nil }
        guard let value = relation.tags["restriction:hgv"] ?? relation.tags["restriction"] else {
            throw .notForTrucks
        }
        let exceptions = (relation.tags["except"] ?? "").split(separator: ";").map { $0.filter { $0 != " " } }
        guard !exceptions.contains("hgv"), !exceptions.contains("motor_vehicle") else { throw .notForTrucks }
        if Self.bans.contains(value) {
            kind = .ban
        } else if Self.orders.contains(value) {
            kind = .only
        } else {
            throw .unknownKind
        }
        isUTurn = value == "no_u_turn"
        func ways(_ role: String) -> [Int64] {
            relation.members.filter { $0.role == role && $0.kind == .way }.map(\.id)
        }
        from = ways("from")
        to = ways("to")
        let node = relation.members.first { $0.role == "via" && $0.kind == .node }
        via = node.map { .node($0.id) } ?? .ways(ways("via"))
        if from.isEmpty || to.isEmpty { throw .incomplete }
        if case .ways(let ways) = via, ways.isEmpty { throw .incomplete }
    }
}
