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
struct RequestTimes: Hashable, Sendable {
    fileprivate struct Entry: Hashable {
        var cause: RequestCause
        var time: Timestamp
    }

    /// Mistakes of one vehicle that are answered within an hour: who tries out spellings needs a few, and a device that
    /// makes another mistake with every message must not fill its own topic.
    private static let refusedMax = 8

    /// By cause. They are few: to look through them takes less than to hash one.
    private var entries: [Entry] = []

    init() {}

    func has(_ cause: RequestCause) -> Bool { entries.contains { $0.cause == cause } }

    /// Notes that something is asked for now, unless it was asked within the last hour.
    ///
    /// - Returns: whether to ask.
    mutating func admit(_ cause: RequestCause, at time: Timestamp) -> Bool {
        // Asked at every fix, it seldom finds anything to let go of.
        if entries.contains(where: { !$0.isRecent(at: time) }) { entries.removeAll { !$0.isRecent(at: time) } }
        guard !has(cause) else { return false }
        let index = entries.firstIndex { cause < $0.cause } ?? entries.count
        entries.insert(Entry(cause: cause, time: time), at: index)
        return true
    }

    /// The same for the answer to what was refused.
    mutating func admit(_ refused: RefusedReport, at time: Timestamp) -> Bool {
        entries.count { $0.isRecent(at: time) } < Self.refusedMax && admit(RequestCause(refused), at: time)
    }
}

extension RequestTimes.Entry {
    fileprivate func isRecent(at now: Timestamp) -> Bool { now.since(time) < RuleTime.requestEvery }
}

extension RequestTimes: BinaryRecord {
    static var placeholder: Self { RequestTimes() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&entries) }
}

extension RequestTimes.Entry: BinaryRecord {
    fileprivate static var placeholder: Self { RequestTimes.Entry(cause: .heightRequired, time: .placeholder) }

    fileprivate mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&cause)
        try coder.code(&time)
    }
}
