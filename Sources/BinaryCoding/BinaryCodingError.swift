/// Why bytes cannot be read.
public enum BinaryCodingError: Error, Hashable, CustomStringConvertible {
    /// The first byte names a format that this version does not have; nil: there is none.
    case unknownFormat(UInt8?, expected: UInt8)
    case cutOff(offset: Int)
    /// Bytes are left that nobody reads.
    case tooLong(offset: Int)
    /// - Parameter expected: what should stand at the offset, as a noun.
    case unreadable(expected: String, offset: Int)

    public var description: String {
        switch self {
        case .unknownFormat(let byte, let expected):
            "expected format \(expected), got \(byte.map(String.init) ?? "nothing")"
        case .cutOff(let offset): "expected more bytes, got the end at byte \(offset)"
        case .tooLong(let offset): "expected the end, got more bytes at byte \(offset)"
        case .unreadable(let expected, let offset): "expected \(expected) at byte \(offset), got something else"
        }
    }
}
