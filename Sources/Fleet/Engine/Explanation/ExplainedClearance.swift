import Clearances
public import Geo
public import Messages
public import Roads

extension Explanation {
    /// One clearance near the vehicle, and what it is to it.
    public struct Clearance: Hashable, Sendable, Codable {
        public enum Verdict: String, Sendable, Codable {
            case fits
            case tooLow = "too-low"
            case unknown
        }

        public var id: String
        public var name: String
        public var lat: Degrees
        public var lon: Degrees
        public var posted: String
        /// What was read; nil: not a number.
        public var limit: Metres?
        public var source: String
        /// In a straight line.
        public var distance: Metres
        public var verdict: Verdict
        /// Whether `posted` means that there is nothing lower than the legal default.
        public var isLegalDefault: Bool
        /// Whether drivers are told of it, where nobody knows if the vehicle fits; true for what is too low.
        public var isTold: Bool
        /// The clearance of the same structure that counts in its place.
        public var mergedInto: String?
        /// One for each way into its low zone.
        public var hazards: [Hazard]
        /// Nil where it limits a known road.
        public var straightLine: StraightLine?
        /// The verdict, and the rule that speaks of it or the reason for silence, in sentences.
        public var text = ""
    }

    /// One way into a low zone: its entry, and which rule speaks of it.
    public struct Hazard: Hashable, Sendable, Codable {
        public enum Rule: String, Sendable, Codable {
            /// Rule 1: it lies on the path.
            case onPath = "on-path"
            /// Rule 2: a wrong turn towards it is near.
            case lastDecision = "last-decision"
            /// On the path, and the last turn-off is behind.
            case tooLate = "too-late"
            /// On the low road itself, a structure still ahead.
            case insideZone = "inside-zone"
            /// The last turn-off is behind, but the path leads elsewhere.
            case turnOff = "turn-off"
            /// Rule 3: some legal way leads there, likely or not. A notice tells of it, and no alarm.
            case nearby
        }

        /// Why no alert is due.
        public enum Reason: String, Sendable, Codable {
            case oldFix = "old-fix"
            case offNetwork = "off-network"
            /// An open alert about the same structure, entered elsewhere, tells of it.
            case otherEntry = "other-entry"
            /// An open alert of the same chain tells of it.
            case chained
            /// The open alert is about the approach before, and ends before another begins.
            case earlierApproach = "earlier-approach"
            /// It was cleared where the vehicle still stands.
            case standing
            /// The vehicle has passed it, and has not come nearer again, nor to a last turn-off before it.
            case justPassed = "just-passed"
            /// Too late, but it may be another road.
            case unsure
            /// Too late for others; the vehicle turned off as it was told to, and the detour leads by here.
            case onDetour = "on-detour"
            /// On the most probable path, but the vehicle has turned off as it was told to, and is not likely to come round.
            case turnedOff = "turned-off"
            /// Off the path, and the wrong turn is not near yet.
            case notYet = "not-yet"
            /// Off all reasonable ways to where the vehicle is bound, and told of by the alert that is open.
            case offReasonableWays = "off-reasonable-ways"
            /// On the low road, past its entry: an open alert is kept, none is raised.
            case insideZone = "inside-zone"
            /// On the path, and its last turn-off is far.
            case tooFar = "too-far"
            case serviceRoad = "service-road"
            /// Only those who call there may drive there, and nothing says that the vehicle does.
            case destinationRoad = "destination-road"
            /// Off the path, and of unknown height.
            case unknownOffPath = "unknown-off-path"
            /// The vehicle's own direction is not limited.
            case otherDirection = "other-direction"
            /// The structure is behind.
            case behind
            /// No way to it was found.
            case unreachable
        }

        /// Where the vehicle can leave the way to it for the last time.
        public struct TurnOff: Hashable, Sendable, Codable {
            /// The road to leave on; nil where it has no name.
            public var onto: String?
            /// The road not to take; nil where it has no name.
            public var wrongTurn: String?
            public var distance: Metres
            /// Driving time at the larger of the reported speed and the usual one; nil where it was not looked for by time.
            public var seconds: Seconds?
            public var hasDetour: Bool
        }

        public struct Alert: Hashable, Sendable, Codable {
            public var id: String
            public var stage: AlertMessage.Stage
            public var attention: AlertMessage.Attention
            /// Since when no rule has held; nil while one does.
            public var idle: Seconds?
        }

        public var entry: EdgeKey
        /// The low road.
        public var road: String?
        public var isPublic: Bool
        /// The clearance under whose name it is told, where that is another one.
        public var leader: String?
        /// Nil where none holds.
        public var rule: Rule?
        /// Whether the rule raises an alarm; else it at most keeps one open.
        public var isDue: Bool
        /// Nil where an alert is due.
        public var reason: Reason?
        /// Along the road to the low edge; nil where no way to it was found.
        public var distance: Metres?
        public var turnOff: TurnOff?
        /// That the vehicle comes there, as far as the look of the roads tells; nil on a known route, or where hardly.
        public var probability: Double?
        public var alert: Alert?
    }

    /// How a clearance that limits no known road lies to the vehicle's course.
    public struct StraightLine: Hashable, Sendable, Codable {
        /// Why no alert is due.
        public enum Reason: String, Sendable, Codable {
            case oldFix = "old-fix"
            /// The vehicle has not moved.
            case noCourse = "no-course"
            case outsideCone = "outside-cone"
            /// It limits vehicles of other courses.
            case otherApproach = "other-approach"
            case tooFar = "too-far"
            /// It was cleared where the vehicle still stands.
            case standing
            case notTold = "not-told"
        }

        /// Between the course and the line to it.
        public var offCourse: Degrees?
        /// Half the cone that is looked at.
        public var cone: Degrees
        /// Courses that it limits; empty: all.
        public var approach: [Degrees]
        /// To the nearest known turn-off ahead.
        public var turnOff: Metres?
        /// From where on it is spoken of: distance of the turn-off, or of the clearance where none is known.
        public var begins: Metres
        public var isDue: Bool
        /// Nil where an alert is due.
        public var reason: Reason?
        public var alert: Hazard.Alert?
    }
}
