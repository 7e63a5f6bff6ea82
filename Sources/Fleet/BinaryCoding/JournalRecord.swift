public import BinaryCoding
import Hashing
public import Messages
public import Roads

/// What the engine was given in one batch for vehicles that were not written then, so that it can be done again after a crash:
/// a redo record. The engine is deterministic, so that it comes to the same.
public struct JournalRecord: Hashable, Sendable {
    /// What was handled, in its order.
    public enum Step: Hashable, Sendable {
        /// - until: nil: all that fell due.
        case tick(Timestamp, until: DueTime?)
        /// What follows had waited.
        case backlog(at: Timestamp)
        /// - turns: that the vehicle was found to have driven by them.
        case fixes([Fix], from: VehicleAddress, receivedAt: Timestamp, turns: [TurnCounts.Row])
        /// Of vehicles that are not recorded; they count for the others.
        case turns([TurnCounts.Row])
        /// Not judged yet: it waits for what the broker retains about its vehicle. Where that is no fix, the vehicle's next ones do.
        case held(HeldReport, from: VehicleAddress, receivedAt: Timestamp)
        /// What was held of the vehicle is judged, or refused, with this batch.
        case released(VehicleID)
    }

    public internal(set) var steps: [Step]
    /// Keys of the messages that were stored with it: what is caused again is not published again.
    public internal(set) var published: [UInt64]

    /// - Parameters:
    ///   - inputs: of the batch.
    ///   - effects: what they led to.
    ///   - released: vehicles whose fixes were held by earlier records and are no longer.
    ///   - held: reports that are not judged with the batch.
    ///   - isRecorded: of which vehicles it is to hold anything that was judged.
    public init(
        _ inputs: [Input], _ effects: Effects, released: [VehicleID] = [], held: [Input] = [],
        of isRecorded: (VehicleID) -> Bool
    ) {
        // Only fixes lead to turns: where a vehicle was passed over, there is no place before the one that it is at.
        var turn = 0
        steps = inputs.enumerated().compactMap { position, input in
            let first = turn
            while turn < effects.turns.count, effects.turnInputs[turn] == position { turn += 1 }
            let turns = Array(effects.turns[first..<turn])
            switch input {
            case .tick(let now, let until): return .tick(now, until: until)
            case .backlog(let time): return .backlog(at: time)
            case .report(.location(let fixes), let address, let receivedAt) where isRecorded(address.vehicle):
                return .fixes(fixes, from: address, receivedAt: receivedAt, turns: turns)
            case .report, .clearances, .fences, .forget: return turns.isEmpty ? nil : .turns(turns)
            }
        }
        steps += released.map { .released($0) }
        steps += held.compactMap { input in
            guard case .report(let report, let address, let receivedAt) = input, let held = HeldReport(report) else {
                return nil
            }
            return .held(held, from: address, receivedAt: receivedAt)
        }
        published = effects.envelopes.filter { isRecorded($0.address.vehicle) }.map(\.message.key)
    }

    /// Without anything of some vehicles; turns name none.
    public func removing(_ isRemoved: (VehicleID) -> Bool) -> JournalRecord {
        var rest = self
        rest.steps = steps.compactMap { step in
            switch step {
            case .fixes(_, let address, _, let turns) where isRemoved(address.vehicle): .turns(turns)
            case .held(_, let address, _) where isRemoved(address.vehicle): nil
            case .released(let vehicle) where isRemoved(vehicle): nil
            case .tick, .backlog, .fixes, .turns, .held, .released: step
            }
        }
        return rest
    }

    /// When the batch was decided; nil where no step says so.
    public var time: Timestamp? {
        steps.lazy.compactMap { step in
            switch step {
            case .tick(let time, _), .backlog(let time): time
            case .fixes, .turns, .held, .released: nil
            }
        }.first
    }

    /// Turns of all vehicles.
    public var turns: [TurnCounts.Row] {
        steps.flatMap { step -> [TurnCounts.Row] in
            switch step {
            case .tick, .backlog, .held, .released: []
            case .fixes(_, _, _, let turns), .turns(let turns): turns
            }
        }
    }

