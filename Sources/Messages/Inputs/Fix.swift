public import Geo

/// One position of a vehicle as it was received; judged by `FixFilter` before it is used.
///
/// Without references, so that to copy it is to copy its bytes.
public struct Fix: Hashable, Sendable, Codable {
    /// What made the device report.
    public enum Trigger: String, Sendable, Codable, CaseIterable {
        case interval, enter, exit
    }

    public var position: Coordinate
    public var time: Timestamp
    /// Radius of the 68 % circle; nil where the device does not say.
    public var accuracy: Metres?
    public var speed: MetresPerSecond?
    /// Direction of travel; meaningless, and ignored, where the vehicle hardly moves.
    public var course: Degrees?
    public var altitude: Metres?
    public var trigger: Trigger
    /// The device's own region that woke it, with `enter` and `exit`.
    public var region: RegionKey?

    public init(
        position: Coordinate, time: Timestamp, accuracy: Metres? = nil, speed: MetresPerSecond? = nil,
        course: Degrees? = nil, altitude: Metres? = nil, trigger: Trigger = .interval, region: RegionKey? = nil
    ) {
        self.position = position
        self.time = time
        self.accuracy = accuracy
        self.speed = speed
        self.course = course
        self.altitude = altitude
        self.trigger = trigger
        self.region = region
    }
}
