import Clearances
import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import RoadImport
import Roads
import Testing

/// Trips under low edges of real roads, in real time, over a real broker, with clients that are not ours.
@Suite(
    .enabled(if: Repository.isThere(Repository.rheinNeckar), "needs ../shared/data/osm/rhein-neckar_de_2016.osm.pbf"))
struct RheinNeckarEndToEndTests {
    private static let height: Centimetres = 400
    private static let trips = 20
    /// A truck sets off so far before its last turn-off, and at most so long, that the test ends in time.
    private static let approach: Metres = 2_000
    private static let approachMax: Seconds = 210

    @Test(
        "A road file takes under 10 s of a processor and 1 GB to build, approaches under 60 s to find",
        .timeLimit(.minutes(6)))
    func build() async throws {
        let scratch = try Scratch()
        let roads = scratch.path("region.roads")
        let build = try await run(Repository.program, ["roads", "build", Repository.rheinNeckar, "-o", roads], scratch)
        #expect(build.status == 0, "\(build.errors)")
        #expect(build.ending.processorSeconds < 10)
        #expect(build.ending.residentBytesMax < 1 << 30)
        let found = try await run(
            Repository.program, ["approaches", "--roads", roads, "--height", "4.0", "--format", "json"], scratch)
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.ending.processorSeconds < 60)
        #expect(found.output.split(separator: "\n").count > 100)
    }

    @Test(
        "Every pass with two fixes before its detour point was told before it, at a fix a second and at one in ten",
        .timeLimit(.minutes(8)))
    func toldBefore() async throws {
        let scratch = try Scratch()
        let roads = scratch.path("region.roads")
        let build = try await run(Repository.program, ["roads", "build", Repository.rheinNeckar, "-o", roads], scratch)
        try #require(build.status == 0, "\(build.errors)")
        let network = try RoadNetwork.open(roads)
        let table = HazardTable(network, height: Self.height)
        let trips = try draw(network, table)

        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: roads)
        try await gateway.start()
        let listener = try await broker.listener(["fleet/+/alert"])
        for trip in trips { try await publishProfiles(of: trip, broker) }
        let start = Timestamp.now.adding(3)
        let seconds = try trips.map { try vehicle($0, every: 1, from: start, network, table, broker) }
        let tens = try trips.map { try vehicle($0, every: 10, from: start, network, table, broker) }
        try await publish((seconds + tens).flatMap { vehicle in vehicle.fixes.map { ($0, vehicle.client) } })
        try await gateway.stop()

        let heard = listener.heard
        let leads = zip(seconds, tens).flatMap { second, ten in
            second.passes.map { pass in
                // The slower reporter may come to a pass with fewer than two fixes before it.
                let other = ten.passes.first { $0 == pass }
                return PassLeads(
                    pass: pass, second: second.lead(pass, heard, network, table),
                    isDueForTen: other != nil, ten: other.flatMap { ten.lead($0, heard, network, table) })
            }
        }
        print(Self.table(of: leads, network, table))
        #expect(leads.count >= Self.trips)
        #expect(leads.count { $0.isDueForTen } >= Self.trips)
        for lead in leads {
            #expect(lead.second != nil, "at a fix a second, hazard \(lead.pass.hazard) was not told in time")
            #expect(
                lead.ten != nil || !lead.isDueForTen, "at one in ten, hazard \(lead.pass.hazard) was not told in time")
        }
    }

    // MARK: The trips

    private struct DrawnTrip {
        var number: Int
        var trip: Trip
        /// Where the truck sets off.
        var start: Metres
    }

    private func draw(_ network: RoadNetwork, _ table: HazardTable) throws -> [DrawnTrip] {
        var draw = TripSampler(network, seed: 2_026)
        return try (1...Self.trips).map { number in
            let trip = try #require({ draw.passing(table) }())
            let detour = try #require(trip.passes(network, table).compactMap(\.detourDistance).first)
            let latest = trip.place(at: trip.time(at: detour) - Self.approachMax).distance
            return DrawnTrip(number: number, trip: trip, start: max(0, detour - Self.approach, latest))
        }
    }

    private func name(_ trip: DrawnTrip, _ interval: Seconds) -> String { "trip-\(trip.number)-every-\(Int(interval))" }

    private func publishProfiles(of trip: DrawnTrip, _ broker: BrokerProcess) async throws {
        let profile = #"{"height": 4.0, "margin": 0, "units": "metric"}"#
        for interval in [1.0, 10.0] {
            try await broker.publish("fleet/\(name(trip, interval))/profile", profile, retain: true)
        }
    }

    private func vehicle(
        _ trip: DrawnTrip, every interval: Seconds, from start: Timestamp, _ network: RoadNetwork, _ table: HazardTable,
        _ broker: BrokerProcess
    ) throws -> TripVehicle {
        // Not all in the same moment, as trucks do not.
        let phase = interval * Double(trip.number) / Double(Self.trips)
        let drive = Drive(
            trip.trip, .init(interval: interval, noise: 5, startDistance: trip.start), from: start.adding(phase),
            seed: UInt64(trip.number))
        return try TripVehicle(
            name(trip, interval), drive, trip.trip.passes(network, table), beyond: 15, broker)
    }

    // MARK: What is printed

    private struct PassLeads {
        var pass: Pass
        /// At a fix a second; nil: not told in time.
        var second: Metres?
        var isDueForTen: Bool
        var ten: Metres?
    }

    private static func table(of leads: [PassLeads], _ network: RoadNetwork, _ table: HazardTable) -> String {
        func row(_ columns: [String]) -> String {
            zip(columns, [24, 12, 12]).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined()
        }
        func lead(_ metres: Metres?) -> String { metres.map { "\(Int($0.rounded())) m" } ?? "not told" }
        let rows = leads.map { lead_ in
            let clearance = network.clearance(table.hazards[lead_.pass.hazard].clearances[0]).id
            return row([clearance, lead(lead_.second), lead_.isDueForTen ? lead(lead_.ten) : "-"])
        }
        let title = "Told before the last turn-off, for each pass, at a fix a second and at one in ten:"
        return ([title, row(["clearance", "1 s", "10 s"])] + rows).joined(separator: "\n")
    }
}
