import ArgumentParser
import Clearances
import Fleet
import Foundation
import Geo
import Messages
import RoadImport
import Roads

/// Measures how long it takes until hazards are known, and how long the engine is held up by that.
@main
struct HazardBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hazard-benchmark",
        abstract: "Measures how long it takes until the hazards of a road file are known.",
        discussion: """
            A truck of each height reports; then clearances change, one after the other. Prints one object a line for each \
            height and for each change: how many milliseconds of other threads the work took, the first piece of it \
            (behind which the truck is judged), and how many of the engine's own were spent before and after it.
            """)

    @Option(help: "Road file made by `headroom roads build`.")
    var roads: String

    @Option(parsing: .upToNextOption, help: "Heights of trucks, in centimetres.")
    var heights = Array(stride(from: 340, through: 450, by: 10))

    @Option(help: "Clearances that dispatch has entered before.")
    var clearances = 0

    @Option(help: "Changes of a clearance, one after the other.")
    var changes = 5

    @Flag(help: "Change the clearance's height by five centimetres, to and fro, instead of its place.")
    var inPlace = false

    func validate() throws {
        guard !heights.isEmpty, clearances >= 0, changes >= 0 else {
            throw ValidationError("expected heights, and counts of 0 or more")
        }
        // The one that changes is one more.
        guard clearances < LiveClearances.countMax else {
            throw ValidationError("expected fewer than \(LiveClearances.countMax) clearances, got \(clearances)")
        }
    }

    private struct Row: Encodable {
        var what: String
        var edges: Int
        var engineMilliseconds: Double
        var firstMilliseconds: Double
        var workMilliseconds: Double
    }

    func run() throws {
        let network = try RoadNetwork(MappedFile(roads))
        let engine = Engine(EngineSettings(), network: network, clearances: try entered(network))
        let start = Timestamp(milliseconds: 1_795_269_600_000)
        engine.doMapWorkElsewhere(at: start)
        try print(measure("start", engine, network, []))
        for (number, height) in heights.enumerated() {
            guard let address = VehicleID("T\(height)").map({ VehicleAddress(vehicle: $0) }) else { continue }
            let place = network.coordinate(NodeID(UInt32(number * network.nodeCount / heights.count)))
            let inputs: [Input] = [
                .report(.profile(HeightProfile(height: height)), from: address, receivedAt: start),
                .report(.location([Fix(position: place, time: start, accuracy: 5)]), from: address, receivedAt: start),
            ]
            try print(measure("height \(height)", engine, network, inputs))
        }
        for number in 0..<changes {
            let edge = EdgeID(UInt32(inPlace ? 0 : number * network.edgeCount / max(1, changes)))
            let clearance = PointClearance(
                id: "changed", position: network.coordinate(edge, offset: network.length(edge) / 2),
                posted: inPlace && number % 2 == 1 ? "3.35" : "3.3")
            let change = ClearanceChange(id: "changed", clearance: clearance)
            try print(measure("change \(number + 1)", engine, network, [.clearances([change], at: start)]))
        }
    }

    /// On edges that are spread over all of the map, each a little different, so that all heights have hazards of their own.
    private func entered(_ network: RoadNetwork) throws -> [PointClearance] {
        (0..<clearances).map { number in
            let edge = EdgeID(UInt32(number * network.edgeCount / max(1, clearances)))
            return PointClearance(
                id: "c\(number)", position: network.coordinate(edge, offset: network.length(edge) / 2),
                posted: "\(5 + Double(number % 100) / 100)")
        }
    }

    private func measure(_ what: String, _ engine: Engine, _ network: RoadNetwork, _ inputs: [Input]) throws -> String {
        let now = Timestamp(milliseconds: 1_795_269_600_000)
        var (engineTime, workTime) = (time { _ = engine.handle(inputs) }, 0.0)
        var work: MapWork?
        var firstTime: Double?
        engineTime += time { work = engine.takeMapWork() }
        while let piece = work {
            var result: MapWork.Result?
            workTime += time { result = piece.result() }
            firstTime = firstTime ?? workTime
            engineTime += time {
                if let result { _ = engine.install(result, at: now) }
                work = engine.takeMapWork()
            }
        }
        let row = Row(
            what: what, edges: network.edgeCount, engineMilliseconds: engineTime, firstMilliseconds: firstTime ?? 0,
            workMilliseconds: workTime)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(row), as: UTF8.self)
    }

    /// Milliseconds of this thread.
    private func time(_ body: () -> Void) -> Double {
        let before = Self.threadNanoseconds()
        body()
        return Double((Self.threadNanoseconds() - before) / 1_000) / 1_000
    }

    private static func threadNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
