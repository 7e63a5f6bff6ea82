public import Geo

/// The tallest vehicle that fits somewhere, with where it stands and who says so.
public struct Clearance: Hashable, Sendable {
    /// `osm:way:4711`, `osm:node:12`, `nbi:…`.
    public var id: String
    /// What people call it: the structure and the road beneath, as far as known.
    public var name: String
    /// The text on the sign or in the data.
    public var posted: String
    public var source: String
    public var position: Coordinate
    public var reading: ClearanceReading

    public init(
        id: String, name: String, posted: String, source: String, position: Coordinate, reading: ClearanceReading
    ) {
        self.id = id
        self.name = name
        self.posted = posted
        self.source = source
        self.position = position
        self.reading = reading
    }

    /// Whether the data calls it lower than the legal default and gives no number.
    public var isBelowDefault: Bool { reading == .unknown && posted.lowercased() == "below_default" }
}

extension RoadNetwork {
    public func clearance(_ id: ClearanceID) -> Clearance {
        let record = clearanceRows[id.index]
        return Clearance(
            id: text(record.id), name: text(record.name), posted: text(record.posted), source: text(record.source),
            position: Coordinate(fixed: record.latitude, record.longitude), reading: record.reading)
    }

    public func reading(_ id: ClearanceID) -> ClearanceReading { clearanceRows[id.index].reading }

    /// What limits one edge, in the direction it is driven.
    public func clearances(_ edge: EdgeID) -> [ClearanceID] {
        let original = original(edge).index
        var row = limits.partitionPoint { $0.edge < original }
        var found: [ClearanceID] = []
        while row < limits.count, limits[row].edge == original {
            found.append(ClearanceID(limits[row].clearance))
            row += 1
        }
        return found
    }

    /// Every edge that carries a clearance, with it; sorted by edge, originals only.
    public var limitedEdges: [(edge: EdgeID, clearance: ClearanceID)] {
        (0..<limits.count).map { (EdgeID(limits[$0].edge), ClearanceID(limits[$0].clearance)) }
    }
}

extension ClearanceRecord {
    var reading: ClearanceReading {
        switch limit {
        case Self.unknown: .unknown
        case Self.legalDefault: .legalDefault
        default: .limit(Centimetres(limit))
        }
    }

    static func limit(_ reading: ClearanceReading) -> Int32 {
        switch reading {
        case .limit(let limit): Int32(limit)
        case .legalDefault: legalDefault
        case .unknown: unknown
        }
    }
}
