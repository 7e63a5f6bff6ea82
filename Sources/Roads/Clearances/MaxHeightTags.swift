public import Clearances

/// The height tags of one way or node, read for each direction.
///
/// `maxheight` with any of the suffixes below, in any combination; other suffixes (`:note`, `:bus`) say nothing
/// about a truck's limit. https://wiki.openstreetmap.org/wiki/Key:maxheight
public struct MaxHeightTags: Hashable, Sendable {
    /// One tag that says something about the height.
    public struct Tag: Hashable, Sendable {
        public var key: String
        public var value: String
        public var reading: ClearanceReading
        var direction: Direction
    }

    enum Direction: Sendable { case both, forward, backward }

    public private(set) var tags: [Tag] = []
    /// When somebody looked last, or edited the object last, as `YYYY-MM-DD`; empty: not known.
    public private(set) var date: String

    /// What exports of OSM data (osmium, Overpass) call the time of an object's last edit, which is no tag there.
    public static let lastEditKey = "@timestamp"

    /// https://wiki.openstreetmap.org/wiki/Key:check_date
    static let checkDateKey = "check_date:maxheight"

    private static let suffixes: Set<Substring> = [
        "physical", "signed", "legal", "hgv", "forward", "backward", "lanes", "conditional",
    ]

    /// - Parameter tags: all tags of the object; order does not matter.
    public init(_ tags: [String: String]) {
        date = tags[Self.checkDateKey] ?? tags[Self.lastEditKey] ?? ""
        for (key, value) in tags where key.hasPrefix("maxheight") {
            guard let direction = Self.direction(key) else { continue }
            self.tags.append(Tag(key: key, value: value, reading: ClearanceReading(value), direction: direction))
        }
        self.tags.sort { $0.key < $1.key }
    }

    /// A height restrictor without a height stands there for a reason: its height is unknown, not unlimited.
    public init(ofNode tags: [String: String]) {
        self.init(tags)
        guard isEmpty, tags["barrier"] == "height_restrictor" else { return }
        self.tags = [Tag(key: "barrier", value: "height_restrictor", reading: .unknown, direction: .both)]
    }

    public var isEmpty: Bool { tags.isEmpty }

    /// What holds for a vehicle that drives along (`forward`) or against the order of the way's nodes, and the tag
    /// that decides; nil where nothing is tagged for that direction.
    public func deciding(forward: Bool) -> Tag? {
        let against: Direction = forward ? .backward : .forward
        let valid = tags.filter { $0.direction != against }
        guard let first = valid.first else { return nil }
        let merged = valid.dropFirst().reduce(first.reading) { $0.merged(with: $1.reading) }
        return valid.first { $0.reading == merged }
    }

    /// The same, each tag holding for both directions.
    var withoutDirections: MaxHeightTags {
        var both = self
        for index in both.tags.indices { both.tags[index].direction = .both }
        return both
    }

    private static func direction(_ key: String) -> Direction? {
        let parts = key.split(separator: ":", omittingEmptySubsequences: false)
        guard parts[0] == "maxheight", parts.dropFirst().allSatisfy(suffixes.contains) else { return nil }
        if parts.contains("forward") { return .forward }
        return parts.contains("backward") ? .backward : .both
    }
}
