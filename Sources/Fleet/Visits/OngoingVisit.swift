import Geo
import Messages

/// A visit that was told of and has not ended.
struct OngoingVisit: Hashable, Sendable {
    var id: String
    /// The sequence number of its last message.
    var sequence = 1
    var arrival: Timestamp?
    var whole: StayPart
    /// At the last fix inside, sorted.
    var fences: [String]

    func message(
        _ phase: VisitMessage.Phase, at time: Timestamp, departure: Timestamp? = nil, isConfirmed: Bool = true
    ) -> VisitMessage {
        VisitMessage(
            id: id, sequence: sequence, phase: phase, isConfirmed: isConfirmed, time: time, arrival: arrival,
            departure: departure, firstSeen: whole.first, lastSeen: whole.last, position: whole.middle.position,
            accuracy: whole.middle.accuracy, altitude: whole.middle.altitude, fences: fences)
    }
}

/// How a vehicle reports, and how fast it said it was at its newest fix: what silence after it means.
struct ReportPace: Hashable, Sendable {
    private var time: Timestamp
    /// Between the two newest fixes; 0 at the first.
    private(set) var interval: Seconds
    /// As the fix states it; nil where it does not.
    private(set) var speed: MetresPerSecond?

    init(_ fix: Fix, after last: ReportPace?) {
        time = fix.time
        interval = last.map { fix.time.since($0.time) } ?? 0
        speed = fix.speed
    }
}

extension OngoingVisit: BinaryRecord {
    static var placeholder: Self { OngoingVisit(id: "", whole: .placeholder, fences: []) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&id)
        try coder.code(&sequence)
        try coder.code(&arrival)
        try coder.code(&whole)
        try coder.code(&fences)
    }
}

extension ReportPace: BinaryRecord {
    static var placeholder: Self { ReportPace(.placeholder, after: nil) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&time)
        try coder.code(&interval)
        try coder.code(&speed)
    }
}
