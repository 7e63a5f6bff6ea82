import Geo
public import Messages

/// Tells when one vehicle arrives somewhere and departs again.
///
/// * A stay is a run of fixes that lie within `radius` of its middle: the mean of all its fixes, weighted with
///   1/accuracy². The mean lags behind a vehicle that creeps, so that creeping ends a stay after two radii at most.
/// * It is a visit once it has lasted `duration` by the times of its fixes; silence counts, where the fixes at both ends
///   are inside. Who goes on faster than `radius / duration`, as in a traffic jam, is on no visit.
/// * One fix outside, with the next one inside again within `gap` of the last, was noise: it neither ends a stay nor
///   moves its middle. Two in a row, or one that comes later than that, show that the vehicle has left.
/// * Arrival and departure are the times of the first and last fix inside; nil where the next fix beyond is more than
///   `gap` away, or was never seen.
/// * A vehicle that falls silent at rest is presumed to stay: its arrival is announced, unconfirmed, when `duration` has
///   passed. The fix that shows that it did confirm it, the one that shows that it did not withdraws it.
///
/// Time is that of the fixes alone. What is kept is all there is: read again, it goes on as if nothing had happened.
public struct VisitTracker: Hashable, Sendable {
    /// What may become a visit; empty during one.
    private var stayCandidate = StayPointCandidate()
    @Rare private var visit: OngoingVisit?
    /// The last fix, where it lay outside and the next one decides what it was.
    private var outlier: StayPart?
    /// Announced while the vehicle was silent, and neither confirmed nor withdrawn.
    @Rare private var presumed: OngoingVisit?
    /// Nil before the first fix.
    private var pace: ReportPace?

    public init() {}

    /// Takes in the vehicle's next fix.
    ///
    /// - Parameters:
    ///   - fix: accepted, and later than all before it.
    ///   - fences: ids of those the vehicle is inside of now; not asked for while it drives. An arrival tells those at its
    ///     own fix, a departure those at the last fix inside.
    /// - Returns: what became known by it: a departure, an arrival, or the one and then the other.
    public mutating func advance(
        to fix: Fix, vehicle: VehicleID, fences: @autoclosure () -> [String], _ settings: VisitSettings
    ) -> [VisitMessage] {
        let here = StayPart(fix)
        pace = ReportPace(fix, after: pace)
        var messages: [VisitMessage] = []
        var hasLeft = false
        switch state(of: here, settings) {
        case .inside:
            outlier = nil
            stay(here, fences(), settings)
        case .undecided:
            outlier = here
        case .left:
            let outside = outlier
            hasLeft = true
            if !_visit.isEmpty { messages += depart(seenOutside: (outside ?? here).first, at: fix.time, settings) }
            outlier = nil
            stayCandidate.append(here, after: outside, within: settings.radius)
        }
        let arrival = arrive(at: fix.time, vehicle, fences(), settings)
        if !_presumed.isEmpty, let presumed {
            // Not while a stay may still begin with the same fix, as a vehicle's that went on a little while it was silent:
            // that would have the same id.
            let end = hasLeft ? presumed.whole.first : presumed.whole.last
            if stayCandidate.first.map({ $0 > end }) ?? true { messages += withdraw(at: fix.time) }
        }
        return messages.isEmpty ? arrival : messages + arrival
    }

    // MARK: Silence

    /// When the vehicle is presumed to have arrived if it stays silent until then, by its own time; nil: it is not.
    @inline(__always)
    func deadline(_ settings: VisitSettings) -> Timestamp? {
        guard _visit.isEmpty, outlier == nil, _presumed.isEmpty, let pace,
            pace.speed.map({ $0 <= VisitSettings.slowMax }) ?? true
        else { return nil }
        let settled = stayCandidate.settled(within: settings.radius)
        guard let speed = pace.speed ?? settled.speed(over: VisitSettings.slowOver), speed <= VisitSettings.slowMax,
            let stay = settled.whole
        else { return nil }
        let silence = min(pace.interval * VisitSettings.silentAfterIntervals, settings.duration)
        return max(stay.first.adding(settings.duration), stay.last.adding(silence))
    }

