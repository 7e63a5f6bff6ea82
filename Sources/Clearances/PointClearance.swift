public import Geo
public import Hashing

/// A clearance that was measured or posted at a point, before it is known which road it limits.
///
/// What NBI, CSV and GeoJSON files and the clearance topic say; `Snapping` finds the road.
public struct PointClearance: Hashable, Sendable {
    /// Which road of a structure is limited.
    public enum Passage: String, Hashable, Sendable, Codable {
        /// The road beneath.
        case under
        /// The road that the structure itself carries, as through a truss.
        case over
    }

    /// One topic level; an `osm:…` id takes the place of that clearance.
    @BytewiseText public var id: String
    public var position: Coordinate
    /// The text as the source has it.
    public var posted: String
    public var reading: ClearanceReading
    /// What people call the structure; empty where nothing is known.
    public var name: String
    /// Names or numbers of the limited road, separated by semicolons; empty where nothing is known.
    public var road: String
    /// Courses of the vehicles that it limits; empty: both directions.
    public var approach: [Degrees]
    /// Nil where the source does not say: the road beneath, if there is one.
    public var passage: Passage?
    /// Known last turn-offs, for use without a road file.
    public var detours: [Coordinate]
    public var source: String
    /// As the source has it, mostly `YYYY-MM-DD` or `YYYY-MM`; empty where nothing is known.
    public var date: String
    /// Who entered it; empty where nothing is known.
    public var author: String
    /// Seconds since 1970 (UTC): from then on what the map or a file says under this id holds again. Nil: it holds until it is
    /// taken back. Of an entry of the clearance topic only.
    public var validUntil: Seconds?

    public init(
        id: String, position: Coordinate, posted: String, name: String = "", road: String = "",
        approach: [Degrees] = [], passage: Passage? = nil, detours: [Coordinate] = [], source: String = "local",
        date: String = "", author: String = "", validUntil: Seconds? = nil
    ) {
        self.id = id
        self.position = position
        self.posted = posted
        reading = ClearanceReading(posted)
        self.name = name
        self.road = road
        self.approach = approach
        self.passage = passage
        self.detours = detours
        self.source = source
        self.date = date
        self.author = author
        self.validUntil = validUntil
    }

    /// Whether it holds for a vehicle on this course: within 45°, as far as a posted direction is from its neighbours.
    package func limits(course: Degrees) -> Bool {
        approach.isEmpty || approach.contains { angle(between: $0, and: course) <= 45 }
    }
}
