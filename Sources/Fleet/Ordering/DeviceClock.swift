import Geo
import Messages

/// The clock of a device, as far as it is wrong.
///
/// What a clock that was set back says is older than what is known already, and what one that is ahead says is from the future:
/// no fix would be used before it is right again. Once the fixes show that it runs on, at a constant difference to the time of
/// their arrival, that is added to their times.
struct DeviceClock: Hashable, Sendable {
    /// Fixes that cannot be used by their times, and came as far apart as they were taken.
    fileprivate struct Run: Hashable, Sendable {
        /// When the first of them came, and how long after its time.
        var since: Timestamp
        var lag: Seconds
        /// The time of the newest.
        var newest: Timestamp
        var count = 1
        /// Whether the vehicle goes on from where it was: what is sent once more, as far apart as it was taken, begins elsewhere.
        var isContinuous: Bool
    }

    /// The delays of a mobile network differ by no more. What was buffered, or is delivered again, comes faster than it was
    /// taken, and is by more than this nearer to its time within a minute.
    private static let lagDifferenceMax: Seconds = 10
    /// As many, over as long, as a position takes to go stale.
    private static let countMin = 1 + Int(RuleTime.staleAfterIntervals)
    private static let durationMin = RuleTime.staleAfterMin

    /// What is to be added to its times.
    private(set) var offset: Seconds = 0
    private var run: Run?

    /// Nothing is known against it.
    static let right = DeviceClock()

    /// Takes up the newest fix of a message. One that is newer than the last ends the run: the device goes on beside what is old.
    ///
    /// - Parameter last: the newest that was used.
    mutating func follow(_ fix: Fix, receivedAt: Timestamp, last: Fix?, ageMax: Seconds) {
        let time = fix.time
        let lag = receivedAt.since(time)
        // It has been put right.
        if abs(lag) < abs(lag - offset) { offset = 0 }
        let isFromTheFuture = offset - lag > RuleTime.clockSkewMax
        guard isFromTheFuture || last.map({ time.adding(offset) <= $0.time }) ?? false else {
            run = nil
            return
        }
        // One that is off by less is right again as soon.
        guard abs(lag) > RuleTime.clockSkewMax, lag <= ageMax else { return }
        guard var run, abs(lag - run.lag) <= Self.lagDifferenceMax else {
            var arrived = fix
            arrived.time = receivedAt
            let isElsewhere = last.map { lag > 0 && FixFilter.isImplausible(from: $0, to: arrived) } ?? false
            run = Run(since: receivedAt, lag: lag, newest: time, isContinuous: !isElsewhere)
            return
        }
        // Others came twice, or late.
        guard time > run.newest else { return }
        run.newest = time
        run.count += 1
        self.run = run
        guard run.isContinuous, run.count >= Self.countMin, receivedAt.since(run.since) >= Self.durationMin else {
            return
        }
        (offset, self.run) = (lag, nil)
    }
}

extension Vehicle {
    /// What is to be added to the times of the fixes of a message.
    ///
    /// - Parameter newest: by the device's clock.
    mutating func clockOffset(of newest: Fix, receivedAt: Timestamp, ageMax: Seconds) -> Seconds {
        let known = clock ?? .right
        var clock = known
        clock.follow(newest, receivedAt: receivedAt, last: lastFix, ageMax: ageMax)
        if clock != known { self.clock = clock == .right ? nil : clock }
        return clock.offset
    }
}

extension DeviceClock: BinaryRecord {
    static var placeholder: Self { DeviceClock() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&offset)
        try coder.code(&run)
    }
}

extension DeviceClock.Run: BinaryRecord {
    static var placeholder: Self {
        DeviceClock.Run(since: .placeholder, lag: 0, newest: .placeholder, isContinuous: false)
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&since)
        try coder.code(&lag)
        try coder.code(&newest)
        try coder.code(&count)
        try coder.code(&isContinuous)
    }
}
