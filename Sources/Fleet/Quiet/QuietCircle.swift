package import Geo
import Messages

/// Where a vehicle may stay silent: inside of this circle nothing can happen to it, as things stand.
struct QuietCircle: Hashable, Sendable {
    var circle: Circle
    /// Until when that is believed; then the vehicle is looked at again.
    var validUntil: Timestamp

    func contains(_ position: Coordinate) -> Bool { circle.center.distance(to: position) < circle.radius }
}

/// What one vehicle's quiet circle comes to.
struct QuietState: Hashable, Sendable {
    /// Nil where there is none.
    var quiet: QuietCircle?
    /// By what map and height the circle was found; nil where fences near it have changed since.
    var basis: Basis?
    /// Where one was last looked for in vain, and how far from there it may be looked for again.
    var vain: (place: Coordinate, distance: Metres)? {
        get { vainPlace.map { ($0, vainDistance) } }
        set { (vainPlace, vainDistance) = (newValue?.place, newValue?.distance ?? 0) }
    }
    private var vainPlace: Coordinate?
    private var vainDistance: Metres = 0
    /// Whether fixes were passed over since the vehicle's road was found.
    var hasPassedOver = false
    /// Where no passage is worth counting, as long as the map is of this revision. Not stored.
    var uncounted: (circle: Circle, revision: Int)? {
        get { uncountedCircle.map { ($0, uncountedRevision) } }
        set { (uncountedCircle, uncountedRevision) = (newValue?.circle, newValue?.revision ?? 0) }
    }
    private var uncountedCircle: Circle?
    private var uncountedRevision = 0
    /// What was last published, for devices that report by it.
    @Rare var published: TrackingMessage?

    /// Forgets what is not stored.
    mutating func forgetDerived() { (basis, vain, uncounted) = (nil, nil, nil) }

    struct Basis: Hashable, Sendable, Codable {
        var height: Centimetres
        var groups: [String]
        /// The revision of the map in force, in this run of the gateway.
        var revision: Int
    }
}

/// How far away things must be for nothing to happen.
package enum QuietRule {
    /// No truck drives faster, up to the fix at which it has left the circle: 130 km/h.
    package static let speedMax: MetresPerSecond = 36
    /// A smaller circle would be left before it is worth a message.
    static let radiusMin: Metres = 200
    /// In a larger one straight lines on the map are no longer true to a thousandth.
    static let radiusMax: Metres = 20_000
    /// How long a circle is believed.
    static let validity: Seconds = 3600
    /// Roads are matched from this far, and a few fixes must have been before an alert may hang on them.
    static let roadMargin: Metres = 350
    /// Fixes err by more than three times their radius once in ten thousand times.
    static let noiseFactor = 3.0
    /// A device notices within a second that it has left.
    static let noticed: Seconds = 1
}

extension QuietState: BinaryRecord {
    static var placeholder: Self { QuietState() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&quiet)
        try coder.code(&hasPassedOver)
        try coder.code(&published)
    }
}
