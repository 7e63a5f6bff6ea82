public import Geo

/// A stay at one place (contract §3.3).
public struct VisitMessage: Hashable, Sendable, Codable {
    public enum Phase: String, Sendable, Codable {
        case arrived, departed
    }

    /// The same for both phases.
    public var id: String
    /// 1 for the arrival, 2 for the departure.
    public var sequence: Int
    public var phase: Phase
    /// Of the fix by which it became known.
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
        id: String, sequence: Int, phase: Phase, time: Timestamp, arrival: Timestamp?, departure: Timestamp?,
        firstSeen: Timestamp, lastSeen: Timestamp, position: Coordinate, accuracy: Metres, altitude: Metres? = nil,
        fences: [String] = []
    ) {
        self.id = id
        self.sequence = sequence
        self.phase = phase
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
