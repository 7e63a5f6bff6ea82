import Geo

/// How one vehicle stands to the fences it has to do with.
struct FenceStanding: Hashable, Sendable, Decodable {
    /// Up to which fence, by serial, it has been told whether it is inside.
    var determined = 0
    /// The groups that it belonged to then.
    var groups: [String] = []
    /// Fences that it is inside of, or at whose border it is not clear where it is; by id.
    var borders: [Border] = []
    /// Whether it moves or stands.
    var motion = MotionEvidence()

    private enum CodingKeys: CodingKey { case determined, groups, borders }

    /// One fence that the vehicle is inside of, or may be.
    struct Border: Hashable, Sendable, Decodable {
        var fence: String
        var serial: Int
        /// Since when the vehicle is inside; nil: it is outside.
        var since: Timestamp?
        /// Whether it has been told of as having stayed.
        var isDwellTold = false
        /// Signs that it is on the other side.
        var doubt: BorderDoubt?
    }

    /// Fences it is inside of, by id.
    var stays: [FenceStay] {
        borders.compactMap { border in border.since.map { FenceStay(fence: border.fence, since: $0) } }
    }

    func border(of fence: KnownFence) -> Border? {
        index(of: fence.fence.id).flatMap { borders[$0].serial == fence.serial ? borders[$0] : nil }
    }

    /// Keeps a border; one that says nothing is let go.
    mutating func set(_ border: Border) {
        let isIdle = border.since == nil && border.doubt == nil
        if let index = index(of: border.fence) {
            if isIdle { borders.remove(at: index) } else { borders[index] = border }
        } else if !isIdle {
            let index = borders.firstIndex { $0.fence > border.fence } ?? borders.count
            borders.insert(border, at: index)
        }
    }

    /// Lets go of fences that are there no longer, or not as they were.
    mutating func forgetGone(_ catalogue: FenceCatalogue) {
        borders.removeAll { catalogue.known[$0.fence]?.serial != $0.serial }
    }

    private func index(of fence: String) -> Int? { borders.firstIndex { $0.fence == fence } }
}

/// A fence that a vehicle is inside of.
public struct FenceStay: Hashable, Sendable, Codable {
    public var fence: String
    public var since: Timestamp

    public init(fence: String, since: Timestamp) {
        self.fence = fence
        self.since = since
    }
}
