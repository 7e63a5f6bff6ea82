import Evaluation
import Fleet
import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Gateway

/// When what vehicles did near low bridges comes into force, and what a stop leaves of it.
struct PassagesTests {
    private let town: QuietTown
    private let counted: HazardHistory

    init() throws {
        town = try QuietTown(seed: 1)
        var draw = TripSampler(town.network, seed: 5)
        var observation = TripObservation(town.network, height: nil, EngineSettings())
        for _ in 0..<20 {
            if let trip = draw.anywhere() { observation.add(trip.edges) }
        }
        counted = observation.finish()
    }

    @Test("What was counted comes into force after an hour, is kept, and counts once")
    func hourly() throws {
        let run = try JournalRun(town, snapshotInterval: 60)
        try run.take([], at: .at(0))
        run.count(counted)
        try run.take([], at: .at(3_599))
        #expect(run.passages.inForce.isEmpty && run.passages.counted == counted)
        try run.take([], at: .at(3_600))
        #expect(run.passages.inForce == counted && run.passages.counted.isEmpty)
        try run.kill(at: .at(3_601))
        #expect(run.passages.inForce == counted && run.passages.counted.isEmpty)
    }

    @Test("What was counted comes into force once turns of bounded size have written the vehicles")
    func manyVehicles() throws {
        let run = try JournalRun(town, snapshotInterval: 3_600)
        try run.kill(at: .at(0)) { $0.statesAtOnce = 2 }
        func fixes(at time: Timestamp) -> [Input] {
            (0..<5).compactMap { VehicleID("v\($0)") }.map { id in
                let fix = Fix(position: Drawing.place(0, 0), time: time, accuracy: 5)
                return .report(.location([fix]), from: VehicleAddress(vehicle: id), receivedAt: time)
            }
        }
        for second in [0.0, 3_599] { try run.take(fixes(at: .at(second)), at: .at(second)) }
        run.count(counted)
        var turns = 0
        while run.passages.inForce.isEmpty, turns < 10 {
            try run.take([], at: .at(3_600 + Seconds(turns)))
            turns += 1
        }
        // Five vehicles by two; the last of them goes with what is taken up.
        #expect(turns == 3)
        #expect(run.passages.inForce == counted && run.passages.counted.isEmpty)
        #expect(try run.journal.isEmpty)
    }

    @Test("A clean stop keeps what was counted, and nothing else is in force after it")
    func stopped() throws {
        let run = try JournalRun(town, snapshotInterval: 60)
        run.count(counted)
        try run.saveAll(at: .at(400))
        try run.kill(at: .at(401))
        #expect(!counted.isEmpty)
        #expect(run.passages.inForce.isEmpty && run.passages.counted == counted)
    }

    @Test("A part of a divided fleet keeps what its own vehicles did apart from what was imported")
    func divided() throws {
        let run = try JournalRun(town, snapshotInterval: 60)
        try run.kill(at: .at(0)) { $0 = $0.part(ShardPlace(0, of: 2)) }
        try run.take([], at: .at(0))
        run.enforce(counted)
        run.count(counted)
        try run.take([], at: .at(3_600))
        #expect(run.passages.inForce != counted)
        #expect(try run.ownPassages == counted)
        run.count(counted)
        try run.take([], at: .at(7_200))
        var twice = counted
        twice.add(counted)
        #expect(try run.ownPassages == twice)
    }
}
