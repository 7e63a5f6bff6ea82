public import Geo
public import Hashing

/// A circle that a device is asked to watch itself.
public struct Region: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable {
        case fence, clearance, quiet
    }

    @BytewiseText public var id: String
    public var circle: Circle
    public var kind: Kind

    public init(id: String, circle: Circle, kind: Kind) {
        self.id = id
        self.circle = circle
        self.kind = kind
    }
}

/// The regions that matter most to a vehicle where it is.
public struct RegionsMessage: Hashable, Sendable, Codable {
    public var id: String
    /// Counts up with each change of the set.
    public var version: Int
    public var time: Timestamp
    /// How many the device can watch.
    public var limit: Int
    /// Nearest border first.
    public var regions: [Region]
    /// Ids, against the version before.
    public var added: [String]
    public var removed: [String]

    public init(
        id: String, version: Int, time: Timestamp, limit: Int, regions: [Region], added: [String], removed: [String]
    ) {
        self.id = id
        self.version = version
        self.time = time
        self.limit = limit
        self.regions = regions
        self.added = added
        self.removed = removed
    }
}
