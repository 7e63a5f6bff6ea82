public import Geo
public import Hashing

/// One stage in the life of a low-clearance alert. Its raw values, and those of the CAP 1.2 words, go out as they stand.
public struct AlertMessage: Hashable, Sendable, Codable {
    public enum Stage: String, CaseIterable, Sendable, Codable {
        case ahead, detour, stop, cleared, passed
    }

    /// How a driver ought to be told.
    public enum Attention: String, CaseIterable, Sendable, Codable {
        /// To be heard.
        case alarm
        /// For the eye only: the vehicle may come to the structure, and most likely does not.
        case notice
    }

    public enum Verdict: String, Sendable, Codable {
        case tooLow = "too-low"
        case unknown
    }

    /// CAP 1.2 §3.2.2.
    public enum Urgency: String, Sendable, Codable {
        case immediate = "Immediate"
        case expected = "Expected"
        case past = "Past"
    }

    public enum Severity: String, Sendable, Codable {
        case extreme = "Extreme"
        case severe = "Severe"
    }

    public enum Certainty: String, Sendable, Codable {
        case observed = "Observed"
        case likely = "Likely"
        case possible = "Possible"
    }

    public enum ClearedReason: String, Sendable, Codable {
        case leftPath = "left-path"
        case profileChanged = "profile-changed"
        /// There is another road file; or the hazards for the vehicle's height, which were awaited, are there, and the alert was by
        /// straight line until then.
        case mapChanged = "map-changed"
        case clearanceChanged = "clearance-changed"
        /// The vehicle has been at rest for minutes; it is told again when it drives on.
        case standing
        /// The vehicle has not been heard of for minutes.
        case positionLost = "position-lost"
    }

    /// The structure, as the map or its owner has it.
    public struct Clearance: Hashable, Sendable, Codable {
        @BytewiseText public var id: String
        public var name: String
        /// Nil where the verdict is unknown.
        public var height: Centimetres?
        /// The text on the sign or in the data.
        public var posted: String
        public var source: String
        public var verdict: Verdict
        public var position: Coordinate

        public init(
            id: String, name: String, height: Centimetres?, posted: String, source: String, verdict: Verdict,
            position: Coordinate
        ) {
            self.id = id
            self.name = name
            self.height = height
            self.posted = posted
            self.source = source
            self.verdict = verdict
            self.position = position
        }
    }

    /// The detour point, and the detour from there.
    public struct Detour: Hashable, Sendable, Codable {
        public var position: Coordinate
        /// Along the road from the fix; 0 once it is behind.
        public var distance: Metres
        /// Name or number of the road to turn onto; nil where it has none.
        public var turnOnto: String?
        /// From the detour point to where the detour rejoins; nil where no road file tells.
        public var length: Metres?
        /// `length` minus the way under the bridge.
        public var extra: Metres?
        public var line: [Coordinate]

        public init(
            position: Coordinate, distance: Metres, turnOnto: String?, length: Metres?, extra: Metres?,
            line: [Coordinate]
        ) {
            self.position = position
            self.distance = distance
            self.turnOnto = turnOnto
            self.length = length
            self.extra = extra
            self.line = line
        }
    }

    public var id: String
    public var sequence: Int
    public var stage: Stage
    public var attention: Attention
    /// That this vehicle comes to this structure, `0 ... 1`; 0.5 where no road tells.
    public var probability: Double
    public var vehicle: VehicleID
    public var time: Timestamp
    public var expiresAt: Timestamp
    public var clearance: Clearance
    /// Without the margin.
    public var vehicleHeight: Centimetres
    public var margin: Metres
    public var heightSource: String
    /// To the low edge, along the road from the fix.
    public var distance: Metres
    public var eta: Seconds
    public var sideRoad: Bool
    /// Nil where no detour exists.
    public var detour: Detour?
    /// Ids of all clearances of the hazard, in driving order.
    public var chain: [String]
    public var urgency: Urgency
    public var severity: Severity
    public var certainty: Certainty
    /// With `cleared` only.
    public var reason: ClearedReason?
    public var text: String

    public init(
        id: String, sequence: Int, stage: Stage, attention: Attention, probability: Double, vehicle: VehicleID,
        time: Timestamp, expiresAt: Timestamp, clearance: Clearance, vehicleHeight: Centimetres, margin: Metres,
        heightSource: String, distance: Metres, eta: Seconds, sideRoad: Bool, detour: Detour?, chain: [String],
        urgency: Urgency, severity: Severity, certainty: Certainty, reason: ClearedReason? = nil, text: String
    ) {
        self.id = id
        self.sequence = sequence
        self.stage = stage
        self.attention = attention
        self.probability = probability
        self.vehicle = vehicle
        self.time = time
        self.expiresAt = expiresAt
        self.clearance = clearance
        self.vehicleHeight = vehicleHeight
        self.margin = margin
        self.heightSource = heightSource
        self.distance = distance
        self.eta = eta
        self.sideRoad = sideRoad
        self.detour = detour
        self.chain = chain
        self.urgency = urgency
        self.severity = severity
        self.certainty = certainty
        self.reason = reason
        self.text = text
    }
}
