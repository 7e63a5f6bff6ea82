import ArgumentParser
import Foundation
import Geo
import RoadImport
import Roads

/// Measures how long it takes to find the hazards of a road file, for one height after the other.
@main
struct HazardBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hazard-benchmark",
        abstract: "Measures how long it takes to find the hazards of a road file.",
        discussion: """
            Prints one object a line for each height: hazards, and the milliseconds of the thread for their table and for \
            the zone from which alerts about them may come (the median of the runs).
            """)

    @Option(help: "Road file made by `headroom roads build`.")
    var roads: String

    @Option(parsing: .upToNextOption, help: "Effective heights, in centimetres.")
    var heights = [350, 380, 400, 410, 420, 450, 500]

    @Option(help: "Runs; the median of them counts.")
    var runs = 5

    func run() throws {
        let network = try RoadNetwork(MappedFile(roads))
        for height in heights {
            var table = HazardTable(network, height: height)
            let tableTime = median { table = HazardTable(network, height: height) }
            let zoneTime = median { _ = AlertZone(network, [table], reach: 5_000) }
            print(
                """
                {"edges":\(network.edgeCount),"height":\(height),"hazards":\(table.hazards.count),\
                "tableMilliseconds":\(tableTime),"zoneMilliseconds":\(zoneTime)}
                """)
        }
    }

    private func median(_ work: () -> Void) -> Double {
        let times = (0..<max(1, runs)).map { _ in
            let before = Self.threadNanoseconds()
            work()
            return Self.threadNanoseconds() - before
        }
        return Double(times.sorted()[times.count / 2] / 1_000) / 1_000
    }

    private static func threadNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
