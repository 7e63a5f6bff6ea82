import Geo
import Messages

/// Fixes that say that a vehicle has crossed a border, weighed against the noise that says the same of one that is parked
/// beside it.
///
/// A crossing by a vehicle that moves, or moved a short while ago (`MotionEvidence`), is certain when the vehicle is
/// far beyond the border, has moved much farther than fixes err, is beyond the band in several fixes in a row for the
/// time of hysteresis, or is beyond the border on average. For one that stands only the average counts, by as many
/// independent fixes as its correlated ones are worth: of trucks parked within 30 m of a border 99 % have one pair of
/// events in eight hours at most.
struct CrossingEvidence: Hashable, Sendable {
    /// Where and when the border was crossed, if it was.
    var crossing: BorderCrossing
    /// The last fix on the side that the vehicle comes from.
    var origin: Coordinate
    /// The first fix of those in a row that lie beyond the band.
    private(set) var beyondSince: Timestamp?
    private(set) var fixesBeyond = 0
    /// How many fixes came since the crossing, and how far beyond the border they are on average.
    private var count = 0
    private var mean: Metres = 0
    private var first: Timestamp?
    /// The farthest beyond the border, by fixes and the way between them.
    private(set) var deepest: Metres = 0
    /// Whether a fix has been so far that noise alone does not bring it there.
    private(set) var isPlain = false
    /// Whether a fix has been beyond at all.
    private(set) var isSeenBeyond = false
    /// Where it came back over the border, if it did.
    private(set) var back: BorderCrossing?
    /// When it is most probable that the vehicle has crossed the border, if nothing more is heard of it; nil: it is not.
    private(set) var silentUntil: Timestamp?

    init(crossing: BorderCrossing, origin: Coordinate) {
        self.crossing = crossing
        self.origin = origin
    }

    /// How far fixes err at one border, and what makes a side certain there.
    struct Scale {
        /// Noise of a fix: the radius of its 68 % circle.
        var noise: Metres
        /// Beyond this a fix counts.
        var band: Metres
        /// Beyond this one is enough.
        var plain: Metres
        /// Beyond this the mean counts, which noise does not blur.
        var meanBand: Metres
        /// How long the vehicle has to be beyond the band.
        var timeout: Seconds
        /// After so much silence the vehicle is taken to be where its last fixes say.
        var silence: Seconds
        /// Whether the vehicle was seen to move a short while ago: then fixes in a row say where it is.
        var isMoving: Bool
        /// Noise on one axis, at most.
        var deviation: Metres
        /// What fixes at one place have shown.
        var motion: MotionEvidence
    }

    /// So many times the noise no parked vehicle seems to move.
    static let displacementMin = 6.0
    /// In a row, of fixes beyond the band.
    static let fixesMin = 3
    /// Over so many patiences at least, the mean counts.
    private static let meanTimeouts = 3.0
    /// How many standard errors the mean must be beyond the border.
    private static let meanCertainty = 3.0
    /// The same of a vehicle that stands, whose border is looked at again and again for hours: 3.5 keep 99 % of parked trucks to
    /// one pair of events in eight hours, and 3 do not.
    private static let standingCertainty = 3.5

    /// One more fix, `depth` metres beyond the border; negative where it is on the side that the vehicle comes from.
    mutating func weigh(_ fix: Fix, depth: Metres, _ scale: Scale) {
        first = first ?? fix.time
        count += 1
        mean += (depth - mean) / Double(count)
        deepest = max(deepest, depth)
        isSeenBeyond = isSeenBeyond || depth >= 0
        // Only of one that moved: a parked one that reports rarely would be told of again and again.
        let isProbable = scale.isMoving && min(depth, mean) > scale.meanBand
        silentUntil = isProbable ? fix.time.adding(scale.silence) : nil
        guard depth > scale.band || depth >= scale.plain else {
            (beyondSince, fixesBeyond, isPlain) = (nil, 0, false)
            return
        }
        beyondSince = beyondSince ?? fix.time
        fixesBeyond += 1
        let moved = origin.distance(to: fix.position)
        isPlain =
            isPlain || scale.isMoving && (depth >= scale.plain || moved >= Self.displacementMin * scale.noise)
    }

    /// The way to the fix that was weighed last led through a fence.
    mutating func follow(_ way: [Stretch]) {
        deepest = way.reduce(deepest) { max($0, $1.depth) }
        if let last = way.last { back = last.exit }
    }

    /// Whether the fixes so far, in a row or on average, are more than noise.
    ///
    /// Fixes of a vehicle that stands are correlated: only their mean counts, by as many fixes as they are worth.
    func isLasting(at time: Timestamp, _ scale: Scale) -> Bool {
        guard let first, count > 1 else { return false }
        let duration = time.since(first)
        guard scale.isMoving else {
            let independent = scale.motion.independent(count, within: duration)
            return duration >= scale.timeout
                && (mean - scale.meanBand) * independent.squareRoot() >= Self.standingCertainty * scale.deviation
        }
        if let beyondSince, fixesBeyond >= Self.fixesMin, time.since(beyondSince) >= scale.timeout { return true }
        return duration >= Self.meanTimeouts * scale.timeout
            && (mean - scale.meanBand) * Double(count).squareRoot() >= Self.meanCertainty * scale.noise
    }

    /// Whether the fixes have gone on long enough to say, on average, that the border was not crossed.
    func isRefuted(at time: Timestamp, _ scale: Scale) -> Bool {
        guard let first, time.since(first) >= scale.timeout else { return false }
        return mean < 0
    }

    /// When the vehicle has been far beyond for long enough, if it stays there; nil: it is not far beyond.
    func certainty(_ timeout: Seconds) -> Timestamp? { isPlain ? beyondSince?.adding(timeout) : nil }

    /// When it is certain, or after a silence most probable, that the vehicle stays beyond, without another fix; nil: never.
    ///
    /// - Parameter nextFix: by when there is another, unless the vehicle falls silent; it may show that it has come back.
    func deadline(_ timeout: Seconds, nextFix: Timestamp) -> Timestamp? {
        certainty(timeout).map { max($0, nextFix) } ?? silentUntil
    }
}

/// Where and when a vehicle crossed a border.
struct BorderCrossing: Hashable, Sendable {
    var position: Coordinate
    var time: Timestamp
    /// Whether it lies between two fixes.
    var isInterpolated: Bool
}

extension CrossingEvidence: BinaryRecord {
    static var placeholder: Self { CrossingEvidence(crossing: .placeholder, origin: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&crossing)
        try coder.code(&origin)
        try coder.code(&beyondSince)
        try coder.code(&fixesBeyond)
        try coder.code(&count)
        try coder.code(&mean)
        try coder.code(&first)
        try coder.code(&deepest)
        try coder.code(&isPlain)
        try coder.code(&isSeenBeyond)
        try coder.code(&back)
        try coder.code(&silentUntil)
    }
}
