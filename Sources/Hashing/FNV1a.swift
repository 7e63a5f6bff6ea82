/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): the same bytes give the same value in every version and on every machine.
///
/// Not cryptographic: whoever chooses the bytes can choose the value. Inlined, since other modules would ask a sequence for each
/// byte through its protocol.
public struct FNV1a: Sendable {
    public var value: UInt64 { state }
    @usableFromInline var state: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    @inlinable
    public init(_ bytes: some Sequence<UInt8>) {
        self.init()
        combine(bytes)
    }

    @inlinable
    public mutating func combine(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    @inlinable
    public mutating func combine(_ bytes: some Sequence<UInt8>) {
        // Texts have theirs side by side, and would look for each anew.
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { for byte in $0 { combine(byte) } }
        if isDone == nil { for byte in bytes { combine(byte) } }
    }
}
