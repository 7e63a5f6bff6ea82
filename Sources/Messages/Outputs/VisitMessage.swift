public import Geo

/// A stay at one place.
public struct VisitMessage: Hashable, Sendable, Codable {
    public enum Phase: String, Sendable, Codable {
        case arrived, departed
        /// An arrival that was announced unconfirmed was none.
        case withdrawn
    }

    /// The same for all phases.
    public var id: String
    /// 1 for the first message, and one more for each that follows.
    public var sequence: Int
    public var phase: Phase
    /// False where the vehicle fell silent at rest before the stay had lasted: it is presumed to have stayed.
    public var isConfirmed: Bool
    /// The time of the fix, or the deadline, by which it became known.
    public var time: Timestamp
    /// Nil: not known, as of a vehicle that was first seen at rest.
    public var arrival: Timestamp?
    /// Nil: not known, or not yet.
    public var departure: Timestamp?
    /// The first fix of the stay, whether or not it was the arrival.
    public var firstSeen: Timestamp
    /// The last one so far.
    public var lastSeen: Timestamp
    /// The middle of the stay's fixes.
    public var position: Coordinate
    /// Radius round it within which the stay's place lies, as far as its fixes tell.
    public var accuracy: Metres
    public var altitude: Metres?
    /// Ids of those the vehicle was inside of, sorted.
    public var fences: [String]

    public init(
        id: String, sequence: Int, phase: Phase, isConfirmed: Bool = true, time: Timestamp, arrival: Timestamp?,
        departure: Timestamp?,
        firstSeen: Timestamp, lastSeen: Timestamp, position: Coordinate, accuracy: Metres, altitude: Metres? = nil,
        fences: [String] = []
    ) {
        self.id = id
        self.sequence = sequence
        self.phase = phase
        self.isConfirmed = isConfirmed
        self.time = time
        self.arrival = arrival
        self.departure = departure
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.position = position
        self.accuracy = accuracy
        self.altitude = altitude
        self.fences = fences
    }
}
