/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): the same bytes give the same value in every version and on every machine.
///
/// Not cryptographic: whoever chooses the bytes can choose the value.
public struct FNV1a: Sendable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    public init(_ bytes: some Sequence<UInt8>) { combine(bytes) }

    public mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    public mutating func combine(_ bytes: some Sequence<UInt8>) { for byte in bytes { combine(byte) } }
}
