public import Hashing

/// Whether a vehicle's connection to the broker stands, as the vehicle or its will says.
public enum Presence: String, Sendable, Codable {
    case online, offline
}

/// A vehicle's answer to something the gateway sent.
public enum Acknowledgement: Hashable, Sendable {
    /// Covers that sequence and those before it, never later stages.
    case alert(id: String, sequence: Int)
    case request(id: String)
    /// A set of regions to watch, and those of it that the device could not watch.
    case regions(version: Int, failed: [BytewiseText: String])
}

/// What the gateway was told by or about a vehicle.
public enum Report: Hashable, Sendable {
    /// Nil: nothing is said about it any more.
    case consent(Consent?)
    /// One fix, or a buffered upload, in the order sent.
    case location([Fix])
    /// Nil: the profile was removed.
    case profile(HeightProfile?)
    /// Nil: no route is known any more.
    case route(Route?)
    /// Nil: nothing is said about it any more.
    case presence(Presence?)
    case acknowledgement(Acknowledgement)
    /// Cannot be understood, and its sender has to be told.
    case refused(RefusedReport)
}

/// One thing for the engine to judge. Time is part of it: the engine has no clock.
public enum Input: Hashable, Sendable {
    case report(Report, from: VehicleAddress, receivedAt: Timestamp)
    /// In force as a whole, as if they had come at once.
    case clearances([ClearanceChange], at: Timestamp)
    case fences([FenceChange], at: Timestamp)
    case forget(ForgetRequest)
    /// Time has passed. What fell due is found; up to `until`, where there is too much of it to go on at once.
    case tick(Timestamp, until: DueTime? = nil)
    /// What follows in this batch may have waited for a while, as nothing could arrive or more came than could be handled:
    /// of a vehicle's own time no more has passed than its fixes tell.
    case backlog(at: Timestamp)
}

/// Why an input, or a part of it, was not used. The raw value is the label in `headroom_rejected_total`.
public enum InputError: String, Error, CaseIterable, Sendable, Codable {
    // Bytes and topics.
    case malformedJSON = "malformed-json"
    case invalidUTF8 = "invalid-utf8"
    case wrongType = "wrong-type"
    case missingField = "missing-field"
    case repeatedName = "repeated-name"
    case outOfRange = "out-of-range"
    case tooLarge = "too-large"
    case unknownTopic = "unknown-topic"
    case invalidVehicleID = "invalid-vehicle-id"
    case unknownMessageType = "unknown-message-type"
    case encrypted
    case retainedWithoutTime = "retained-without-time"
    case unreadableHeight = "unreadable-height"
    case unreadableLength = "unreadable-length"
    case unreadableDuration = "unreadable-duration"
    case unreadableTime = "unreadable-time"
    case unreadableRoute = "unreadable-route"
    case unreadableClearance = "unreadable-clearance"
    case unreadableFence = "unreadable-fence"
    case retainedRequest = "retained-request"
    // Fixes.
    case invalidFix = "invalid-fix"
    case nullIsland = "null-island"
    case duplicate
    case outOfOrder = "out-of-order"
    case tooOld = "too-old"
    case fromTheFuture = "from-the-future"
    case inaccurate
    case implausiblyFast = "implausibly-fast"
    case noConsent = "no-consent"
    /// A newer one of the vehicle came before it could be judged, as more came than can be.
    case displaced
    /// The broker did not say in time what it retains about the vehicle, and so whether it consents.
    case consentUnanswered = "consent-unanswered"
    // Profiles, acknowledgements, limits.
    case implausibleHeight = "implausible-height"
    case unknownAcknowledgement = "unknown-acknowledgement"
    case tooManyVehicles = "too-many-vehicles"
}
