import Algorithms
import Geo
import Messages

/// One vehicle's fixes on their way into the order in which they were taken.
///
/// Fence events and visits follow the time of the fixes, not that of their arrival: a fix waits until none that was taken
/// before it may still come. The clock for that is the vehicle's own – it shows the time of the newest fix when that arrives
/// and runs on from there – so that a stream that comes ten minutes late gives what it would have given in time.
struct OrderedFixes: Hashable, Sendable {
    /// More wait at no vehicle; the oldest then waits no longer. Ten seconds of a hundred fixes each.
    static let waitingMax = 1000

    /// By time, the oldest first.
    private(set) var waiting: [Fix] = []
    /// The youngest that waits no longer, and was plausible.
    private(set) var last: Fix?
    /// The time of the youngest that waits no longer, plausible or not: what is older comes too late.
    private var taken: Timestamp?
    /// Up to when the vehicle has been followed, by fixes and by deadlines. What was taken before a deadline, and after all
    /// fixes until then, does not come too late: a device that was out of reach sends what was assumed to be silence.
    private(set) var followedTo: Timestamp?
    /// Implausible ones in a row.
    private var outliers = 0
    /// The newest fix, by its time, and when it came.
    private var newest: Timestamp?
    private var newestArrival: Timestamp?
    /// Those that end with fixes that wait.
    private var silences: [QuietSilence] = []

    init() {}

    /// When the oldest that waits was taken; nil: none waits.
    var nextTime: Timestamp? { waiting.isEmpty ? nil : waiting[0].time }

    /// - Parameter circle: the quiet circle in which the vehicle was free to be silent until then.
    /// - Returns: why it cannot be taken up; nil where it was.
    mutating func insert(_ fix: Fix, receivedAt: Timestamp, silentIn circle: Circle? = nil) -> InputError? {
        if let taken, fix.time <= taken {
            guard fix.time == taken else { return .outOfOrder }
            guard let last, last.time == taken, fix.crossing != nil, fix.crossing != last.crossing else {
                return .duplicate
            }
            return insert(fix.aMomentLater, receivedAt: receivedAt, silentIn: circle)
        }
        let index = waiting.partitioningIndex { $0.time >= fix.time }
        if index < waiting.count, waiting[index].time == fix.time {
            return join(fix, at: index, receivedAt: receivedAt, silentIn: circle)
        }
        // Most come in order.
        if index == waiting.count { waiting.append(fix) } else { waiting.insert(fix, at: index) }
        if let circle { silences.append(QuietSilence(circle: circle, end: fix.time)) }
        if newest.map({ fix.time > $0 }) ?? true { (newest, newestArrival) = (fix.time, receivedAt) }
        return nil
    }

    /// Two reports of one moment: a crossing of the device's own region and the position beside it are both news, and so are
    /// crossings of two regions.
    private mutating func join(_ fix: Fix, at index: Int, receivedAt: Timestamp, silentIn circle: Circle?)
        -> InputError?
    {
        let known = waiting[index]
        if let a = known.crossing, let b = fix.crossing, a != b {
            // In an order that does not depend on which came first.
            let isFirst = (b.region?.hash ?? 0, b.trigger.rawValue) < (a.region?.hash ?? 0, a.trigger.rawValue)
            if isFirst { waiting[index] = fix }
            return insert((isFirst ? known : fix).aMomentLater, receivedAt: receivedAt, silentIn: circle)
        }
        guard let both = known.joined(with: fix) else { return .duplicate }
        waiting[index] = both
        return nil
    }

    /// The time up to which everything that was taken has come.
    ///
    /// - Parameter reorder: how late a fix may be against those taken after it.
    func watermark(at now: Timestamp, reorder: Seconds) -> Timestamp? {
        guard let newest, let newestArrival else { return nil }
        let clock = newest.adding(max(0, now.since(newestArrival)))
        let settled = clock.adding(-reorder)
        guard waiting.count > Self.waitingMax else { return settled }
        return max(settled, waiting[waiting.count - Self.waitingMax - 1].time)
    }

    /// When, by the gateway's clock, the watermark comes to a time.
    func moment(of time: Timestamp, reorder: Seconds) -> Timestamp? {
        guard let newest, let newestArrival else { return nil }
        return newestArrival.adding(max(0, time.since(newest) + reorder))
    }

    /// When a fix would have come that had not waited, by the gateway's clock.
    func arrival(of time: Timestamp) -> Timestamp? {
        guard let newest, let newestArrival else { return nil }
        return newestArrival.adding(max(0, time.since(newest)))
    }

    /// The oldest that waits and was taken by `time`; nil: none.
    mutating func next(until time: Timestamp) -> Fix? {
        guard let next = nextTime, next <= time else { return nil }
        let first = waiting.removeFirst()
        taken = first.time
        follow(to: first.time)
        return first
    }

    /// The youngest that was taken before a time; nil: none is known.
    func fix(before time: Timestamp) -> Fix? {
        let index = waiting.partitioningIndex { $0.time >= time }
        if index > 0 { return waiting[index - 1] }
        return last.flatMap { $0.time < time ? $0 : nil }
    }

    /// Those that wait and were taken at a time or later, the oldest first.
    func fixes(from time: Timestamp) -> ArraySlice<Fix> {
        waiting[waiting.partitioningIndex { $0.time >= time }...]
    }

    /// The fix that one which waits no longer followed. After a silence in a quiet circle that is where it left the circle: on
    /// the way there it crossed no border, whatever way a map may make of it.
    mutating func predecessor(of fix: Fix) -> Fix? {
        guard !silences.isEmpty else { return last }
        let silence = silences.first { $0.end == fix.time }
        silences.removeAll { $0.end <= fix.time }
        return last.map { last in silence?.exit(from: last, to: fix) ?? last }
    }

    /// Whether a fix that waits no longer can have followed the one before it; if so it is the one that the next follows.
    mutating func accept(_ fix: Fix) -> Bool {
        if let last, outliers < FixFilter.outliersMax, FixFilter.isImplausible(from: last, to: fix) {
            outliers += 1
            return false
        }
        outliers = 0
        last = fix
        return true
    }

    /// Notes that nothing happened up to `time`.
    mutating func follow(to time: Timestamp) {
        if followedTo.map({ time > $0 }) ?? true { followedTo = time }
    }
}

extension OrderedFixes: BinaryRecord {
    static var placeholder: Self { OrderedFixes() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&waiting)
        try coder.code(&last)
        try coder.code(&taken)
        try coder.code(&followedTo)
        try coder.code(&outliers)
        try coder.code(&newest)
        try coder.code(&newestArrival)
        try coder.code(&silences)
    }
}
