import BinaryCoding

/// What can be written as bytes and read from them.
///
/// The bytes hold values only, in a fixed order. Names of members, as `Codable` writes them, cost forty times as much as
/// what they name. Another order, or another member, is another format, which the first byte of whatever is stored says.
protocol BinaryCodable {
    func encode(to encoder: inout BinaryEncoder)
    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError)
}

/// A type that is written as its members, one after the other: one function names them for writing and for reading.
protocol BinaryRecord: BinaryCodable {
    /// What reading begins with: `code` replaces every member that is written, and leaves the others as they are here.
    static var placeholder: Self { get }

    /// Calls `coder.code` for each member, in the order of the bytes.
    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure)
}

/// Either of `BinaryEncoder`, which leaves members as they are, and `BinaryDecoder`, which replaces them.
protocol BinaryCoder {
    associatedtype Failure: Error

    mutating func code<Value: BinaryCodable>(_ value: inout Value) throws(Failure)
}

extension BinaryRecord {
    func encode(to encoder: inout BinaryEncoder) {
        var copy = self
        copy.code(with: &encoder)
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        self = .placeholder
        try code(with: &decoder)
    }
}

extension BinaryEncoder: BinaryCoder {
    mutating func code<Value: BinaryCodable>(_ value: inout Value) throws(Never) { value.encode(to: &self) }
}

extension BinaryDecoder: BinaryCoder {
    mutating func code<Value: BinaryCodable>(_ value: inout Value) throws(BinaryCodingError) {
        value = try Value(from: &self)
    }

    mutating func decode<Value: BinaryCodable>(_: Value.Type = Value.self) throws(BinaryCodingError) -> Value {
        try Value(from: &self)
    }
}

extension BinaryCodable {
    /// What is stored: a byte that names the format, and the value.
    func encoded(format: UInt8, capacity: Int) -> [UInt8] {
        var encoder = BinaryEncoder(capacity: capacity)
        encoder.append(byte: format)
        encode(to: &encoder)
        return encoder.bytes
    }

    /// - Throws: where the bytes are of another format, or damaged.
    init(encoded bytes: [UInt8], format: UInt8) throws(BinaryCodingError) {
        guard bytes.first == format else { throw .unknownFormat(bytes.first, expected: format) }
        self = try bytes.withUnsafeBytes { bytes in
            Result { () throws(BinaryCodingError) in
                var decoder = BinaryDecoder(bytes)
                _ = try decoder.byte()
                let value = try Self(from: &decoder)
                try decoder.finish()
                return value
            }
        }.get()
    }
}
