/// Whether the broker is still there.
///
/// MQTT's keep-alive finds out too, after up to twice its interval; and an interval of a few seconds would have the broker end
/// the connection of a gateway that is busy for that long. So a broker that has been silent is asked something that it must
/// answer. What counts is any byte that comes.
struct Silence {
    enum Step {
        case ask, giveUp
    }

    /// After so long it is asked.
    static let patience: Duration = .seconds(2)
    /// It has so long to answer; with a pass of a second before and after that, it is given up within ten seconds.
    static let answer: Duration = .seconds(5)

    /// Nobody subscribes to it, so that the broker has nothing to do but to answer that the subscription is over.
    static let filter = "headroom-keep-alive"

    private var heardAt: ContinuousClock.Instant
    private var askedAt: ContinuousClock.Instant?

    init(since now: ContinuousClock.Instant) { heardAt = now }

    mutating func heard(at now: ContinuousClock.Instant) { (heardAt, askedAt) = (now, nil) }

    /// What is due, after it was looked whether something has come.
    mutating func step(at now: ContinuousClock.Instant) -> Step? {
        if let askedAt { return now - askedAt >= Self.answer ? .giveUp : nil }
        guard now - heardAt >= Self.patience else { return nil }
        askedAt = now
        return .ask
    }
}
