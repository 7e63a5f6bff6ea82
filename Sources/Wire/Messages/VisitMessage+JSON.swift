import Messages

extension JSONWriter {
    /// As the AsyncAPI document describes it.
    mutating func members(of visit: VisitMessage, _ vehicle: VehicleID, publishedAt: Timestamp) {
        member("id", visit.id)
        member("sequence", visit.sequence)
        member("type", "visit")
        member("phase", visit.phase.rawValue)
        member("confirmed", visit.isConfirmed)
        member("vehicle", vehicle.text)
        member("time", visit.time)
        member("published_at", publishedAt)
        member("arrival", visit.arrival)
        member("departure", visit.departure)
        member("first_seen", visit.firstSeen)
        member("last_seen", visit.lastSeen)
        position(visit.position)
        member("accuracy", visit.accuracy, decimals: 1)
        if let altitude = visit.altitude { member("altitude", altitude, decimals: 1) }
        member("fences", each: visit.fences) { $0.string($1) }
    }
}
