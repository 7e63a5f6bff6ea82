public import BinaryCoding
import Hashing
public import Messages
public import Roads

/// What the engine was given in one batch for vehicles that were not written then, so that it can be done again after a crash:
/// a redo record. The engine is deterministic, so that it comes to the same.
public struct JournalRecord: Hashable, Sendable {
    /// Ticks and fixes, in the order in which they were handled.
    public internal(set) var inputs: [Input]
    /// Keys of the messages that were stored with it: what is caused again is not published again.
    public internal(set) var published: [UInt64]
    /// Turns of all vehicles: also those that are not driven again have to count.
    public internal(set) var turns: [TurnCounts.Row]

    /// - Parameters:
    ///   - inputs: those of the batch; what is neither a tick nor a fix is left out.
    ///   - effects: what they led to.
    ///   - isRecorded: of which vehicles it is to hold anything.
    public init(_ inputs: [Input], _ effects: Effects, of isRecorded: (VehicleID) -> Bool) {
        self.inputs = inputs.filter { input in
            switch input {
            case .tick: true
            case .report(.location, let address, _): isRecorded(address.vehicle)
            case .report, .clearances, .fences, .forget: false
            }
        }
        published = effects.envelopes.filter { isRecorded($0.address.vehicle) }.map(\.message.key)
        turns = effects.turns
    }

    /// Without anything of some vehicles; turns name none.
    public func removing(_ isRemoved: (VehicleID) -> Bool) -> JournalRecord {
        var rest = self
        rest.inputs.removeAll { input in
            if case .report(_, let address, _) = input { isRemoved(address.vehicle) } else { false }
        }
        return rest
    }

    /// When the batch was decided; nil where it had no tick.
    public var time: Timestamp? {
        inputs.lazy.compactMap { if case .tick(let time) = $0 { time } else { nil } }.first
    }

    /// The first byte: what follows, and how.
    private static let binaryFormat: UInt8 = 1
    /// Of a fix, about.
    private static let bytesUsual = 80

    public func encoded() -> [UInt8] {
        encoded(format: Self.binaryFormat, capacity: inputs.count * Self.bytesUsual)
    }

    /// - Parameter bytes: what `encoded()` gave.
    /// - Throws: where they are of another format, or damaged.
    public init(encoded bytes: [UInt8]) throws(BinaryCodingError) {
        try self.init(encoded: bytes, format: Self.binaryFormat)
    }
}

extension JournalRecord: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        encoder.append(number: UInt64(inputs.count))
        for input in inputs { Self.encode(input, to: &encoder) }
        encoder.append(number: UInt64(published.count))
        for key in published { encoder.append(number: key) }
        turns.encode(to: &encoder)
    }

    private static func encode(_ input: Input, to encoder: inout BinaryEncoder) {
        switch input {
        case .tick(let time):
            encoder.append(byte: 0)
            time.encode(to: &encoder)
        case .report(.location(let fixes), let address, let receivedAt):
            encoder.append(byte: 1)
            address.encode(to: &encoder)
            receivedAt.encode(to: &encoder)
            fixes.encode(to: &encoder)
        case .report, .clearances, .fences, .forget:
            preconditionFailure("A record holds ticks and fixes.")
        }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        inputs = []
        for _ in 0..<(try decoder.length()) { inputs.append(try Self.input(&decoder)) }
        published = []
        for _ in 0..<(try decoder.length()) { published.append(try decoder.number()) }
        turns = try decoder.decode()
    }

    private static func input(_ decoder: inout BinaryDecoder) throws(BinaryCodingError) -> Input {
        switch try decoder.byte() {
        case 0: return .tick(try decoder.decode())
        case 1:
            let address: VehicleAddress = try decoder.decode()
            let receivedAt: Timestamp = try decoder.decode()
            return .report(.location(try decoder.decode()), from: address, receivedAt: receivedAt)
        default: throw decoder.unreadable("a tick or a report")
        }
    }
}

extension TurnCounts.Row: BinaryRecord {
    static var placeholder: Self { Self(arriving: .placeholder, next: .placeholder, count: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&arriving)
        try coder.code(&next)
        try coder.code(&count)
    }
}

extension Message {
    /// Tells messages apart, by id and sequence: equal ones are the same message, however often it is caused.
    public var key: UInt64 {
        let (id, sequence): (String, Int) =
            switch self {
            case .alert(let message): (message.id, message.sequence)
            case .visit(let message): (message.id, message.sequence)
            case .state(let message): (message.id, message.sequence)
            case .routeCheck(let message): (message.id, 0)
            case .event(let message): (message.id, 0)
            case .regions(let message): (message.id, 0)
            case .tracking(let message): (message.id, 0)
            case .request(let message): (message.id, 0)
            }
        var hash = FNV1a(id.utf8)
        withUnsafeBytes(of: sequence.littleEndian) { hash.combine($0) }
        return hash.value
    }
}