    /// Vehicles whose fixes were held by earlier records and are no longer.
    public var released: [VehicleID] {
        steps.compactMap { if case .released(let vehicle) = $0 { vehicle } else { nil } }
    }

    /// Reports that were not judged with the batch, in their order.
    public var held: [(address: VehicleAddress, report: Input)] {
        steps.compactMap { step in
            guard case .held(let held, let address, let receivedAt) = step else { return nil }
            return (address, .report(held.report, from: address, receivedAt: receivedAt))
        }
    }

    /// The first byte: what follows, and how.
    private static let binaryFormat: UInt8 = 1
    /// Of a fix, about.
    private static let bytesUsual = 80

    public func encoded() -> [UInt8] {
        encoded(format: Self.binaryFormat, capacity: steps.count * Self.bytesUsual)
    }

    /// - Parameter bytes: what `encoded()` gave.
    /// - Throws: where they are of another format, or damaged.
    public init(encoded bytes: [UInt8]) throws(BinaryCodingError) {
        try self.init(encoded: bytes, format: Self.binaryFormat)
    }
}

extension JournalRecord: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        steps.encode(to: &encoder)
        encoder.append(number: UInt64(published.count))
        for key in published { encoder.append(number: key) }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        steps = try decoder.decode()
        published = []
        for _ in 0..<(try decoder.length()) { published.append(try decoder.number()) }
    }
}

extension JournalRecord.Step: BinaryCodable {
    func encode(to encoder: inout BinaryEncoder) {
        switch self {
        case .tick(let now, nil):
            encoder.append(byte: 0)
            now.encode(to: &encoder)
        case .tick(let now, let until?):
            encoder.append(byte: 7)
            now.encode(to: &encoder)
            until.time.encode(to: &encoder)
            encoder.append(byte: until.part)
        case .fixes(let fixes, let address, let receivedAt, let turns):
            encoder.append(byte: 1)
            address.encode(to: &encoder)
            receivedAt.encode(to: &encoder)
            fixes.encode(to: &encoder)
            turns.encode(to: &encoder)
        case .turns(let turns):
            encoder.append(byte: 2)
            turns.encode(to: &encoder)
        case .backlog(let time):
            encoder.append(byte: 3)
            time.encode(to: &encoder)
        case .held(let held, let address, let receivedAt):
            encoder.append(byte: held.step)
            address.encode(to: &encoder)
            receivedAt.encode(to: &encoder)
            held.encode(to: &encoder)
        case .released(let vehicle):
            encoder.append(byte: 6)
            vehicle.encode(to: &encoder)
        }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let step = try decoder.byte()
        switch step {
        case 0: self = .tick(try decoder.decode(), until: nil)
        case 1:
            let address: VehicleAddress = try decoder.decode()
            let receivedAt: Timestamp = try decoder.decode()
            let fixes: [Fix] = try decoder.decode()
            self = .fixes(fixes, from: address, receivedAt: receivedAt, turns: try decoder.decode())
        case 2: self = .turns(try decoder.decode())
        case 3: self = .backlog(at: try decoder.decode())
        // As written while a tick ended with all that fell due at one moment.
        case 4:
            let (now, time): (Timestamp, Timestamp) = (try decoder.decode(), try decoder.decode())
            self = .tick(now, until: DueTime(time))
        case 5, 8, 9, 10:
            let (address, receivedAt): (VehicleAddress, Timestamp) = (try decoder.decode(), try decoder.decode())
            self = .held(try HeldReport(step: step, from: &decoder), from: address, receivedAt: receivedAt)
        case 6: self = .released(try decoder.decode())
        case 7:
            let (now, time): (Timestamp, Timestamp) = (try decoder.decode(), try decoder.decode())
            self = .tick(now, until: DueTime(time, part: try decoder.byte()))
        default: throw decoder.unreadable("a step")
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
