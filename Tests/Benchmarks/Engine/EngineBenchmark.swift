import ArgumentParser
import Fleet
import Foundation
import Geo
import Messages
import RoadImport
import Roads

/// Measures the engine alone: decoded fixes in, effects out. Nothing is parsed, stored or sent.
@main
struct EngineBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine-benchmark",
        abstract: "Measures how many fixes the engine takes in a second of one core.",
        discussion: """
            Vehicles move inside a square, or along the roads of a road file, and report one after the other; fences are \
            circles of 100 m to 800 m in the same square. Each round is one fix of every vehicle, handed over in batches as \
            the gateway does, each with a tick at its end. Equal seeds give equal fixes and equal effects.

            Prints one object a line for each number of fences: what was measured, fixesPerSecond and nanosecondsPerFix (the \
            median of the runs) and their range, allocationsPerFix, bytes (what the engine has in memory at the end), and \
            counts of the effects of one run, by which two builds can be compared. Time is that of the \
            thread, so that other programs disturb less. With --matching: of the map matcher alone, and how many fixes it \
            found on a road.
            """)

    @Option(help: "Vehicles; each reports once in a round.")
    var vehicles = 10_000

    @Option(parsing: .upToNextOption, help: "Numbers of circles; one line each.")
    var fences = [0, 1_000, 10_000, 50_000]

    @Option(help: "Choose the circles' radii so that a vehicle is inside of so many on average.")
    var inside: Double?

    @Option(help: "Kilometres along one side of the square.")
    var side = 100.0

    @Option(help: "Metres between two fixes of a vehicle; 0: at rest; not along roads.")
    var step = 25.0

    @Option(help: "Seconds between two fixes of a vehicle.")
    var interval = 1.0

    @Option(help: "Rounds that are measured.")
    var rounds = 60

    @Option(help: "Rounds before them.")
    var warmUp = 20

    @Option(help: "Fixes in a batch.")
    var batch = 1_000

    @Option(help: "Runs; the median of them counts.")
    var runs = 3

    @Option(help: "Seed of fences and ways.")
    var seed: UInt64 = 1

    @Option(help: "Road file made by `headroom roads build`: vehicles drive along its roads.")
    var roads: String?

    @Option(help: "Trips that vehicles drive along roads; several drive the same one, at different times.")
    var trips = 200

    @Flag(help: "Only match the fixes to the roads.")
    var matching = false

    func validate() throws {
        if matching, roads == nil { throw ValidationError("--matching wants --roads.") }
        guard vehicles > 0, rounds > 0, warmUp >= 0, batch > 0, runs > 0, trips > 0, step >= 0, interval > 0 else {
            throw ValidationError("Counts, steps and intervals are above 0.")
        }
    }

    func run() throws {
        let network = try roads.map { try RoadNetwork.open($0) }
        let square = Square(
            center: network?.bounds?.middle ?? Coordinate(latitude: 49.4, longitude: 8.6), side: side * 1_000)
        let rounds = rounds + warmUp
        let ways: any Ways =
            if let network {
                RoadWays(network, vehicles: vehicles, trips: trips, interval: interval, rounds: rounds, seed: seed)
            } else {
                OpenWays(square, vehicles: vehicles, step: step, interval: interval, seed: seed)
            }
        if matching, let network { return try print(matchingLine(network, ways)) }
        for count in fences {
            let circles = square.circles(count, inside: inside, seed: seed)
            let results = (0..<runs).map { _ in
                BenchmarkRun(network: network, fences: circles, ways: ways, batch: batch)
                    .result(rounds: self.rounds, warmUp: warmUp)
            }
            print(
                try line(
                    Figures(
                        results.map(\.cost), vehicles: vehicles, bytes: results[0].bytes, fences: count,
                        effects: results[0].effects)))
        }
    }

    private func matchingLine(_ network: RoadNetwork, _ ways: any Ways) throws -> String {
        let results = (0..<runs).map { _ in
            MatchingRun(network: network, ways: ways).result(rounds: rounds, warmUp: warmUp)
        }
        return try line(Figures(results.map(\.cost), vehicles: vehicles, matched: results[0].matched))
    }

    private func line(_ figures: Figures) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(figures), as: UTF8.self)
    }
}

/// One line of output.
private struct Figures: Encodable {
    var vehicles: Int
    var fixes: Int
    var allocationsPerFix: Double
    var fixesPerSecond: Int
    var nanosecondsPerFix: Int
    var nanosecondsLeast: Int
    var nanosecondsMost: Int
    /// Of an engine; nil: the matcher was measured.
    var bytes: Int?
    var fences: Int?
    var effects: EffectCounts?
    /// Of the matcher: how many fixes it found on a road.
    var matched: Int?

    /// - Parameter costs: of each run; not empty.
    init(
        _ costs: [Cost], vehicles: Int, bytes: Int? = nil, fences: Int? = nil, effects: EffectCounts? = nil,
        matched: Int? = nil
    ) {
        let each = costs.map(\.nanosecondsPerFix).sorted()
        let median = each[each.count / 2]
        (self.vehicles, self.bytes, self.fences) = (vehicles, bytes, fences)
        (self.effects, self.matched) = (effects, matched)
        (fixes, allocationsPerFix) = (costs[0].fixes, costs[0].allocationsPerFix)
        (fixesPerSecond, nanosecondsPerFix) = (Int(1e9 / median), Int(median))
        (nanosecondsLeast, nanosecondsMost) = (Int(each[0]), Int(each[each.count - 1]))
    }
}
