import Geo
import Messages

/// A visit that was told of and has not ended.
struct OngoingVisit: Hashable, Sendable {
    var id: String
    /// Of its last message.
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

extension OngoingVisit: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(sequence)
        writer.put(arrival)
        writer.put(whole)
        writer.put(fences)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        id = try reader.get()
        sequence = try reader.get()
        arrival = try reader.get()
        whole = try reader.get()
        fences = try reader.get()
    }
}

extension ReportPace: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(time)
        writer.put(interval)
        writer.put(speed)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        time = try reader.get()
        interval = try reader.get()
        speed = try reader.get()
    }
}
