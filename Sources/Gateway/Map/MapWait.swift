/// How long passes wait for what follows from a changed clearance.
///
/// On a map of a region that is made within some 50 ms, or a few hundred on a machine that is busy. Whoever waits for it judges
/// by it what was sent after the change, so that an alert does not depend on when it was made. On a large map it takes longer than
/// a pass may, and where clearances change without a break, waiting for each would take all the time.
struct MapWait {
    /// Of one wait.
    var waitMax: Duration = .milliseconds(500)
    /// Waiting takes a tenth of the time at most.
    private static let share = 10
    /// Of what is not used of that, so much can be used later: some changes may come one right after the other, as after an outage.
    private static let savedMax: Duration = .seconds(2)

    private var saved = Self.savedMax
    private var savedAt: ContinuousClock.Instant?

    /// Until when a wait that begins now may go on; nil: nobody waits now.
    func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let wait = min(waitMax, Self.savedMax)
        return saved(at: now) >= wait ? now + wait : nil
    }

    mutating func note(waited: Duration, until now: ContinuousClock.Instant) {
        (saved, savedAt) = (saved(at: now) - waited, now)
    }

    private func saved(at now: ContinuousClock.Instant) -> Duration {
        min(Self.savedMax, saved + (savedAt.map { now - $0 } ?? .zero) / Self.share)
    }
}
