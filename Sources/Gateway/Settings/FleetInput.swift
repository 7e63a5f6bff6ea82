/// A subscription beside the fleet's own topics, whose payloads have a layout of their own.
public struct FleetInput: Hashable, Sendable {
    public enum Layout: Hashable, Sendable {
        /// `{v}` stands in the topic.
        case ownTracks
        /// Where no `{v}` stands in the topic, the payload's unique id of the device is the vehicle's.
        case traccar
        case mapped(MappedLayout)
    }

    /// A pattern as `fleet.topic`; `+` and `#` may stand in it.
    public var topic: String
    public var layout: Layout

    public init(topic: String, layout: Layout) {
        self.topic = topic
        self.layout = layout
    }
}

/// Where the members of a fix stand in any JSON.
public struct MappedLayout: Hashable, Sendable {
    public enum Field: String, CaseIterable, Sendable {
        case lat, lon, time, accuracy, speed, course, altitude
    }

    public struct Source: Hashable, Sendable {
        /// A JSON Pointer (RFC 6901) that is not empty.
        public var pointer: String
        /// Nil: as in a fix, which is in metres, metres per second and degrees; a time is RFC 3339 or a number.
        public var unit: Unit?

        public init(pointer: String, unit: Unit? = nil) {
            self.pointer = pointer
            self.unit = unit
        }
    }

    public enum Unit: String, CaseIterable, Sendable {
        case degrees = "deg"
        case degrees6 = "1e-6 deg"
        case degrees7 = "1e-7 deg"
        case radians = "rad"
        case metres = "m"
        case feet = "ft"
        case metresPerSecond = "m/s"
        case kilometresPerHour = "km/h"
        case milesPerHour = "mph"
        case knots = "kn"
        case seconds = "s"
        case milliseconds = "ms"
    }

    /// A JSON Pointer to the vehicle's id; nil where the topic holds `{v}`.
    public var vehicle: String?
    /// Always has `lat` and `lon`.
    public var fields: [Field: Source]

    public init(vehicle: String?, fields: [Field: Source]) {
        self.vehicle = vehicle
        self.fields = fields
    }
}

extension MappedLayout.Field {
    /// The units in which it may be given.
    public var units: [MappedLayout.Unit] {
        switch self {
        case .lat, .lon: [.degrees, .degrees6, .degrees7]
        case .time: [.seconds, .milliseconds]
        case .accuracy, .altitude: [.metres, .feet]
        case .speed: [.metresPerSecond, .kilometresPerHour, .milesPerHour, .knots]
        case .course: [.degrees, .radians]
        }
    }
}

extension MappedLayout.Unit {
    /// How many metres, metres per second, degrees or seconds one of it is.
    public var factor: Double {
        switch self {
        case .degrees, .metres, .metresPerSecond, .seconds: 1
        case .degrees6: 1e-6
        case .degrees7: 1e-7
        case .radians: 180 / .pi
        case .feet: 0.3048
        case .kilometresPerHour: 1 / 3.6
        case .milesPerHour: 0.44704
        case .knots: 1852.0 / 3600
        case .milliseconds: 1e-3
        }
    }
}
