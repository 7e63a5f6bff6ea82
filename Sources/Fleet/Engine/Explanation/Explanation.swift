public import Geo
public import Messages

/// Why a vehicle was alerted at one moment, or why it was not: where it was, how high it counted, what lay before it, and
/// what the rules say of every clearance near it.
///
/// It is worked out by the same objects as the alerts, from the state after the last fix; `words` says it for people.
public struct Explanation: Hashable, Sendable, Codable {
    public var vehicle: String
    public var time: Timestamp
    /// In which people read it.
    public var units: UnitSystem
    public var fix: UsedFix
    public var height: Height
    public var place: Place
    /// Nil where no road is known to be driven.
    public var path: Path?
    public var rules: Rules
    /// The nearest first, at most `clearancesMax` beside those that an alert or a rule is about.
    public var clearances: [Clearance]
    /// So many more lie as near.
    public var clearancesLeftOut: Int

    public static let clearancesMax = 100
    /// How far beyond the distance at which alerts begin a clearance is explained.
    public static let beyond: Metres = 2_000

    /// The newest fix, by which the vehicle is judged.
    public struct UsedFix: Hashable, Sendable, Codable {
        public enum IntervalSource: String, Sendable, Codable {
            /// The second largest of the last four gaps between fixes.
            case measured
            /// The same, held within the bounds of what is taken for an interval.
            case bounded
            /// As set, until two fixes have shown it.
            case assumed
        }

        public var lat: Degrees
        public var lon: Degrees
        public var age: Seconds
        /// Whether it is new enough to be judged by.
        public var isJudged: Bool
        /// Radius of the 68 % circle that was counted with.
        public var accuracy: Metres
        public var isAccuracyAssumed: Bool
        /// Nil where the device tells none and there is no fix before.
        public var speed: MetresPerSecond?
        /// Where it was bound when it last moved; nil until it has.
        public var course: Degrees?
        public var interval: Seconds
        public var intervalSource: IntervalSource
    }

    /// What the vehicle counts as.
    public struct Height: Hashable, Sendable, Codable {
        public var effective: Metres
        public var height: Metres
        public var margin: Metres
        public var source: String
        public var status: StateMessage.HeightStatus
    }

    /// Where on the road the vehicle is.
    public struct Place: Hashable, Sendable, Codable {
        public enum Status: String, Sendable, Codable {
            case onRoad = "on-road"
            case offNetwork = "off-network"
            /// There is no road file.
            case noRoads = "no-roads"
        }

        public struct Candidate: Hashable, Sendable, Codable {
            /// Nil where the road has neither name nor number.
            public var road: String?
            public var way: Int64
            /// From the start of its piece of road.
            public var offset: Metres
            public var probability: Double
        }

        public var status: Status
        /// The likeliest first.
        public var candidates: [Candidate]
    }

    /// Where the vehicle is expected to drive.
    public struct Path: Hashable, Sendable, Codable {
        public enum Kind: String, Sendable, Codable {
            case knownRoute = "known-route"
            /// The fastest way to the waypoints.
            case waypoints
            case mostProbable = "most-probable"
        }

        /// Pieces of road of one title, one behind the other.
        public struct Stretch: Hashable, Sendable, Codable {
            public var road: String?
            /// The OSM id of the way of its first piece.
            public var way: Int64
            /// From the vehicle to its start; 0 where the vehicle is on it.
            public var distance: Metres
            public var length: Metres
            /// The probability of the turn that leads onto it; nil where there is no choice.
            public var turnProbability: Double?
            /// That the vehicle comes to its end: the product of all turns.
            public var probability: Double
        }

        /// A GeoJSON LineString.
        public struct Line: Hashable, Sendable, Codable {
            public private(set) var type = "LineString"
            /// Longitude and latitude of each point.
            public var coordinates: [[Degrees]]

            init(_ points: [Coordinate]) { coordinates = points.map { [$0.longitude, $0.latitude] } }
        }

        public var kind: Kind
        /// Whether there is a route that the vehicle is not on.
        public var hasLeftRoute: Bool
        public var stretches: [Stretch]
        /// From the vehicle on.
        public var line: Line
    }

    /// The bounds that the rules apply to this vehicle now.
    public struct Rules: Hashable, Sendable, Codable {
        /// Rule 1: how far the last turn-off on the path may lie ahead…
        public var alertDistance: Metres
        /// …beside what is driven until the next fix.
        public var untilNextFix: Metres
        public var minProbability: Double
        /// Rule 2: a wrong turn is spoken of from so long before it.
        public var notice: Seconds
        /// A less sure match tells nobody to stop.
        public var certainty: Double
        public var serviceRoads: Bool
        /// Which clearances of unknown height are told of.
        public var unknown: String
    }
}