    /// Announces the arrival that fell due at a moment that `deadline` named.
    ///
    /// - Parameter fences: ids of those the vehicle is inside of then.
    mutating func expire(at time: Timestamp, vehicle: VehicleID, fences: [String], _ settings: VisitSettings)
        -> [VisitMessage]
    {
        let settled = stayCandidate.settled(within: settings.radius)
        guard let whole = settled.whole else { return [] }
        let visit = begin(whole, after: settled.before, vehicle, fences, settings)
        presumed = visit
        return [visit.message(.arrived, at: time, isConfirmed: false)]
    }

    /// What was presumed is withdrawn once the vehicle has left, or its last fix belongs to no stay any more.
    private mutating func withdraw(at time: Timestamp) -> [VisitMessage] {
        guard var visit = presumed else { return [] }
        presumed = nil
        visit.sequence += 1
        return [visit.message(.withdrawn, at: time, isConfirmed: false)]
    }

    private enum State {
        case inside, undecided, left
    }

    private func state(of here: StayPart, _ settings: VisitSettings) -> State {
        guard let middle = visit?.whole.middle.position ?? stayCandidate.middle,
            let last = visit?.whole.last ?? stayCandidate.last
        else { return .inside }
        let isInside = here.middle.position.distance(to: middle) <= settings.radius
        if isInside && outlier == nil { return .inside }
        let isNoiseLikely = here.first.since(last) <= settings.gap
        if isInside { return isNoiseLikely ? .inside : .left }
        return outlier == nil && isNoiseLikely ? .undecided : .left
    }

    private mutating func stay(_ here: StayPart, _ fences: @autoclosure () -> [String], _ settings: VisitSettings) {
        if _visit.isEmpty {
            stayCandidate.append(here, within: settings.radius)
        } else {
            visit?.whole.append(here)
            visit?.fences = fences().sorted()
        }
    }

    private mutating func arrive(
        at time: Timestamp, _ vehicle: VehicleID, _ fences: @autoclosure () -> [String], _ settings: VisitSettings
    ) -> [VisitMessage] {
        guard _visit.isEmpty, outlier == nil, let whole = stayCandidate.visit(settings) else { return [] }
        var visit = begin(whole, after: stayCandidate.before, vehicle, fences(), settings)
        if let presumed, whole.first <= presumed.whole.last {
            visit.id = presumed.id
            visit.sequence = presumed.sequence + 1
            self.presumed = nil
        }
        self.visit = visit
        stayCandidate = StayPointCandidate()
        return [visit.message(.arrived, at: time)]
    }

    private func begin(
        _ whole: StayPart, after before: Timestamp?, _ vehicle: VehicleID, _ fences: [String],
        _ settings: VisitSettings
    ) -> OngoingVisit {
        let isSeen = before.map { whole.first.since($0) <= settings.gap } ?? false
        return OngoingVisit(
            id: DerivedID.of("visit", vehicle.text, "\(whole.first.milliseconds)"), sequence: 1,
            arrival: isSeen ? whole.first : nil, whole: whole, fences: fences.sorted())
    }

    /// - Parameter seenOutside: when the vehicle was first seen elsewhere.
    private mutating func depart(
        seenOutside: Timestamp, at time: Timestamp, _ settings: VisitSettings
    ) -> [VisitMessage] {
        guard var visit else { return [] }
        let last = visit.whole.last
        self.visit = nil
        visit.sequence += 1
        stayCandidate = StayPointCandidate(after: last)
        let isSeen = seenOutside.since(last) <= settings.gap
        return [visit.message(.departed, at: time, departure: isSeen ? last : nil)]
    }
}

extension VisitTracker: BinaryRecord {
    static var placeholder: Self { VisitTracker() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&stayCandidate)
        try coder.code(&visit)
        try coder.code(&outlier)
        try coder.code(&presumed)
        try coder.code(&pace)
    }
}
