public import Geo
public import Hashing

/// The tallest vehicle that fits somewhere, with where it stands and who says so.
public struct Clearance: Hashable, Sendable {
    /// `osm:way:4711`, `osm:node:12`, `nbi:…`.
    @BytewiseText public var id: String
    /// What people call it: the structure and the road beneath, as far as known.
    public var name: String
    /// The text on the sign or in the data.
    public var posted: String
    public var source: String
    public var position: Coordinate
    public var reading: ClearanceReading
    /// Courses of the vehicles that it limits, as its source has them; empty: both directions.
    public var approach: [Degrees]
    /// Known last turn-offs, for where no road is known; empty where the source has none.
    public var detours: [Coordinate]
    /// As the source has it, mostly `YYYY-MM-DD` or `YYYY-MM`; empty where nothing is known.
    public var date: String

    public init(
        id: String, name: String, posted: String, source: String, position: Coordinate, reading: ClearanceReading,
        approach: [Degrees] = [], detours: [Coordinate] = [], date: String = ""
    ) {
        self.id = id
        self.name = name
        self.posted = posted
        self.source = source
        self.position = position
        self.reading = reading
        self.approach = approach
        self.detours = detours
        self.date = date
    }

    /// Whether the data calls it lower than the legal default and gives no number.
    public var isBelowDefault: Bool { reading == .unknown && posted.lowercased() == "below_default" }
}

extension Clearance {
    /// - Parameter road: what the road is called that it limits; empty where none was found or it has no name.
    public init(_ point: PointClearance, road: String = "") {
        let road = point.road.isEmpty ? road : point.road
        self.init(
            id: point.id, name: point.name.isEmpty ? road : point.name, posted: point.posted,
            source: point.source, position: point.position, reading: point.reading, approach: point.approach,
            detours: point.detours, date: point.date)
    }

    /// Says what the other says, of the same place and road: a clearance of the map stays where the map has it.
    package mutating func override(by point: PointClearance) {
        posted = point.posted
        reading = point.reading
        source = point.source
        date = point.date
        if !point.name.isEmpty { name = point.name }
    }
}
