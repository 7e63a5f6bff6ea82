import Geo

/// Tells when one vehicle arrives somewhere and departs again (domain rules §8).
///
/// * A stay is a run of fixes that lie within `radius` of its middle: the mean of all its fixes, weighted with
///   1/accuracy². The mean lags behind a vehicle that creeps, so that creeping ends a stay after two radii at most.
/// * It is a visit once it has lasted `duration` by the times of its fixes; silence counts, where the fixes at both ends
///   are inside. Who goes on faster than `radius / duration`, as in a traffic jam, is on no visit.
/// * One fix outside, with the next one inside again within `gap` of the last, was noise: it neither ends a stay nor
///   moves its middle. Two in a row, or one that comes later than that, show that the vehicle has left.
/// * Arrival and departure are the times of the first and last fix inside; nil where the next fix beyond is more than
///   `gap` away, or was never seen.
///
/// Time is that of the fixes alone. What is kept is all there is: read again, it goes on as if nothing had happened.
public struct VisitTracker: Hashable, Sendable, Decodable {
    /// What may become a visit; empty during one.
    private var halt = Halt()
    private var visit: OngoingVisit?
    /// The last fix, where it lay outside and the next one decides what it was.
    private var outlier: StayPart?

    public init() {}

    /// Takes in the vehicle's next fix.
    ///
    /// - Parameters:
    ///   - fix: accepted, and later than all before it.
    ///   - fences: ids of those the vehicle is inside of now. An arrival tells those at its own fix, a departure those
    ///     at the last fix inside.
    /// - Returns: what became known by it: a departure, an arrival, or the one and then the other.
    public mutating func advance(
        to fix: Fix, vehicle: VehicleID, fences: [String], _ settings: VisitSettings
    ) -> [VisitMessage] {
        let here = StayPart(fix)
        var messages: [VisitMessage] = []
        switch standing(of: here, settings) {
        case .inside:
            outlier = nil
            stay(here, fences, settings)
        case .undecided:
            outlier = here
        case .left:
            let outside = [outlier, here].compactMap(\.self)
            messages += depart(seenOutside: outside[0].first, at: fix.time, settings)
            outlier = nil
            halt.append(outside, within: settings.radius)
        }
        return messages + arrive(at: fix.time, vehicle, fences, settings)
    }

    private enum Standing {
        case inside, undecided, left
    }

    private func standing(of here: StayPart, _ settings: VisitSettings) -> Standing {
        guard let stay = visit?.whole ?? halt.whole else { return .inside }
        let isInside = here.middle.distance(to: stay.middle) <= settings.radius
        if isInside && outlier == nil { return .inside }
        let isNoiseLikely = here.first.since(stay.last) <= settings.gap
        if isInside { return isNoiseLikely ? .inside : .left }
        return outlier == nil && isNoiseLikely ? .undecided : .left
    }

    private mutating func stay(_ here: StayPart, _ fences: [String], _ settings: VisitSettings) {
        if visit == nil {
            halt.append([here], within: settings.radius)
        } else {
            visit?.whole.append(here)
            visit?.fences = fences.sorted()
        }
    }

    private mutating func arrive(
        at time: Timestamp, _ vehicle: VehicleID, _ fences: [String], _ settings: VisitSettings
    ) -> [VisitMessage] {
        guard visit == nil, outlier == nil, let whole = halt.visit(settings) else { return [] }
        let isSeen = halt.before.map { whole.first.since($0) <= settings.gap } ?? false
        let visit = OngoingVisit(
            id: DerivedID.of("visit", vehicle.text, "\(whole.first.milliseconds)"),
            arrival: isSeen ? whole.first : nil, whole: whole, fences: fences.sorted())
        self.visit = visit
        halt = Halt()
        return [visit.message(.arrived, at: time, departure: nil)]
    }

    /// - Parameter seenOutside: when the vehicle was first seen elsewhere.
    private mutating func depart(
        seenOutside: Timestamp, at time: Timestamp, _ settings: VisitSettings
    ) -> [VisitMessage] {
        guard let visit else { return [] }
        let last = visit.whole.last
        self.visit = nil
        halt = Halt(after: last)
        let isSeen = seenOutside.since(last) <= settings.gap
        return [visit.message(.departed, at: time, departure: isSeen ? last : nil)]
    }
}

/// A visit that was told of and has not ended.
private struct OngoingVisit: Hashable, Sendable, Decodable {
    let id: String
    let arrival: Timestamp?
    var whole: StayPart
    /// At the last fix inside, sorted.
    var fences: [String]

    func message(_ phase: VisitMessage.Phase, at time: Timestamp, departure: Timestamp?) -> VisitMessage {
        VisitMessage(
            id: id, sequence: phase == .arrived ? 1 : 2, phase: phase, time: time, arrival: arrival,
            departure: departure, firstSeen: whole.first, lastSeen: whole.last, position: whole.middle.position,
            accuracy: whole.middle.accuracy,
            altitude: whole.middle.altitude, fences: fences)
    }
}

extension VisitTracker: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(halt)
        writer.put(visit)
        writer.put(outlier)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        halt = try reader.get()
        visit = try reader.get()
        outlier = try reader.get()
    }
}

extension OngoingVisit: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(id)
        writer.put(arrival)
        writer.put(whole)
        writer.put(fences)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        id = try reader.get()
        arrival = try reader.get()
        whole = try reader.get()
        fences = try reader.get()
    }
}
