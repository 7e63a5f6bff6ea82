import Algorithms
import Geo
import Hashing
import Messages

/// How one vehicle stands to the fences it has to do with.
struct FenceState: Hashable, Sendable {
    /// Up to which fence, by serial, its side has been determined. Of most that it is outside of it was told nothing.
    var determined = 0
    /// The groups that it belonged to then.
    var groups: [String] = []
    /// Fences that it is inside of, or at whose border it is not clear where it is; by id.
    var borders: [Border] = []
    /// Up to when the vehicle has been followed with regard to all fences; nil: it never was.
    private(set) var followedTo: Timestamp?
    /// Whether it moves or stands.
    var motion = MotionEvidence()
    /// Where the vehicle comes to no border but those in doubt. Not stored.
    var borderFree: BorderFreeCircle?

    init() {}

    /// One fence that the vehicle is inside of, or may be.
    struct Border: Hashable, Sendable {
        @BytewiseText var fence: String
        var serial: Int
        /// Since when the vehicle is inside; nil: it is outside.
        var since: Timestamp?
        /// Whether it has been told of as having stayed.
        var isDwellTold = false
        /// Signs that it is on the other side.
        @Rare var evidence: CrossingEvidence?

        /// Whether it is not clear on which side the vehicle is.
        var isInDoubt: Bool { !_evidence.isEmpty }

        /// Whether it says nothing: the vehicle is outside, without doubt.
        var isIdle: Bool { since == nil && !isInDoubt }
    }

    /// Fences it is inside of, by id.
    var stays: [FenceStay] {
        borders.compactMap { border in border.since.map { FenceStay(fence: border.fence, since: $0) } }
    }

    /// As of when `stays` is complete: what is not among them the vehicle was outside of then. At a border in doubt nothing is
    /// settled since the fixes first said that it was crossed.
    var asOf: Timestamp? {
        followedTo.map { end in borders.compactMap(\.evidence).reduce(end) { min($0, $1.crossing.time) } }
    }

    /// Notes that the vehicle's sides hold up to a time.
    mutating func follow(to time: Timestamp) { followedTo = max(followedTo ?? time, time) }

    /// Whether it is not clear at any border on which side the vehicle is.
    @inline(__always)
    var isInDoubt: Bool { borders.contains(where: \.isInDoubt) }

    /// Whether the borders are those of these fences.
    @inline(__always)
    func hasBorders(of fences: [BytewiseText]) -> Bool {
        borders.count == fences.count && borders.indices.allSatisfy { borders[$0].$fence == fences[$0] }
    }

    /// Position in `borders`. Among a few, serials find it sooner than ids do.
    func index(of fence: KnownFence) -> Int? { index(of: fence.fence.$id, serial: fence.serial) }

    private func index(of fence: BytewiseText, serial: Int) -> Int? {
        guard borders.count > Self.fewBorders else {
            return borders.indices.first { borders[$0].serial == serial && borders[$0].$fence == fence }
        }
        return index(of: fence).flatMap { borders[$0].serial == serial ? $0 : nil }
    }

    private static let fewBorders = 64

    /// Nil: the vehicle is outside.
    func border(at fence: KnownFence) -> Border? { index(of: fence).map { borders[$0] } }

    /// Whether it is clear that the vehicle is on that side of a fence's border.
    func isSettled(at fence: KnownFence, isInside: Bool) -> Bool {
        guard let index = index(of: fence) else { return !isInside }
        return !borders[index].isInDoubt && (borders[index].since != nil) == isInside
    }

    /// Lets go of borders by their fences' serials.
    mutating func removeBorders(where isOver: (_ serial: Int) -> Bool) {
        guard borders.contains(where: { isOver($0.serial) }) else { return }
        borders.removeAll { isOver($0.serial) }
        borderFree = nil
    }

    /// The vehicle belongs to other groups: lets go of borders of fences that concern it no longer. Should it come back to them, its
    /// side is determined anew.
    mutating func leave(to groups: [String], concerns: (_ serial: Int, _ groups: [String]) -> Bool) {
        guard groups != self.groups, borders.contains(where: { !concerns($0.serial, groups) }) else { return }
        borders.removeAll { !concerns($0.serial, groups) }
        borderFree = nil
        self.groups.removeAll { !groups.contains($0) }
    }

    /// Keeps a border; one that says nothing is let go.
    mutating func set(_ border: Border) {
        if !border.isInDoubt { borderFree = nil }
        if let index = index(of: border.$fence, serial: border.serial) ?? index(of: border.$fence) {
            if border.isIdle { borders.remove(at: index) } else { borders[index] = border }
        } else if !border.isIdle {
            borders.insert(border, at: place(of: border.$fence))
        }
    }

    /// Lets go of fences that are there no longer, or not as they were.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    mutating func forgetGone(_ catalogue: FenceCatalogue) -> Bool {
        let count = borders.count
        borders.removeAll(where: catalogue.isGone)
        borderFree = nil
        return borders.count < count
    }

    /// Whether a fence at whose border the vehicle stands is no more, or not as it was.
    func hasGone(_ catalogue: FenceCatalogue) -> Bool { borders.contains(where: catalogue.isGone) }

    private func index(of fence: BytewiseText) -> Int? {
        let place = place(of: fence)
        return place < borders.count && borders[place].$fence == fence ? place : nil
    }

    /// Where it stands among `borders`, or would.
    private func place(of fence: BytewiseText) -> Int { borders.partitioningIndex { $0.$fence >= fence } }
}

/// A circle in which no border lies that concerns a vehicle, and of each of those fences it is without doubt on which side the
/// vehicle is. The borders that are in doubt are left out, as long as they are.
struct BorderFreeCircle: Hashable, Sendable {
    var circle: Circle
    /// The revision of the fences by which it was found.
    var revision: Int
    /// From then on other fences may be in force; nil: they stay the same.
    var until: Timestamp?
}

extension FenceState: BinaryRecord {
    static var placeholder: Self { FenceState() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&determined)
        try coder.code(&groups)
        try coder.code(&borders)
        // Stores have had them in the order of `String`, which takes canonically equivalent texts for the same.
        borders.sort { $0.$fence < $1.$fence }
        try coder.code(&followedTo)
        try coder.code(&motion)
    }
}
