import Geo
import Hashing
public import Messages
package import Roads

/// All that the engine knows of one vehicle; `encoded()` is what survives a restart.
///
/// It is large, and the compiler copies it on the way into a function; what is asked at every fix is inlined for that.
public struct Vehicle: Sendable {
    public internal(set) var address: VehicleAddress
    public internal(set) var profile: HeightProfile?
    /// When the profile in force first arrived.
    var profileSince: Timestamp?
    public internal(set) var presence: Presence?
    /// What it said last; nil: nothing.
    var consent: Consent?
    /// The newest fix that was accepted.
    public internal(set) var lastFix: Fix?
    var firstFix: Timestamp?
    /// At the newest fix: as reported, else from the fix before.
    var speed: MetresPerSecond = 0
    /// Where it is bound at the newest fix, or was when it last moved; nil until it has.
    var course: Degrees?
    var gaps = ReportGaps()
    /// Fixes in a row that were rejected as implausibly fast.
    var outliers = 0
    var device = DeviceTraits()
    /// Nil: nothing is known against it.
    @Rare var clock: DeviceClock?
    var isPositionStale = false
    /// Where on the road it may be, the likeliest first.
    var roads: [MatchedRoad] = []
    /// Where it was when `roads` was found: steps too short to tell anything add up from here.
    var matchedAt: Coordinate?
    /// Which roads are near, where it drives on from there. Not stored.
    var surroundings: Surroundings?
    /// What it has driven of late, to be counted.
    var passages = HazardPassages()
    /// Where it is bound, as far as known.
    var guidance = Guidance()
    /// Its fixes on their way into order.
    var ordered = OrderedFixes()
    var fences = FenceState()
    var visits = VisitTracker()
    var quiet = QuietState()
    var regions = RegionState()
    public internal(set) var alerts: [OpenAlert] = []
    /// What it was told is over, and is not told of again before it has moved, or comes again.
    var quieted: [QuietedAlert] = []
    /// Where it has been since when; nil before its first fix that alerts were judged by.
    var rest: Rest?
    /// When something was last asked for each cause.
    var requests = RequestTimes()
    /// The state message that was last published.
    var published: StateMessage?

    init(address: VehicleAddress) { self.address = address }

    public var id: VehicleID { address.vehicle }

    var isClockSkewed: Bool {
        get { device.contains(.clockSkewed) }
        set { if newValue { device.insert(.clockSkewed) } else { device.remove(.clockSkewed) } }
    }

    /// How often this vehicle is heard of, as far as its gaps tell: within bounds, or as set.
    @inline(__always)
    func reportInterval(_ settings: EngineSettings) -> Seconds {
        let interval = gaps.interval ?? settings.fixes.reportInterval
        return min(max(interval, RuleTime.reportIntervals.lowerBound), RuleTime.reportIntervals.upperBound)
    }
}

extension Vehicle {
    /// Its positions may not be used any more for now: what followed from them at fences and in visits ends, or time alone would go on
    /// to tell where it is. Its next fix is one of a vehicle that is seen for the first time.
    mutating func endFollowing() { (ordered, fences, visits) = (OrderedFixes(), FenceState(), VisitTracker()) }

    /// The edge on the map that it is likeliest on; nil where it is on none, or in a quiet circle, where none is looked for.
    package var matchedEdge: EdgeID? {
        matchedAt == lastFix?.position ? roads.first?.candidate?.position.edge : nil
    }
}

/// A matching candidate, kept by OSM ids.
struct MatchedRoad: Sendable {
    var key: EdgeKey
    var offset: Metres
    var probability: Double
    /// In the road file in force; nil after a restart until it is found there again.
    var candidate: MatchCandidate?
}

extension MatchedRoad {
    init(_ candidate: MatchCandidate, _ network: RoadNetwork) {
        self.init(
            key: network.key(candidate.position.edge), offset: candidate.position.offset,
            probability: candidate.probability, candidate: candidate)
    }
}

/// An alert that has begun and not ended.
public struct OpenAlert: Sendable {
    /// What an alert is about, in terms that outlive a road file.
    enum Subject: Hashable, Sendable {
        /// A hazard, by the low edge by which it is entered.
        case entry(EdgeKey)
        /// The same, where nobody knows whether the vehicle fits.
        case unknownEntry(EdgeKey)
        /// A clearance that limits no known road.
        case straightLine(clearance: BytewiseText)
    }

    public var id: String { last.id }
    var subject: Subject
    /// The low edge by which the vehicle would come to what it does not fit under; nil for alerts about anything else.
    package var entry: EdgeKey? { if case .entry(let key) = subject { key } else { nil } }
    /// What was last published.
    public internal(set) var last: AlertMessage
    /// What the driver was told with it, from which who looks on is told the same with other distances.
    var text: AlertText
    /// Since when no rule holds; nil while one does.
    var idleSince: Timestamp?
    /// Where the vehicle was then.
    var idleAt: Standstill?
    var passage = StructurePassage()
    /// The last sequence that the driver acknowledged.
    public internal(set) var acknowledged: Int?
    /// Where the vehicle was when it was first told.
    var toldAt: Coordinate?
    /// How far it still is, at the newest fix that a rule held at; nil before the next fix.
    var progress: AlertProgress?

    init(subject: Subject, last: AlertMessage, text: AlertText, toldAt: Coordinate) {
        self.subject = subject
        self.last = last
        self.text = text
        self.toldAt = toldAt
    }

    /// Whether it was still ahead at a fix that was taken at a time or later.
    func wasAhead(at time: Timestamp) -> Bool { progress?.time ?? last.time >= time }

    /// Notes that a rule holds.
    mutating func wake() { (idleSince, idleAt) = (nil, nil) }

    /// Notes that no rule holds at this fix.
    ///
    /// - Parameter timeout: for a vehicle that moves; one that stands may be heard of again by its noise alone.
    /// - Returns: whether none has held for so long.
    mutating func isIdle(at time: Timestamp, _ fix: Fix, for timeout: Seconds) -> Bool {
        let (since, place) = (idleSince ?? time, idleAt ?? Standstill(place: fix.position))
        (idleSince, idleAt) = (since, place)
        return time.since(since) >= (place.holds(at: fix) ? max(timeout, RuleTime.clearedStandingAfter) : timeout)
    }
}
