import BinaryCoding

/// What a vehicle's device has shown of itself.
struct DeviceTraits: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// Its clock is off at the newest fix, or is ahead.
    static let clockSkewed = DeviceTraits(rawValue: 1)
    /// It has told the speed of a vehicle that moves.
    static let tellsSpeed = DeviceTraits(rawValue: 2)
}

extension DeviceTraits: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(byte: rawValue) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        rawValue = try decoder.byte()
        guard rawValue <= 3 else { throw decoder.unreadable("what a device has shown, 0 to 3") }
    }
}
