public import BinaryCoding
import Compression
import Messages

/// A vehicle as it is stored, and as it is kept while it is at rest.
extension Vehicle {
    /// All of it that is stored: what `encoded` gives, compressed.
    public func state() -> [UInt8] { VehicleState.compression.compressed(encoded()) }

    /// - Parameter state: what `state()` gave; stores have had states that were not compressed.
    /// - Throws: where it is of another format, or damaged.
    public init(state: [UInt8]) throws(BinaryCodingError) {
        try self.init(encoded: try VehicleState.encoded(state))
    }
}

extension VehicleAddress {
    /// That of the vehicle whose state it is.
    init(state: [UInt8]) throws(BinaryCodingError) { try self.init(startOf: try VehicleState.encoded(state)) }
}

private enum VehicleState {
    /// Stores hold what it has compressed: it stays as it is.
    static let compression = Compression(sample: sample)

    /// What a parked vehicle gave in format 5: what numbers and texts repeat, and where it holds nothing.
    private static let sample: [UInt8] = bytes(
        hex: """
            050454313032000000000000017784d38217814740ff05820019aa1340b0c1bfd0c46801000000000000144000000008696e74657276616c0001e092f6cfc468
            000000000000000000010000000000c88240000000010000000000000100000000000000017784d38217814740ff05820019aa1340b0c1bfd0c4680100000000
            0000144000000008696e74657276616c0001b0c1bfd0c46801b0c1bfd0c4680001b0c1bfd0c46801bcc69bd2c4680000000001b0c1bfd0c46801e092f6cfc468
            017784d38217814740ff05820019aa13400400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
            000000027784d38217814740ff05820019aa1340e092f6cfc4687784d38217814740ff05820019aa1340b0c1bfd0c46800000110336565383336393631303738
            393430300200e092f6cfc468b0c1bfd0c4687784d38217814740ff05820019aa134000047b14ae47e17ab43f0000000000000000000000000000000000000001
            b0c1bfd0c4680000000000c88240000000000000017784d38217814740ff05820019aa1340000000000000000000f07f000000010f6865696768742d72657175
            69726564c0e7f9cfc46801103531656161346464613462373233663608f0bdd5d0c4680000b80607617373756d656407617373756d656406616c776179730001
            b0c1bfd0c4680002116e6f2d636c656172616e63652d646174610e7374616c652d706f736974696f6e0001e092f6cfc468
            """)

    private static func bytes(hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    static func encoded(_ state: [UInt8]) throws(BinaryCodingError) -> [UInt8] {
        guard Compression.isFrame(state) else { return state }
        guard let bytes = compression.decompressed(state) else {
            throw .unreadable(expected: "a frame of Zstandard", offset: 0)
        }
        return bytes
    }
}
