import Messages

/// Limits what one turn takes in by what that leads to: a vehicle that is new to two thousand fences, or a deadline of ten
/// thousand vehicles, leads to more than a message does otherwise.
struct TurnBudget {
    /// Of the engine: to encode and to commit what it says takes about as long, and a turn is to be committed within 200 ms.
    static let timeMax: Duration = .milliseconds(80)
    /// Messages of the engine's. Each takes some 15 µs to be encoded and stored: 60 ms.
    static let envelopesMax = 4_000
    /// Of these messages, about: a state names every fence that its vehicle is in.
    static let bytesMax = 8 << 20
    /// Messages that take as long as a vehicle that is forgotten: its topics are emptied, and each is looked for in the store, as are
    /// its rows in seven tables.
    static let envelopesPerForgotten = 32

    private let start: ContinuousClock.Instant
    private let share: Double
    /// How many of the turn's messages have been looked at, of which the first do not count.
    private var seen: Int
    /// The same of vehicles that are forgotten.
    private var forgottenSeen: Int
    private var envelopes = 0
    private var bytes = 0

    /// - Parameters:
    ///   - share: of the limits, 0 to 1.
    ///   - effects: what the turn has led to before.
    init(share: Double, after effects: Effects, at start: ContinuousClock.Instant) {
        self.start = start
        self.share = share
        seen = effects.envelopes.count
        forgottenSeen = effects.forgotten.count
    }

    /// - Parameter effects: all those of the turn so far.
    mutating func isSpent(by effects: Effects, at now: ContinuousClock.Instant) -> Bool {
        // A vehicle that is forgotten takes its own with it.
        seen = min(seen, effects.envelopes.count)
        for envelope in effects.envelopes[seen...] {
            envelopes += 1
            bytes += envelope.message.bytesAbout
        }
        seen = effects.envelopes.count
        envelopes += Self.envelopesPerForgotten * (effects.forgotten.count - forgottenSeen)
        forgottenSeen = effects.forgotten.count
        return now - start >= Self.timeMax * share || Double(envelopes) >= Double(Self.envelopesMax) * share
            || Double(bytes) >= Double(Self.bytesMax) * share
    }
}

extension Message {
    /// As a payload, with what the broker and the store add; good enough to see what is large.
    fileprivate var bytesAbout: Int {
        switch self {
        case .alert(let alert): 1_000 + 40 * (alert.detour?.line.count ?? 0)
        case .routeCheck(let check): 500 + 40 * ((check.line?.count ?? 0) + (check.safeLine?.count ?? 0))
        case .state(let state): 500 + 80 * state.fences.count + 2_000 * state.alerts.count
        case .regions(let regions): 500 + 150 * regions.regions.count
        case .event, .visit, .tracking, .request: 500
        }
    }
}
