import ArgumentParser
import Clearances
import Fleet
import Foundation
import Geo
import Messages
import RoadImport
import Roads
import Synchronization

/// Measures how long it takes until hazards are known, and how long the engine is held up by that.
@main
struct HazardBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hazard-benchmark",
        abstract: "Measures how long it takes until the hazards of a road file are known.",
        discussion: """
            A truck of each height reports; then clearances change, one after the other. Prints one object a line for each \
            height and for each change: how many milliseconds of other threads the work took, the first piece of it \
            (behind which the truck is judged), and how many of the engine's own were spent before and after it, in all and at a \
            time.

            With --rate, clearances of the map change at that rate besides, while another thread does the work. Prints how long \
            it took until a change was in force, in milliseconds of the clock.
            """)

    @Option(help: "Road file made by `headroom roads build`.")
    var roads: String

    @Option(parsing: .upToNextOption, help: "Heights of trucks, in centimetres.")
    var heights = Array(stride(from: 340, through: 450, by: 10))

    @Option(help: "Trucks besides those of each height; of the same heights, all over the map.")
    var trucks = 0

    @Option(help: "Clearances that dispatch has entered before.")
    var clearances = 0

    @Option(help: "Changes of a clearance, one after the other.")
    var changes = 5

    @Option(help: "Changes a second, of clearances that the map has; 0: none.")
    var rate = 0

    @Option(help: "Seconds for which they change.")
    var seconds = 20

    @Flag(help: "Change the clearance's height by five centimetres, to and fro, instead of its place.")
    var inPlace = false

    private var start: Timestamp { Timestamp(milliseconds: 1_795_269_600_000) }

    func validate() throws {
        guard !heights.isEmpty, trucks >= 0, clearances >= 0, changes >= 0, rate >= 0, seconds > 0 else {
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
        /// What it was held up for at a time.
        var longestEngineMilliseconds: Double
        var firstMilliseconds: Double
        var workMilliseconds: Double
    }

    func run() throws {
        let network = try RoadNetwork(MappedFile(roads))
        let engine = Engine(EngineSettings(), network: network)
        let entered = EnteredClearances(network)
        // A change that is refused would be awaited for ever.
        if rate > 0, !(1..<LiveClearances.countMax - clearances).contains(entered.mappedCount) {
            throw ValidationError(
                """
                expected a map with clearances to change, and fewer than \(LiveClearances.countMax) with those entered, got \
                \(entered.mappedCount) of the map
                """)
        }
        let changes = entered.high(clearances).map { ClearanceChange(id: $0.id, clearance: $0) }
        _ = engine.handle([.clearances(changes, at: start)])
        engine.doMapWorkElsewhere(at: start)
        try print(measure("start", engine, network, []))
        for (number, height) in heights.enumerated() {
            let place = network.coordinate(NodeID(UInt32(number * network.nodeCount / heights.count)))
            try print(measure("height \(height)", engine, network, inputs("T\(height)", height, at: place)))
        }
        for number in 0..<trucks {
            let place = network.coordinate(NodeID(UInt32(number * network.nodeCount / trucks)))
            _ = engine.handle(inputs("truck\(number)", heights[number % heights.count], at: place))
        }
        for number in 0..<self.changes {
            let edge = EdgeID(UInt32(inPlace ? 0 : number * network.edgeCount / max(1, self.changes)))
            let clearance = PointClearance(
                id: "changed", position: network.coordinate(edge, offset: network.length(edge) / 2),
                posted: inPlace && number % 2 == 1 ? "3.35" : "3.3")
            let change = ClearanceChange(id: "changed", clearance: clearance)
            try print(measure("change \(number + 1)", engine, network, [.clearances([change], at: start)]))
        }
        if rate > 0 { try print(changeSteadily(engine, entered)) }
    }

    private func inputs(_ truck: String, _ height: Centimetres, at place: Coordinate) -> [Input] {
        guard let address = VehicleID(truck).map({ VehicleAddress(vehicle: $0) }) else { return [] }
        return [
            .report(.profile(HeightProfile(height: height)), from: address, receivedAt: start),
            .report(.location([Fix(position: place, time: start, accuracy: 5)]), from: address, receivedAt: start),
        ]
    }

    // MARK: Changes at a rate

    private struct SteadyRow: Encodable {
        var what: String
        var changes: Int
        var batches: Int
        var medianMilliseconds: Double
        var p99Milliseconds: Double
        var longestMilliseconds: Double
        /// What the engine's thread was held up for at a time.
        var longestEngineMilliseconds: Double
    }

    private func changeSteadily(_ engine: Engine, _ entered: EnteredClearances) throws -> String {
        let clock = ContinuousClock()
        let began = clock.now
        let done = Mutex<MapWork.Result?>(nil)
        var (made, inForce, taken, batches) = (0, 0, 0, 0)
        var (waits, longest): ([Duration], Duration) = ([], .zero)
        var isUnderWay = false
        func due(_ number: Int) -> ContinuousClock.Instant { began + .seconds(1) * number / rate }
        while inForce < rate * seconds {
            let now = clock.now
            while made < rate * seconds, due(made) <= now {
                _ = engine.handle([.clearances([entered.change(made)], at: start)])
                made += 1
            }
            if let result = done.withLock({ $0.take() }) {
                _ = engine.install(result, at: start)
                waits += (inForce..<taken).map { clock.now - due($0) }
                (inForce, isUnderWay, batches) = (taken, false, batches + 1)
            }
            if engine.hasUnjudged { judge(engine, until: clock.now + Self.turnMax) }
            if !isUnderWay, let work = engine.takeMapWork() {
                (taken, isUnderWay) = (made, true)
                Thread.detachNewThread {
                    let result = work.result()
                    done.withLock { $0 = result }
                }
            }
            longest = max(longest, clock.now - now)
            Thread.sleep(forTimeInterval: 0.001)
        }
        waits.sort()
        let row = SteadyRow(
            what: "changes at \(rate)/s", changes: waits.count, batches: batches,
            medianMilliseconds: waits[waits.count / 2] / .milliseconds(1),
            p99Milliseconds: waits[waits.count * 99 / 100] / .milliseconds(1),
            longestMilliseconds: waits[waits.count - 1] / .milliseconds(1),
            longestEngineMilliseconds: longest / .milliseconds(1))
        return try encoded(row)
    }

    /// As long as a turn of the gateway's judges by changed clearances.
    private static let turnMax: Duration = .milliseconds(40)

    private func judge(_ engine: Engine, until end: ContinuousClock.Instant) {
        var batch = engine.begin()
        engine.judgeByChanges(in: &batch, at: start) { _ in .now < end }
        _ = engine.end(batch)
    }

    // MARK: One after the other

    private func measure(_ what: String, _ engine: Engine, _ network: RoadNetwork, _ inputs: [Input]) throws -> String {
        var (engineTimes, workTime) = ([time { _ = engine.handle(inputs) }], 0.0)
        var work: MapWork?
        var firstTime: Double?
        engineTimes.append(time { work = engine.takeMapWork() })
        while let piece = work {
            var result: MapWork.Result?
            workTime += time { result = piece.result() }
            firstTime = firstTime ?? workTime
            engineTimes.append(time { if let result { _ = engine.install(result, at: start) } })
            while engine.hasUnjudged {
                engineTimes.append(time { judge(engine, until: .now + Self.turnMax) })
            }
            engineTimes.append(time { work = engine.takeMapWork() })
        }
        let row = Row(
            what: what, edges: network.edgeCount, engineMilliseconds: engineTimes.reduce(0, +),
            longestEngineMilliseconds: engineTimes.max() ?? 0, firstMilliseconds: firstTime ?? 0,
            workMilliseconds: workTime)
        return try encoded(row)
    }

    private func encoded(_ row: some Encodable) throws -> String {
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
