public import Geo
public import Messages

/// A stay of one vehicle at one place, as it is looked up afterwards.
public struct Visit: Hashable, Sendable, Codable, Identifiable {
    /// The id that its messages bear.
    public var id: String
    public var vehicle: VehicleID
    /// Nil where nobody knows when it came.
    public var arrival: Timestamp?
    /// Nil where nobody knows when it left, or it has not left.
    public var departure: Timestamp?
    /// The first moment at which it is known to have been there: the arrival, where that is known.
    public var firstSeen: Timestamp
    /// The last one: the departure, where that is known.
    public var lastSeen: Timestamp
    /// When it was first seen elsewhere after that; nil where it was not, or nobody knows.
    public var goneAt: Timestamp?
    /// The middle of the stay.
    public var position: Coordinate
    /// Radius round it within which the place lies.
    public var accuracy: Metres
    /// False: it was announced while the vehicle was silent, and no fix has shown since that it stayed.
    public var isConfirmed: Bool

    public init(
        id: String, vehicle: VehicleID, arrival: Timestamp?, departure: Timestamp?, firstSeen: Timestamp,
        lastSeen: Timestamp, goneAt: Timestamp? = nil, position: Coordinate, accuracy: Metres,
        isConfirmed: Bool = true
    ) {
        self.id = id
        self.vehicle = vehicle
        self.arrival = arrival
        self.departure = departure
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.goneAt = goneAt
        self.position = position
        self.accuracy = accuracy
        self.isConfirmed = isConfirmed
    }
}
