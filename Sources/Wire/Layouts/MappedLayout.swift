/// Where the members of a fix stand in any JSON.
package struct MappedLayout: Hashable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        case lat, lon, time, accuracy, speed, course, altitude
    }

    /// Whence a member comes.
    package enum Source: Hashable, Sendable {
        /// Unit nil: as in a fix, which is in metres, metres per second and degrees; a time is RFC 3339 or a number.
        /// Part: which one, from 0, of a text that holds several, separated by commas, semicolons or white space.
        case pointer(JSONPointer, unit: Unit? = nil, part: Int? = nil)
        /// The same in every fix, in metres, metres per second or degrees.
        case constant(Double)
    }

    /// The parts of a text that can be told apart: more than a sentence of NMEA 0183 has.
    package static let parts = 0...31

    package enum Unit: String, CaseIterable, Sendable {
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

    /// To an array of which each element is a fix; nil: the payload is one. What an element does not hold is looked for in
    /// the payload.
    package var each: JSONPointer?
    /// Always has `lat` and `lon`.
    package var fields: [Field: Source]

    package init(each: JSONPointer? = nil, fields: [Field: Source]) {
        self.each = each
        self.fields = fields
    }
}

extension MappedLayout.Field {
    /// The units in which it may be given.
    package var units: [MappedLayout.Unit] {
        switch self {
        case .lat, .lon: [.degrees, .degrees6, .degrees7]
        case .time: [.seconds, .milliseconds]
        case .accuracy, .altitude: [.metres, .feet]
        case .speed: [.metresPerSecond, .kilometresPerHour, .milesPerHour, .knots]
        case .course: [.degrees, .radians]
        }
    }
}

extension MappedLayout.Field {
    /// What it may be, in degrees, metres, metres per second, or seconds.
    package var range: ClosedRange<Double> {
        switch self {
        case .lat: -90...90
        case .lon: -180...180
        case .accuracy, .speed: 0...Double.greatestFiniteMagnitude
        // A whole turn in radians, as it is written, may be a little more than 360°.
        case .course: 0...360.001
        case .time, .altitude: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        }
    }
}

extension MappedLayout.Unit {
    /// How many metres, metres per second, degrees or seconds one of it is.
    package var factor: Double {
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
