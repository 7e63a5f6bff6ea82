import ArgumentParser
import Broker
import Dispatch
import Evaluation
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import Messages
import MQTT
import RoadImport
import Roads
import Synchronization
import Wire

/// `headroom simulate`
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Drives trucks over the road network and publishes their fixes to the broker, in real time.",
        discussion: """
            Each truck publishes its height profile, retained, before its first fix; the profiles are removed at the end. \
            Equal seeds give equal trips. With --seconds, trucks drawn by chance go on to somewhere else when they have \
            arrived; --loop and --no-loop say otherwise. SIGINT and SIGTERM stop it cleanly.

            At the end it tells how many fixes the broker has acknowledged, and exits with 1 where one was lost.

            --routes takes a GeoJSON file of LineStrings with the properties vehicle, speed_mps and, as wanted, name, \
            height, units, expect (a list of ahead, detour, stop, cleared, passed) and expect_request. With --watch it \
            exits with 1 where a truck was not told exactly what it should have been.

            Where the configuration names an account and a gateway runs, give the trucks an account of their own: a broker \
            may take the account's name for the client id, and end the gateway's session.
            """)

    @OptionGroup var config: ConfigOption

    @Option(help: "How many trucks drive trips drawn by chance.")
    var trucks = 0

    @Option(
        help: "Road file for those trips; several are joined (default: the configuration's).",
        completion: .file(extensions: ["roads"]))
    var roads: [String] = []

    @Option(help: "Trucks with routes that are driven exactly.", completion: .file(extensions: ["geojson", "json"]))
    var routes: String?

    @Option(help: "Time between two fixes of a truck, such as 10 s; plain numbers are seconds (default: 1 s).")
    var interval: DurationArgument?

    @Option(help: "Fixes a second of all trucks together, in the place of --interval.")
    var rate: Double?

    @Option(help: "Standard deviation of the positions north and east, such as 5 m (default: exact positions).")
    var noise: LengthArgument?

    @OptionGroup var faults: FaultOptions

    @Option(help: "What the trips, the noise, gaps and outliers are drawn from.")
    var seed: UInt64 = 1

    @Option(
        help: "Height of the trucks drawn by chance, such as 4.0 or \"13'6\\\"\". Without it they publish no profile.")
    var height: LengthArgument?

    @Flag(help: "Draw only trips that pass under an edge too low for --height.")
    var lowBridges = false

    @Option(help: "Speed of the trucks drawn by chance, in m/s (default: what is usual on each road).")
    var speed: MetresPerSecond?

    @Option(
        help: "How the fixes are written. What is not headroom goes to the first input of that layout in fleet.inputs.")
    var layout = Layout.headroom

    @Option(help: "Quality of service of what the trucks publish: 0, 1 or 2 (default: the configuration's).")
    var qos: UInt8?

    @Option(help: "End after so many seconds (default: when every truck has arrived).")
    var seconds: Seconds?

    @Flag(
        inversion: .prefixedNo,
        help: "Trucks drawn by chance go on with another trip from where they arrive (default: with --seconds).")
    var loop: Bool?

    @Flag(help: "Print what each truck is told, as it comes, and a table at the end.")
    var watch = false

    enum Layout: String, ExpressibleByArgument, CaseIterable {
        case headroom, owntracks, traccar
    }

    func validate() throws {
        func require(_ condition: Bool, _ text: String) throws {
            if !condition { throw ValidationError(text) }
        }
        try require(trucks >= 0, "Expected --trucks of 1 or more, got \(trucks).")
        try require(trucks > 0 || routes != nil, "Give --trucks N, or --routes FILE.")
        try require(interval == nil || rate == nil, "--rate and --interval say the same in two ways: give one.")
        try require((0.1...3_600).contains(interval?.seconds ?? 1), "Expected --interval from 0.1 s to 1 h.")
        try require(rate ?? 1 > 0, "Expected --rate above 0.")
        try require(!(loop ?? false) || trucks > 0, "--loop is for trucks drawn by chance: give --trucks.")
        try require(qos ?? 0 <= 2, "Expected --qos 0, 1 or 2.")
        try require(speed ?? 1 > 0, "Expected --speed above 0.")
        try require(seconds ?? 1 > 0, "Expected --seconds above 0.")
        try require(!lowBridges || height != nil && trucks > 0, "Expected --trucks and --height with --low-bridges.")
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let plan = try await plan()
        let stop = StopOrder()
        let sources = [SIGINT, SIGTERM].map { stop.set(on: $0) }
        defer { sources.forEach { $0.cancel() } }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // A thread of its own: waiting for the broker must not block the cooperative pool.
            let thread = Thread {
                continuation.resume(
                    with: Result { try SimulateRun(plan, isStopping: { stop.isSet }).run() }
                        .mapError { $0 as? CommandError ?? CommandError.failed("\($0)") })
            }
            thread.name = "simulate"
            thread.start()
        }
    }

    // MARK: The plan

    private func plan() async throws -> SimulateRun.Plan {
        let settings = try config.checkedSettings()
        if let process = BesideGatewayOption.gateway(settings.broker, settings.storeLocation) {
            Terminal.error(
                "warning: \(process) runs as the gateway with this account, and loses its session where the broker takes the "
                    + "account's name for the client id; give the trucks an account of their own")
        }
        let pattern = try TopicPattern(settings.fleet.topic)
        let levels = Array(repeating: SimulateReports.level, count: pattern.namedLevelCount)
        let units = settings.engine.units
        var fleet: [SimulatedTruck] = []
        if let routes { fleet += try SimulateRoutes.trucks(in: routes, levels: levels, units: units) }
        let drawn = trucks > 0 ? try self.drawn(settings, levels: levels, units: units) : nil
        if let drawn { fleet += try await draw(drawn) }
        let reports = try SimulateReports(layout, settings, pattern)
        try reports.requireIDs(of: fleet)
        return SimulateRun.Plan(
            broker: broker(settings), pattern: pattern, reports: reports,
            qos: qos.flatMap(QoS.init(rawValue:)) ?? settings.fleet.qos, trucks: fleet,
            driving: try driving(fleet.count), seed: seed, duration: seconds, isWatched: watch,
            planner: loop ?? (seconds != nil) ? drawn.map(TripPlanner.init) : nil)
    }

    private func driving(_ count: Int) throws -> Drive.Settings {
        let interval = rate.map { Double(count) / $0 } ?? interval?.seconds ?? 1
        guard (0.1...3_600).contains(interval) else {
            throw CommandError.usage(
                "expected 0.1 s to 1 h between a truck's fixes, got \(interval) s by --rate \(decimal(rate ?? 0)) and \(count) trucks"
            )
        }
        return Drive.Settings(
            interval: interval, noise: noise?.metres ?? 0, gaps: faults.gaps, outliers: faults.outliers)
    }

    private func broker(_ settings: Settings) -> BrokerSettings {
        var broker = settings.broker
        broker.clientID = "headroom-simulate-\(ProcessInfo.processInfo.processIdentifier)"
        // In a session that is kept, a later run of the same process id, in a container every run, would hear what is left.
        broker.cleanStart = true
        broker.sessionExpirySeconds = 0
        return broker
    }

    private func drawn(_ settings: Settings, levels: [String], units: UnitSystem) throws -> SimulatedFleet {
        let paths = roads.isEmpty ? settings.roads : roads
        guard !paths.isEmpty else {
            throw CommandError.usage("trips need roads: give --roads FILE, or `roads` in the configuration")
        }
        let network = try RoadNetwork.opened(paths)
        let effective = height.map { ($0.tenthMillimetres + 99) / 100 }
        return SimulatedFleet(
            network: network, levels: levels, units: units, height: height?.text, speed: speed, seed: seed,
            hazards: lowBridges ? effective.map { HazardTable(network, height: $0) } : nil)
    }

    private func draw(_ fleet: SimulatedFleet) async throws -> [SimulatedTruck] {
        let progress = DrawingProgress(count: trucks)
        defer { progress.finish() }
        return try await fleet.trucks(trucks) { progress.step() }
    }
}

/// How many trips are drawn, by several threads.
private final class DrawingProgress: Sendable {
    private let count: Int
    private let state = Mutex((done: 0, bar: ProgressBar("Drawing trips")))

    init(count: Int) { self.count = count }

    func step() {
        state.withLock { state in
            state.done += 1
            state.bar.update(Double(state.done) / Double(count))
        }
    }

    func finish() { state.withLock { $0.bar.finish() } }
}

/// A duration on the command line: a number in seconds, or a text with its unit.
struct DurationArgument: ExpressibleByArgument {
    let seconds: Seconds

    init?(argument: String) {
        guard let seconds = DurationText.seconds(argument) else { return nil }
        self.seconds = seconds
    }

    var defaultValueDescription: String { "\(seconds) s" }
}

/// That somebody wants a command to stop; set by a signal, looked at by the thread that does the work.
final class StopOrder: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set(on number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { self.flag.store(true, ordering: .relaxed) }
        source.resume()
        return source
    }
}
