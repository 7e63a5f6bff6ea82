import Messages

/// Why something is asked of a driver: for one cause at most once an hour.
struct RequestCause: RawRepresentable, Hashable, Sendable, Codable {
    static let heightRequired = RequestCause(.heightRequired)
    static let heightStale = RequestCause(.heightStale)
    static let consentRequired = RequestCause(.consentRequired)

    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    /// That something is missing.
    init(_ kind: RequestMessage.Kind) { rawValue = kind.rawValue }

    /// That something was sent and refused: another mistake is another cause.
    init(_ refused: RefusedReport) {
        rawValue = DerivedID.of("refused", refused.subject.rawValue, refused.problem)
    }
}

extension RequestCause: BinaryCodable, Comparable {
    static func < (a: RequestCause, b: RequestCause) -> Bool { a.rawValue < b.rawValue }
}

/// When something was last asked for each cause.
extension [RequestCause: Timestamp] {
    /// Mistakes of one vehicle that are answered within an hour: who tries out spellings needs a few, and a device that
    /// makes another mistake with every message must not fill its own topic.
    private static let refusedMax = 8

    /// Notes that something is asked for now, unless it was asked within the last hour.
    ///
    /// - Returns: whether to ask.
    mutating func admit(_ cause: RequestCause, at time: Timestamp) -> Bool {
        // Asked at every fix, it seldom finds anything to let go of.
        if contains(where: { time.since($0.value) >= RuleTime.requestEvery }) {
            self = filter { time.since($0.value) < RuleTime.requestEvery }
        }
        guard self[cause] == nil else { return false }
        self[cause] = time
        return true
    }

    /// The same for the answer to what was refused.
    mutating func admit(_ refused: RefusedReport, at time: Timestamp) -> Bool {
        let recent = filter { time.since($0.value) < RuleTime.requestEvery }
        return recent.count < Self.refusedMax && admit(RequestCause(refused), at: time)
    }
}
