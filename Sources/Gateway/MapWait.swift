/// How long passes wait for what follows from a changed clearance.
///
/// On a map of a region that is made within milliseconds: whoever waits for it judges what was sent after the change by it, so that
/// an alert does not depend on when it was made. On a large map it takes longer than a pass may, and where clearances change
/// without a break, waiting for each would take all the time.
struct MapWait {
    var waitMax: Duration = .milliseconds(100)
    /// Waiting takes a tenth of the time at most.
    private static let restPerWait = 9

    private var restsUntil: ContinuousClock.Instant?

    func isAllowed(at now: ContinuousClock.Instant) -> Bool { restsUntil.map { now >= $0 } ?? true }

    mutating func note(waited: Duration, at now: ContinuousClock.Instant) {
        restsUntil = now + waited * Self.restPerWait
    }
}
