import func Foundation.pow
import Geo
import Messages

/// Tells a vehicle that moves from one that stands while its fixes wander.
///
/// Errors of a receiver at rest are correlated over minutes, so that ten fixes in a row on the wrong side of a border may be
/// no more than one. What noise does not do is to leave the place where the vehicle stands by many times its scatter, or to
/// go on in one direction step by step.
struct MotionEvidence: Hashable, Sendable {
    /// When the vehicle was last seen to move; nil: never.
    private(set) var movedAt: Timestamp?
    /// Fixes since then, at one place as far as they tell.
    private(set) var stand = StandStatistics()
    /// The deviation on one axis at the last stand that was long enough to tell it.
    private(set) var learned: Metres?
    /// The last fixes, the newest last.
    private var trail: [TrailPoint] = []

    /// Where and when a fix was taken.
    struct TrailPoint: Hashable, Sendable {
        var position: Coordinate
        var time: Timestamp
    }

    init() {}

    /// How long after its last movement a vehicle may still cross a border by what its fixes say at once: it takes three of
    /// them, and devices report every 30 s or more often.
    static let recent: Seconds = 180
    /// A fix farther from the middle of a stand than this many deviations is no noise: one in four million is, where errors
    /// are normal on both axes (exp(−5.5²/2)).
    private static let deviations = 5.5
    /// The same where the scatter is not known yet, in radii of 68 %, of 1.51 deviations each; devices that state half of
    /// what is true are no exception.
    private static let radii = 6.0
    /// The radius for a device that does not state its accuracy and has not stood for long yet: worse than 68 % within
    /// 20 m is rare outside of street canyons.
    private static let radiusUnknown: Metres = 20
    /// Some devices state a deviation on one axis, or less, as the radius of 68 %.
    private static let understatement = 2.0
    /// The largest radius of a device that does not state its accuracy: in street canyons.
    private static let radiusMost: Metres = 30
    /// The radius of the 68 % circle of a normal distribution on two axes, in deviations: √(−2 ln 0.32).
    static let deviationsPerRadius = 1.5096
    /// A receiver is no better than this, whatever it has shown.
    private static let deviationMin: Metres = 2

    private static let trailCount = 16
    /// Fixes closer in time than this are smoothed by the receiver's own filter, which looks like steady movement.
    private static let trailStep: Seconds = 3
    /// How unlikely steps in one direction have to be as noise.
    private static let chanceMax = 1e-5
    /// Fewer steps tell no direction.
    private static let stepsMin = 4

    /// The radius of 68 % by what the vehicle's fixes have shown; nil: it has not stood for long enough yet.
    var radius: Metres? { deviation.map { $0 * Self.deviationsPerRadius } }

    /// How far apart its last fixes were taken, those that are closer than `trailStep` counted as one; nil: there is one only.
    var interval: Seconds? {
        ReportGaps.interval(
            trail.indices.dropFirst().suffix(RuleTime.gapsKept).lazy.map { trail[$0].time.since(trail[$0 - 1].time) })
    }

    private var deviation: Metres? { stand.isTelling ? stand.deviation : learned }

    /// Whether the vehicle moves at `time`, or came to stand a short while ago.
    func isRecent(at time: Timestamp) -> Bool { movedAt.map { time.since($0) <= Self.recent } ?? false }

    /// How many independent fixes so many are worth that were taken in some time.
    func independent(_ count: Int, within duration: Seconds) -> Double { stand.independent(count, within: duration) }

    /// The deviation of fixes on one axis, at most, as far as the stand and the newest fix tell it.
    func deviation(_ fix: Fix) -> Metres {
        stand.isTelling ? max(stand.deviation, Self.deviationMin) : learned ?? Self.deviationMost(fix)
    }

    /// The largest deviation of a receiver of which nothing is known but what the fix says.
    private static func deviationMost(_ fix: Fix) -> Metres {
        (fix.accuracy.map { $0 * understatement } ?? radiusMost) / deviationsPerRadius
    }

    /// Takes up the next fix in order. A vehicle that is new may be moving.
    mutating func follow(_ fix: Fix) {
        let isMoving = movedAt == nil || isBeyondStand(fix)
        if step(to: fix) || isMoving {
            movedAt = fix.time
            if stand.isTelling { learned = stand.deviation }
            stand = StandStatistics()
        }
        stand.add(fix)
    }

    /// Whether the vehicle moves at its newest fix, by all of them: those too that still wait for earlier ones.
    func isMoving(at fix: Fix, _ ordered: OrderedFixes) -> Bool {
        var (motion, ordered) = (self, ordered)
        while let next = ordered.next(until: fix.time) {
            if ordered.accept(next) { motion.follow(next) }
        }
        return motion.movedAt.map { $0 >= fix.time } ?? false
    }

    private func isBeyondStand(_ fix: Fix) -> Bool {
        guard let distance = stand.distance(to: fix.position) else { return false }
        return distance > limit(fix)
    }

    private func limit(_ fix: Fix) -> Metres {
        let seen = Self.deviations * max(stand.deviation, Self.deviationMin)
        if stand.isTelling { return seen }
        let radius = fix.accuracy ?? learned.map { $0 * Self.deviations / Self.radii } ?? Self.radiusUnknown
        // A stand that seems to scatter by more than any receiver's errors is none.
        let most = Self.deviations * max(Self.deviationMost(fix), learned ?? 0)
        return min(max(seen, Self.radii * radius), max(most, Self.radii * radius))
    }

    /// Takes up a step, where the last one is long enough ago.
    ///
    /// - Returns: whether the last steps go in one direction. Of `m` independent normal steps the share of their squares that
    ///   lies in their mean follows a beta distribution with parameters 1 and m − 1, whatever their size; steps of
    ///   correlated errors are, if anything, opposed to each other.
    private mutating func step(to fix: Fix) -> Bool {
        if let last = trail.last, fix.time.since(last.time) < Self.trailStep { return false }
        if trail.count == Self.trailCount { trail.removeFirst() }
        trail.append(TrailPoint(position: fix.position, time: fix.time))
        let plane = LocalPlane(latitude: fix.position.latitude)
        var squares = 0.0
        var next = fix.position
        for (steps, point) in zip(1..., trail.dropLast().reversed()) {
            let step = plane.vector(from: point.position, to: next).length
            squares += step * step
            next = point.position
            guard steps >= Self.stepsMin, squares > 0 else { continue }
            let whole = plane.vector(from: point.position, to: fix.position).length
            let share = min(1, whole * whole / (Double(steps) * squares))
            if pow(1 - share, Double(steps - 1)) < Self.chanceMax { return true }
        }
        return false
    }
}

extension MotionEvidence: BinaryRecord {
    static var placeholder: Self { MotionEvidence() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&movedAt)
        try coder.code(&stand)
        try coder.code(&learned)
        try coder.code(&trail)
    }
}

extension MotionEvidence.TrailPoint: BinaryRecord {
    static var placeholder: Self { MotionEvidence.TrailPoint(position: .placeholder, time: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&position)
        try coder.code(&time)
    }
}
