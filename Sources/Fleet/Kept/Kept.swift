import Messages

/// What is kept from one run of the gateway to the next, as bytes.
///
/// A vehicle is written anew with every batch that moves it, hundreds of thousands of times a minute: names of members, as
/// `Codable` writes them, cost forty times as much as what they name. What is written is read in the same order; another
/// order, or another member, is another `KeptWriter.format`.
protocol Kept {
    func keep(in writer: inout KeptWriter)
    init(kept reader: inout KeptReader) throws(KeptProblem)
}

/// Why kept bytes cannot be read.
public enum KeptProblem: Error, Hashable, CustomStringConvertible {
    /// It is of a later version, or nothing that this program has written.
    case unknownFormat(UInt8?)
    case cutOff(offset: Int)
    /// Bytes are left that nobody reads.
    case tooLong(offset: Int)
    case unreadable(String, offset: Int)

    public var description: String {
        switch self {
        case .unknownFormat(let byte):
            "its format is \(byte.map(String.init) ?? "missing"); this version reads \(KeptWriter.format)"
        case .cutOff(let offset): "it ends in the middle, at byte \(offset)"
        case .tooLong(let offset): "it goes on after its end, at byte \(offset)"
        case .unreadable(let what, let offset): "\(what) cannot be read at byte \(offset)"
        }
    }
}
