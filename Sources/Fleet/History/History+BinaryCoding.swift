public import BinaryCoding

extension HazardHistory {
    /// The first byte: what follows, and how.
    private static let binaryFormat: UInt8 = 1
    /// Of a row at most, but for a few.
    private static let bytesUsual = 20

    /// All of it that is stored.
    public func encoded() -> [UInt8] {
        encoded(format: Self.binaryFormat, capacity: rows.count * Self.bytesUsual)
    }

    /// - Parameter bytes: what `encoded()` gave.
    /// - Throws: where they are of another format, or damaged.
    public init(encoded bytes: [UInt8]) throws(BinaryCodingError) {
        try self.init(encoded: bytes, format: Self.binaryFormat)
    }
}

extension HazardHistory: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        additions.encode(to: &encoder)
        rows.encode(to: &encoder)
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let additions = try decoder.decode(UInt32.self)
        self.init(rows: try decoder.decode([Row].self).sorted(by: <), additions: additions)
    }
}

extension HazardHistory.Row: BinaryRecord {
    static var placeholder: Self { Self(place: 0, clearance: 0, count: HazardHistory.Count()) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&place)
        try coder.code(&clearance)
        try coder.code(&count.passes)
        try coder.code(&count.besides)
        try coder.code(&seen)
    }
}

extension HazardPassages: BinaryRecord {
    static var placeholder: Self { HazardPassages() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&recent)
        try coder.code(&visits)
        try coder.code(&under)
        try coder.code(&end)
        try coder.code(&alertedAt)
        try coder.code(&isFollowed)
    }
}

extension HazardPassages.Edge: BinaryRecord {
    static var placeholder: Self { Self(edge: 0, start: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&edge)
        try coder.code(&start)
    }
}

extension HazardPassages.Visit: BinaryRecord {
    static var placeholder: Self { Self(edge: 0, fromEarlier: 0, end: 0, isFree: false) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&edge)
        try coder.code(&fromEarlier)
        try coder.code(&end)
        try coder.code(&isFree)
    }
}

extension HazardPassages.Mark: BinaryRecord {
    static var placeholder: Self { Self(clearance: 0, place: 0, isTooLow: false) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&clearance)
        try coder.code(&place)
        try coder.code(&isTooLow)
    }
}

extension UInt64: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(number: self) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) { self = try decoder.number() }
}

extension UInt32: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) { encoder.append(number: UInt64(self)) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let number = try decoder.number()
        guard let value = UInt32(exactly: number) else { throw decoder.unreadable("a number below 2³²") }
        self = value
    }
}
