import Hashing

/// When something falls due for a vehicle, in the order in which that is found: by time, and at one moment by the part of
/// all vehicles that the vehicle is in. So what falls due for many at one moment can be divided, and what says how far time
/// has passed names none of them.
public struct DueTime: Hashable, Comparable, Sendable {
    public var time: Timestamp
    /// One of 256, each with about as many of the vehicles.
    public var part: UInt8

    /// - Parameter part: the last one unless given: with it, all that falls due at `time` has.
    public init(_ time: Timestamp, part: UInt8 = .max) { (self.time, self.part) = (time, part) }

    /// A vehicle is in the same part in every version and on every machine.
    public init(_ time: Timestamp, of vehicle: VehicleID) {
        // Mixed, as the vehicles of a shard are those of some values of this hash.
        let hash = SplitMix64.mix(FNV1a(vehicle.text.utf8).value)
        self.init(time, part: UInt8(truncatingIfNeeded: hash))
    }

    public static func < (a: DueTime, b: DueTime) -> Bool { (a.time, a.part) < (b.time, b.part) }
}
