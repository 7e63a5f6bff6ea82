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
