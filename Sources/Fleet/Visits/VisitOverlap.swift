public import Geo
public import Messages

/// Two vehicles at one place at one time.
public struct VisitOverlap: Hashable, Sendable {
    /// Why an overlap may be none, or longer than it says.
    public enum Doubt: Hashable, Sendable, CustomStringConvertible {
        /// How early they met, or whether they did, depends on when this vehicle came, which nobody saw.
        case missingArrival(VehicleID)
        /// How long they met, or whether they did, depends on when this vehicle left, which nobody saw.
        case missingDeparture(VehicleID)
        /// By what both accuracies allow, the places may be farther apart than asked for.
        case accuracy
        /// This vehicle fell silent there; that it stayed is presumed.
        case unconfirmed(VehicleID)

        public var description: String {
            switch self {
            case .missingArrival(let vehicle): "missing arrival of \(vehicle)"
            case .missingDeparture(let vehicle): "missing departure of \(vehicle)"
            case .accuracy: "accuracy worse than the distance"
            case .unconfirmed(let vehicle): "unconfirmed stay of \(vehicle)"
            }
        }
    }

    /// The visit of the vehicle whose id sorts first.
    public var first: Visit
    public var second: Visit
    /// When they had both come: as far as they were seen; where that was never at once, as far as it is possible. Nil:
    /// neither arrival is known.
    public var from: Timestamp?
    /// When one of them left, likewise. Nil: neither departure is known.
    public var to: Timestamp?
    /// Between the middles.
    public var distance: Metres
    /// Whether both were seen there at once; otherwise it is only possible that they met.
    public var isSeen: Bool
    /// Empty: it is certain.
    public var doubts: [Doubt]

    public var isUncertain: Bool { !doubts.isEmpty }

    /// All pairs of different vehicles whose middles lie within `radius` of each other, at a time that both share; by
    /// time, then by vehicles.
    ///
    /// An overlap of what was seen begins and ends with fixes. One of which an end, or all, rests on an arrival or a
    /// departure that is unknown is uncertain, and so is one whose `distance` and both accuracies add up to more than
    /// `radius`, and one with an unconfirmed visit.
    ///
    /// Sweeps by time over a grid of places: n log n and the number of pairs.
    public static func all(among visits: [Visit], within radius: Metres) -> [VisitOverlap] {
        let spans = VisitSpan.all(of: visits)
        let order = spans.indices.sorted { a, b in
            (spans[a].possible.lowerBound, a) < (spans[b].possible.lowerBound, b)
        }
        var places = PlaceGrid(radius: radius)
        var found: [VisitOverlap] = []
        for index in order {
            let span = spans[index]
            let start = span.possible.lowerBound
            for other in places.near(span.visit.position, dropping: { spans[$0].possible.upperBound < start }) {
                if let overlap = VisitOverlap(spans[other], span, within: radius) { found.append(overlap) }
            }
            places.insert(index, at: span.visit.position)
        }
        return found.sorted { $0.order < $1.order }
    }

    /// Nil where the two are one vehicle, apart, or never there at once.
    private init?(_ a: VisitSpan, _ b: VisitSpan, within radius: Metres) {
        guard a.visit.vehicle != b.visit.vehicle else { return nil }
        distance = a.visit.position.distance(to: b.visit.position)
        let seen = a.seen.common(with: b.seen)
        guard distance <= radius, let span = seen ?? a.possible.common(with: b.possible) else { return nil }
        let (first, second) = a.visit.vehicle < b.visit.vehicle ? (a, b) : (b, a)
        self.first = first.visit
        self.second = second.visit
        from = span.lowerBound == .min ? nil : span.lowerBound
        to = span.upperBound == .max ? nil : span.upperBound
        isSeen = seen != nil
        doubts = seen.map { Self.missingEnds(first, second, of: $0) } ?? Self.missingEnds(first, second)
        doubts += [first.visit, second.visit].filter { !$0.isConfirmed }.map { .unconfirmed($0.vehicle) }
        if distance + a.visit.accuracy + b.visit.accuracy > radius { doubts.append(.accuracy) }
    }

    /// The unknown ends that limit what was seen of both.
    private static func missingEnds(
        _ a: VisitSpan, _ b: VisitSpan, of seen: ClosedRange<Timestamp>
    ) -> [Doubt] {
        [a, b].flatMap { span -> [Doubt] in
            let visit = span.visit
            let isLate = visit.arrival == nil && span.seen.lowerBound == seen.lowerBound
            let isEarly = visit.departure == nil && span.seen.upperBound == seen.upperBound
            return (isLate ? [.missingArrival(visit.vehicle)] : [])
                + (isEarly ? [.missingDeparture(visit.vehicle)] : [])
        }
    }

    /// The unknown ends without which the two never met.
    private static func missingEnds(_ a: VisitSpan, _ b: VisitSpan) -> [Doubt] {
        let (earlier, later) = a.seen.upperBound < b.seen.lowerBound ? (a.visit, b.visit) : (b.visit, a.visit)
        let departure = earlier.departure == nil ? Doubt.missingDeparture(earlier.vehicle) : nil
        let arrival = later.arrival == nil ? Doubt.missingArrival(later.vehicle) : nil
        return [departure, arrival].compactMap(\.self)
    }

    private var order: (Timestamp, String, String, Timestamp) {
        (from ?? .min, first.vehicle.text, second.vehicle.text, to ?? .max)
    }
}
