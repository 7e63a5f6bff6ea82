public import ArgumentParser
public import Fleet
import Foundation
import Gateway
import Geo
import RoadImport
import Roads
import Wire

/// `headroom replay`
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs recorded fixes through the engine and prints every message as a line of JSON, with its topic.",
        discussion: """
            Traces are GPX files, or JSON lines: fixes as a truck publishes them, with a `vehicle` member. The same trace \
            gives the same messages, byte for byte.
            """)

    @OptionGroup var roads: RoadsOption
    @OptionGroup var height: HeightOptions

    @Option(help: "Settings to judge by; the defaults without it.", completion: .file(extensions: ["yaml"]))
    var config: String?

    @Option(help: "Units of the texts: imperial or metric.")
    var units: UnitSystem?

    @Option(help: "The vehicle of a trace that names none; the file's name without it.")
    var vehicle: String?

    @Argument(help: "GPX files or JSON lines.", completion: .file(extensions: ["gpx", "jsonl", "json"]))
    var traces: [String]

    func run() throws {
        let network = try roads.open()
        let settings = try loadSettings()
        let engine = Engine(EngineSettings(settings), network: network)
        let pattern = try TopicPattern(settings.fleet.topic)
        let printer = ReplayPrinter(engine: engine, encoder: WireEncoder(pattern: pattern), levels: pattern)
        let profile = HeightProfile(
            height: height.effective, margin: 0, source: "command line", units: units)
        for path in traces {
            let trace = try Trace(path, vehicle: vehicle)
            for fix in trace.fixes { printer.replay(fix, profile: profile) }
            for problem in trace.problems { Terminal.error("\(path): \(problem)") }
        }
        printer.tellRejections()
    }

    private func loadSettings() throws -> Settings {
        do {
            return try Settings.load(path: config, environment: [:]).settings
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }
}

extension UnitSystem: ExpressibleByArgument {}

/// Feeds fixes to an engine and prints what it says.
private final class ReplayPrinter {
    private let engine: Engine
    private let encoder: WireEncoder
    private let levels: TopicPattern
    private var rejections: [Rejection: Int] = [:]

    init(engine: Engine, encoder: WireEncoder, levels: TopicPattern) {
        self.engine = engine
        self.encoder = encoder
        self.levels = levels
    }

    /// A recording has no clock: what a fix says is when it arrived.
    func replay(_ recorded: Trace.RecordedFix, profile: HeightProfile) {
        let address = VehicleAddress(
            vehicle: recorded.vehicle, levels: Array(repeating: "replay", count: levels.namedLevelCount))
        var inputs: [Input] = [.tick(recorded.fix.time)]
        if engine.vehicle(recorded.vehicle) == nil {
            inputs.append(.report(.profile(profile), from: address, receivedAt: recorded.fix.time))
        }
        inputs.append(.report(.location([recorded.fix]), from: address, receivedAt: recorded.fix.time))
        let effects = engine.handle(inputs)
        for envelope in effects.envelopes { print(envelope, at: recorded.fix.time) }
        for rejection in effects.rejections { rejections[rejection.reason, default: 0] += 1 }
    }

    private func print(_ envelope: Envelope, at time: Timestamp) {
        guard let message = encoder.encode(envelope, publishedAt: time) else { return }
        Terminal.print(Array("{\"topic\":\"\(message.topic)\",".utf8) + message.payload.dropFirst())
    }

    func tellRejections() {
        guard !rejections.isEmpty else { return }
        let list = rejections.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
        Terminal.error("fixes not used: \(list)")
    }
}
