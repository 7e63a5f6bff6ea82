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
            thread, so that other programs disturb less.
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

    func validate() throws {
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
        for count in fences {
            let circles = square.circles(count, inside: inside, seed: seed)
            let results = (0..<runs).map { _ in
                BenchmarkRun(network: network, fences: circles, ways: ways, batch: batch)
                    .result(rounds: self.rounds, warmUp: warmUp)
            }
            try print(line(fences: count, results))
        }
    }

    private func line(fences: Int, _ results: [BenchmarkRun.Result]) throws -> String {
        let costs = results.map(\.nanosecondsPerFix).sorted()
        let median = costs[costs.count / 2]
        let allocations = (results[0].allocationsPerFix * 100).rounded() / 100
        let figures = Figures(
            allocationsPerFix: allocations, bytes: results[0].bytes, vehicles: vehicles, fences: fences,
            fixes: results[0].fixes,
            fixesPerSecond: Int(1e9 / median),
            nanosecondsPerFix: Int(median), nanosecondsLeast: Int(costs[0]),
            nanosecondsMost: Int(costs[costs.count - 1]), effects: results[0].effects)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(figures), as: UTF8.self)
    }
}

/// One line of output.
private struct Figures: Encodable {
    var allocationsPerFix: Double
    var bytes: Int
    var vehicles: Int
    var fences: Int
    var fixes: Int
    var fixesPerSecond: Int
    var nanosecondsPerFix: Int
    var nanosecondsLeast: Int
    var nanosecondsMost: Int
    var effects: EffectCounts
}
