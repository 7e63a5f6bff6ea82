public import Geo
public import Hashing

/// An area that vehicles are told of when they enter, leave or stay in it.
public struct Fence: Hashable, Sendable, Codable {
    /// One topic level.
    @BytewiseText public var id: String
    /// For people.
    public var name: String?
    public var shape: Shape
    /// Whom it is for: vehicles of one of the groups, or named; without either, everybody.
    public var groups: [String]
    public var vehicles: [VehicleID]
    /// How long a vehicle must be inside to be told of; nil: nobody asks.
    public var dwell: Seconds?
    /// How far beyond the border a vehicle must be to have crossed it, where its fixes are better than that.
    public var hysteresis: Metres
    /// When in the week it is in force; nil: always.
    public var hours: WeeklyHours?
    public var validFrom: Timestamp?
    public var validUntil: Timestamp?

    public init(
        id: String, name: String? = nil, shape: Shape, groups: [String] = [], vehicles: [VehicleID] = [],
        dwell: Seconds? = nil, hysteresis: Metres = 0, hours: WeeklyHours? = nil, validFrom: Timestamp? = nil,
        validUntil: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.shape = shape
        self.groups = groups
        self.vehicles = vehicles
        self.dwell = dwell
        self.hysteresis = hysteresis
        self.hours = hours
        self.validFrom = validFrom
        self.validUntil = validUntil
    }

    /// Whether a text can stand as an id: 1 to 128 bytes of UTF-8 without `/ + #` and control characters.
    public static func isValidID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && !text.unicodeScalars.contains { scalar in
                "/+#".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .control
            }
    }
}

/// A fence that somebody entered, changed or took back while the gateway runs.
public struct FenceChange: Hashable, Sendable {
    @BytewiseText public var id: String
    /// Nil: it is taken back; what a file says under this id holds again.
    public var fence: Fence?
    /// Members of the entry that mean nothing here, as whoever wrote it is to be told.
    public var unknown: [String]

    public init(id: String, fence: Fence?, unknown: [String] = []) {
        self.id = id
        self.fence = fence
        self.unknown = unknown
    }
}
