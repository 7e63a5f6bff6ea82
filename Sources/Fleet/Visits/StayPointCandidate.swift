import Geo
import Messages

/// The newest fixes, back to where they no longer lie within one radius of their middle: what a visit begins as.
///
/// While a vehicle drives these are two or three. The oldest are given up as it moves on, so that a stay begins with its
/// first fix inside, however slowly the vehicle rolled in.
struct StayPointCandidate: Hashable, Sendable {
    /// Parts beyond these are joined: in the five minutes of a stay, to some ten seconds each.
    static let partsMax = 32

    private var parts: [StayPart] = []
    /// Of `parts`; kept, as every fix asks for it.
    private var mean: WeightedPosition?
    /// When the vehicle was seen last before these; nil where never.
    private(set) var before: Timestamp?

    init(after before: Timestamp? = nil) { self.before = before }

    var whole: StayPart? { parts.joined }

    /// That of `whole`.
    var middle: Coordinate? { mean?.position }

    /// The time of the first fix; nil where there is none.
    var first: Timestamp? { parts.first?.first }
    /// The time of the last fix; nil where there is none.
    var last: Timestamp? { parts.last?.last }

    /// The stay of a vehicle that goes no farther: without what lies beyond the radius from where it is now, as its middle
    /// would come to lie there.
    func settled(within radius: Metres) -> StayPointCandidate {
        var settled = self
        while let first = settled.parts.first, let now = settled.parts.last,
            first.middle.distance(to: now.middle) > radius
        {
            settled.dropFirst()
        }
        return settled
    }

    /// How fast the vehicle moved of late, over at least `span`; nil where it has not been here for so long.
    func speed(over span: Seconds) -> MetresPerSecond? {
        guard let now = parts.last,
            let then = parts.last(where: { now.midTime.since($0.midTime) >= span && now.first > $0.last })
        else { return nil }
        return then.middle.distance(to: now.middle) / now.midTime.since(then.midTime)
    }

    /// Takes in what comes next, and gives up what is too far from the middle for it.
    ///
    /// - Parameter earlier: what came just before it, if that has not been taken in.
    mutating func append(_ next: StayPart, after earlier: StayPart? = nil, within radius: Metres) {
        if let earlier { add(earlier) }
        add(next)
        while !liesWithin(radius) { dropFirst() }
        if parts.count > Self.partsMax { joinShortest() }
    }

    private mutating func add(_ part: StayPart) {
        parts.append(part)
        if mean == nil { mean = part.middle.mean } else { mean?.merge(part.middle.mean) }
    }

    /// The whole, where it has lasted for a visit.
    ///
    /// A vehicle that creeps on is not staying: what it has behind it is given up until the rest moves slower than
    /// `VisitSettings.creepMax`.
    mutating func visit(_ settings: VisitSettings) -> StayPart? {
        while let first, let last, last.since(first) >= settings.duration, let whole {
            if progress(of: whole) <= settings.creepMax { return whole }
            dropFirst()
        }
        return nil
    }

    private func liesWithin(_ radius: Metres) -> Bool {
        guard let middle else { return true }
        let disc = Disc(center: middle, radius: radius)
        return parts.allSatisfy { disc.contains($0.middle.position) }
    }

    private mutating func dropFirst() {
        before = parts.removeFirst().last
        mean = parts.mean
    }

    /// How fast the middle of the older half becomes that of the younger one. The speed from one fix to the next would
    /// not do: at rest it is all noise.
    private func progress(of whole: StayPart) -> MetresPerSecond {
        let older = parts.prefix { $0.last <= whole.midTime }
        guard let a = older.joined, let b = parts.dropFirst(older.count).joined else { return 0 }
        return a.middle.distance(to: b.middle) / b.midTime.since(a.midTime)
    }

    /// Joins the two neighbours that are the shortest together, so that all stay about as long.
    private mutating func joinShortest() {
        let spans = zip(parts, parts.dropFirst()).map { $1.last.since($0.first) }
        guard let shortest = spans.indices.min(by: { spans[$0] < spans[$1] }) else { return }
        parts[shortest].append(parts.remove(at: shortest + 1))
        mean = parts.mean
    }
}

extension StayPointCandidate: BinaryRecord {
    static var placeholder: Self { StayPointCandidate() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&parts)
        try coder.code(&before)
        mean = parts.mean
    }
}
