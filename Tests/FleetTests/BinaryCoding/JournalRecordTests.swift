import BinaryCoding
import FleetTestSupport
import Hashing
import Messages
import Roads
import Testing

@testable import Fleet

struct JournalRecordTests {
    private static let record: JournalRecord = {
        let other = VehicleAddress(vehicle: VehicleID("T7")!, levels: ["north"])
        let third = VehicleAddress(vehicle: VehicleID("T8")!)
        let fixes = (0..<3).map { Fix(position: Drawing.place(Double($0) * 20, 0), time: .at(Double($0)), accuracy: 5) }
        let row = TurnCounts.Row(
            arriving: EdgeKey(way: 1, from: 2, to: 3), next: EdgeKey(way: -4, from: 3, to: .max), count: 1)
        var effects = Effects()
        (effects.turns, effects.turnInputs) = ([row, row, row], [1, 1, 2])
        let inputs: [Input] = [
            .tick(.at(0)), .report(.location(fixes), from: Dispatcher.truck, receivedAt: .at(3)),
            .report(.location(fixes), from: other, receivedAt: .at(3)),
            .report(.location(fixes), from: third, receivedAt: .at(3)),
            .report(.profile(nil), from: Dispatcher.truck, receivedAt: .at(3)), .backlog(at: .at(4)),
            .tick(.at(5), until: DueTime(.at(4), part: 7)),
        ]
        let message = TrackingMessage(
            id: "a", version: 1, time: .at(0), quiet: nil, reportInterval: 10, validUntil: .at(60))
        effects.envelopes = [Envelope(address: Dispatcher.truck, message: .tracking(message))]
        let reports: [Report] = [
            .location(fixes), .profile(HeightProfile(height: 4)), .profile(nil), .route(.line(fixes.map(\.position))),
            .route(.waypoints([fixes[0].position])), .route(nil), .presence(.offline), .presence(nil), .consent(nil),
        ]
        let held = reports.map { Input.report($0, from: third, receivedAt: .at(6)) }
        return JournalRecord(inputs, effects, released: [other.vehicle], held: held) { $0 == Dispatcher.truck.vehicle }
    }()

    private static func text(_ held: HeldReport) -> String {
        switch held {
        case .fixes(let fixes): "\(fixes.count)"
        case .profile: "profile"
        case .route: "route"
        case .presence: "presence"
        }
    }

    @Test("It has ticks, the fixes of recorded vehicles, and the turns of all at their place; of others nothing")
    func steps() {
        let kinds = Self.record.steps.map { step in
            switch step {
            case .tick: "tick"
            case .backlog: "backlog"
            case .fixes(let fixes, let address, _, let turns): "\(address.vehicle) \(fixes.count) \(turns.count)"
            case .turns(let turns): "turns \(turns.count)"
            case .held(let held, let address, let time): "held \(address.vehicle) \(Self.text(held)) \(time.seconds)"
            case .released(let vehicle): "released \(vehicle)"
            }
        }
        let held = ["3", "profile", "profile", "route", "route", "route", "presence", "presence"].map {
            "held T8 \($0) 6.0"
        }
        #expect(kinds == ["tick", "T42 3 2", "turns 1", "backlog", "tick", "released T7"] + held)
        #expect(Self.record.turns.count == 3 && Self.record.published.count == 1 && Self.record.time == .at(0))
    }

    @Test("It comes back as it was")
    func roundTrip() throws {
        #expect(try JournalRecord(encoded: Self.record.encoded()) == Self.record)
    }

    @Test("A tick that was written with the moment alone ends with all that fell due then")
    func tickOfWholeMoment() throws {
        let record = JournalRecord([.tick(.at(5), until: DueTime(.at(4)))], Effects(), of: { _ in true })
        var bytes = record.encoded()
        // The kind of the step follows the format and the count of steps; the part comes before the count of messages.
        let (kind, part) = (2, bytes.count - 2)
        #expect(bytes[kind] == 7 && bytes[part] == .max)
        bytes[kind] = 4
        bytes.remove(at: part)
        #expect(try JournalRecord(encoded: bytes) == record)
    }

    @Test("Bytes that are cut off anywhere, or go on after their end, are an error")
    func cutOff() {
        let bytes = Self.record.encoded()
        for count in bytes.indices {
            #expect(throws: BinaryCodingError.self) { try JournalRecord(encoded: Array(bytes[..<count])) }
        }
        #expect(throws: BinaryCodingError.tooLong(offset: bytes.count)) { try JournalRecord(encoded: bytes + [0]) }
    }

    @Test("Damaged bytes are an error or another record, and end no gateway", arguments: 1...4 as ClosedRange<UInt64>)
    func damaged(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var errors = 0
        for _ in 0..<2_000 {
            var bytes = Self.record.encoded()
            for _ in 0...generator.index(below: 3) {
                bytes[generator.index(below: bytes.count)] = UInt8(generator.index(below: 256))
            }
            if (try? JournalRecord(encoded: bytes)) == nil { errors += 1 }
        }
        #expect(errors > 100)
    }
}
