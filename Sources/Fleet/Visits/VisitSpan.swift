import Messages

/// When a vehicle was at a place: as far as it was seen, and as far as it can have been.
struct VisitSpan {
    let visit: Visit
    var seen: ClosedRange<Timestamp>
    /// `Timestamp.min` and `.max` where nothing is known that limits it.
    var possible: ClosedRange<Timestamp>

    /// One for each visit, in their order.
    ///
    /// Nobody is at two places: an unknown arrival cannot be before the vehicle's visit before, nor an unknown departure
    /// after its next one.
    static func all(of visits: [Visit]) -> [VisitSpan] {
        var spans = visits.map(VisitSpan.init)
        let order = spans.indices.sorted { a, b in
            let (x, y) = (spans[a], spans[b])
            return (x.visit.vehicle.text, x.seen.lowerBound, a) < (y.visit.vehicle.text, y.seen.lowerBound, b)
        }
        for (earlier, later) in zip(order, order.dropFirst())
        where visits[earlier].vehicle == visits[later].vehicle {
            let (before, after) = (spans[earlier].seen, spans[later].seen)
            spans[later].limit(from: before.upperBound, to: .max)
            spans[earlier].limit(from: .min, to: after.lowerBound)
        }
        return spans
    }

    private init(_ visit: Visit) {
        self.visit = visit
        let start = visit.arrival ?? visit.firstSeen
        seen = start...max(start, visit.departure ?? visit.lastSeen)
        let from = visit.arrival ?? .min
        let to = visit.departure ?? visit.goneAt ?? .max
        possible = min(from, seen.lowerBound)...max(to, seen.upperBound)
    }

    /// What was seen stays possible, whatever the neighbours say.
    private mutating func limit(from: Timestamp, to: Timestamp) {
        possible =
            min(max(possible.lowerBound, from), seen.lowerBound)...max(min(possible.upperBound, to), seen.upperBound)
    }
}

extension Timestamp {
    static let min = Timestamp(milliseconds: .min)
    static let max = Timestamp(milliseconds: .max)
}

extension ClosedRange<Timestamp> {
    /// What both have in common, be it a moment.
    func common(with other: Self) -> Self? { overlaps(other) ? clamped(to: other) : nil }
}
