public import Geo

/// How a device may report: inside the circle not at all until the validity ends, outside of it regularly.
public struct TrackingMessage: Hashable, Sendable, Codable {
    public var id: String
    /// Counts up with each change.
    public var version: Int
    public var time: Timestamp
    /// Nil: there is none here, report regularly.
    public var quiet: Circle?
    /// Between two reports outside of the circle.
    public var reportInterval: Seconds
    public var validUntil: Timestamp

    public init(
        id: String, version: Int, time: Timestamp, quiet: Circle?, reportInterval: Seconds, validUntil: Timestamp
    ) {
        self.id = id
        self.version = version
        self.time = time
        self.quiet = quiet
        self.reportInterval = reportInterval
        self.validUntil = validUntil
    }
}
