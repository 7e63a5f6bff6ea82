import BinaryCoding

extension Bool: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(byte: self ? 1 : 0) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let byte = try decoder.byte()
        guard byte <= 1 else { throw decoder.unreadable("0 or 1") }
        self = byte == 1
    }
}

extension Int64: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(signed: self) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) { self = try decoder.signed() }
}

extension Int: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(signed: Int64(self)) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) { self = Int(try decoder.signed()) }
}

extension Double: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(self) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) { self = try decoder.double() }
}

extension String: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(text: self) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) { self = try decoder.text() }
}

/// By their names, so that cases may change their order.
extension BinaryCodable where Self: RawRepresentable, RawValue == String {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(text: rawValue) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let text = try decoder.text()
        guard let value = Self(rawValue: text) else { throw decoder.unreadable("\(Self.self)") }
        self = value
    }
}

extension Optional: BinaryCodable where Wrapped: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        encoder.append(byte: self == nil ? 0 : 1)
        if let self { self.encode(to: &encoder) }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        self = try Bool(from: &decoder) ? try Wrapped(from: &decoder) : nil
    }
}

extension Array: BinaryCodable where Element: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        encoder.append(number: UInt64(count))
        for element in self { element.encode(to: &encoder) }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let count = try decoder.length()
        self = []
        reserveCapacity(count)
        for _ in 0..<count { append(try Element(from: &decoder)) }
    }
}
