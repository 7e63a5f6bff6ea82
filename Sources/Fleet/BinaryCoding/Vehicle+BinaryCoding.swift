public import BinaryCoding
import Geo
import Hashing
import Messages
import Roads

extension Vehicle {
    /// The first byte: which members follow, and in which order.
    static let binaryFormat: UInt8 = 5
    /// A truck that drives has about as many bytes; one at rest has fewer.
    private static let bytesUsual = 1024

    /// All of it that is stored: what cannot be found again after a restart.
    public func encoded() -> [UInt8] { encoded(format: Self.binaryFormat, capacity: Self.bytesUsual) }

    /// - Parameter bytes: what `encoded()` gave.
    /// - Throws: where they are of another format, or damaged.
    public init(encoded bytes: [UInt8]) throws(BinaryCodingError) {
        try self.init(encoded: bytes, format: Self.binaryFormat)
    }
}

extension Vehicle {
    /// Forgets what is derived and not stored, but for the ways that its route has led to, which would be the same: from there on it
    /// is as if it had been read from its bytes, which would take a multiple of the time.
    mutating func forgetDerived() {
        surroundings = nil
        for index in roads.indices { roads[index].candidate = nil }
        for index in alerts.indices { alerts[index].progress = nil }
        fences.borderFree = nil
        quiet.forgetDerived()
        regions.forgetBasis()
    }
}

extension VehicleAddress {
    /// The first member of a vehicle's bytes.
    init(startOf state: [UInt8]) throws(BinaryCodingError) {
        self = try state.withUnsafeBytes { bytes in
            Result { () throws(BinaryCodingError) in
                var decoder = BinaryDecoder(bytes)
                _ = try decoder.byte()
                return try decoder.decode()
            }
        }.get()
    }
}

extension Vehicle: BinaryRecord {
    static var placeholder: Self { Vehicle(address: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&address)
        try coder.code(&profile)
        try coder.code(&profileSince)
        try coder.code(&presence)
        try coder.code(&consent)
        try coder.code(&lastFix)
        try coder.code(&firstFix)
        try coder.code(&speed)
        try coder.code(&course)
        try coder.code(&gaps)
        try coder.code(&outliers)
        try coder.code(&device)
        try coder.code(&clock)
        try coder.code(&isPositionStale)
        try coder.code(&roads)
        try coder.code(&matchedAt)
        try coder.code(&passages)
        try coder.code(&guidance)
        try coder.code(&ordered)
        try coder.code(&fences)
        try coder.code(&visits)
        try coder.code(&quiet)
        try coder.code(&regions)
        try coder.code(&alerts)
        try coder.code(&quieted)
        try coder.code(&rest)
        try coder.code(&requests)
        try coder.code(&published)
    }
}

extension MatchedRoad: BinaryRecord {
    static var placeholder: Self { MatchedRoad(key: .placeholder, offset: 0, probability: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&key)
        try coder.code(&offset)
        try coder.code(&probability)
    }
}

extension OpenAlert: BinaryRecord {
    static var placeholder: Self {
        OpenAlert(
            subject: .straightLine(clearance: ""), last: .placeholder, text: .placeholder, toldAt: .placeholder)
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&subject)
        try coder.code(&last)
        try coder.code(&text)
        try coder.code(&idleSince)
        try coder.code(&idleAt)
        try coder.code(&passage)
        try coder.code(&acknowledged)
        try coder.code(&toldAt)
    }
}

extension OpenAlert.Subject: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        switch self {
        case .entry(let key):
            encoder.append(byte: 0)
            key.encode(to: &encoder)
        case .unknownEntry(let key):
            encoder.append(byte: 1)
            key.encode(to: &encoder)
        case .straightLine(let clearance):
            encoder.append(byte: 2)
            clearance.wrappedValue.encode(to: &encoder)
        }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        switch try decoder.byte() {
        case 0: self = .entry(try decoder.decode())
        case 1: self = .unknownEntry(try decoder.decode())
        case 2: self = .straightLine(clearance: BytewiseText(try decoder.text()))
        default: throw decoder.unreadable("the kind of an alert's subject, 0 to 2")
        }
    }
}

extension Standstill: BinaryRecord {
    static var placeholder: Self { Standstill(place: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&place)
    }
}

extension QuietedAlert: BinaryRecord {
    static var placeholder: Self {
        QuietedAlert(subject: .straightLine(clearance: ""), standstill: .placeholder, silence: .standing)
    }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&subject)
        try coder.code(&standstill)
        try coder.code(&silence)
        try coder.code(&structure)
    }
}

extension QuietedAlert.Silence: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        switch self {
        case .standing: encoder.append(byte: 0)
        case .passed(let farthest, let driven, let time):
            encoder.append(byte: 5)
            encoder.append(farthest)
            encoder.append(driven)
            time.encode(to: &encoder)
        case .left(let farthest):
            encoder.append(byte: 2)
            encoder.append(farthest)
        case .none: encoder.append(byte: 3)
        case .turnedOff(let farthest, let time):
            encoder.append(byte: 4)
            encoder.append(farthest)
            time.encode(to: &encoder)
        }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        switch try decoder.byte() {
        case 0: self = .standing
        // Stores have had records without the road driven, and without the time.
        case 1: self = .passed(farthest: try decoder.double())
        case 2: self = .left(farthest: try decoder.double())
        case 3: self = .none
        case 4: self = .turnedOff(farthest: try decoder.double(), at: try decoder.decode())
        case 5:
            self = .passed(
                farthest: try decoder.double(), driven: try decoder.double(), at: try decoder.decode())
        default: throw decoder.unreadable("why an alert is not raised again, 0 to 5")
        }
    }
}

extension Rest: BinaryRecord {
    static var placeholder: Self { Rest(standstill: .placeholder, since: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&standstill)
        try coder.code(&since)
    }
}

extension FenceState.Border: BinaryRecord {
    static var placeholder: Self { FenceState.Border(fence: "", serial: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&fence)
        try coder.code(&serial)
        try coder.code(&since)
        try coder.code(&isDwellTold)
        try coder.code(&evidence)
    }
}

extension BorderCrossing: BinaryRecord {
    static var placeholder: Self { BorderCrossing(position: .placeholder, time: .placeholder, isInterpolated: false) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&position)
        try coder.code(&time)
        try coder.code(&isInterpolated)
    }
}

extension QuietCircle: BinaryRecord {
    static var placeholder: Self { QuietCircle(circle: .placeholder, validUntil: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&circle)
        try coder.code(&validUntil)
    }
}

extension QuietSilence: BinaryRecord {
    static var placeholder: Self { QuietSilence(circle: .placeholder, end: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&circle)
        try coder.code(&end)
    }
}
