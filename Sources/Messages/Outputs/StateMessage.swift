public import Geo
public import Hashing

/// What holds now for one vehicle: all that a truck that was away, or a dashboard that starts late, needs.
public struct StateMessage: Hashable, Sendable, Codable {
    public enum HeightStatus: String, Sendable, Codable {
        case ok, stale, assumed
    }

    public enum BlindSpot: String, Sendable, Codable {
        case offNetwork = "off-network"
        case stalePosition = "stale-position"
        case noClearanceData = "no-clearance-data"
        /// The hazards for the vehicle's height are still being worked out.
        case tablesPending = "tables-pending"
        case noConsent = "no-consent"
        case clockSkew = "clock-skew"
    }

    public var id: String
    public var sequence: Int
    public var time: Timestamp
    /// Those that the vehicle is inside of, by id.
    public var fences: [FenceStay]
    /// As of when that list is complete: by then the vehicle was outside of every other fence. Nil: nobody knows yet.
    public var fencesAsOf: Timestamp?
    /// The last message of each open alert, oldest alert first.
    public var alerts: [AlertMessage]
    /// Without the margin.
    public var height: Centimetres
    public var heightSource: String
    public var heightStatus: HeightStatus
    /// What the vehicle said, else what is assumed of those that say nothing.
    public var consent: Consent.Status
    public var presence: Presence?
    public var lastFix: Timestamp?
    /// Where that fix was; nil unless the operator wants it told.
    public var position: Coordinate?
    public var blind: [BlindSpot]
    /// Nil for a vehicle that was never sent any.
    public var regions: Regions?

    public init(
        id: String, sequence: Int, time: Timestamp, fences: [FenceStay] = [], fencesAsOf: Timestamp? = nil,
        alerts: [AlertMessage], height: Centimetres,
        heightSource: String, heightStatus: HeightStatus, consent: Consent.Status = .always, presence: Presence?,
        lastFix: Timestamp?, position: Coordinate? = nil,
        blind: [BlindSpot], regions: Regions? = nil
    ) {
        self.id = id
        self.sequence = sequence
        self.time = time
        self.fences = fences
        self.fencesAsOf = fencesAsOf
        self.alerts = alerts
        self.height = height
        self.heightSource = heightSource
        self.heightStatus = heightStatus
        self.consent = consent
        self.presence = presence
        self.lastFix = lastFix
        self.position = position
        self.blind = blind
        self.regions = regions
    }
}

/// A fence that a vehicle is inside of.
public struct FenceStay: Hashable, Sendable, Codable {
    @BytewiseText public var fence: String
    public var since: Timestamp

    public init(fence: String, since: Timestamp) {
        self.fence = fence
        self.since = since
    }
}
