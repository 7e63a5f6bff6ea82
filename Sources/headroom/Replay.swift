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

            With --explain-at nothing of that is printed, but why each vehicle was alerted at that moment, or why not: \
            the fix and the road it was matched to, the height that counted, the path ahead, and for every clearance \
            near it the rule that spoke of it or the reason for silence. The trace is replayed up to that moment.
            """)

    @OptionGroup var roads: RoadsOption
    @OptionGroup var height: HeightOptions

    @Option(help: "Fences to watch, as GeoJSON.", completion: .file(extensions: ["geojson", "json"]))
    var fences: [String] = []

    @Option(help: "Settings to judge by; the defaults without it.", completion: .file(extensions: ["yaml"]))
    var config: String?

    @Option(help: "Units of the texts: imperial or metric.")
    var units: UnitSystem?

    @Option(
        help: """
            The vehicle of a trace that names none; the file's name without it. With --explain-at the only one that is \
            explained.
            """)
    var vehicle: String?

    @Option(
        help: """
            Explain this moment: an RFC 3339 time such as 2026-11-21T14:02:05Z, or seconds after the first fix such as \
            +125.
            """)
    var explainAt: ReplayMoment?

    @Option(help: "How to explain: text for people, json for one object a vehicle. Messages are always JSON lines.")
    var format: Format?

    @Argument(help: "GPX files or JSON lines.", completion: .file(extensions: ["gpx", "jsonl", "json"]))
    var traces: [String]

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, jsonl
    }

    func validate() throws {
        guard explainAt == nil, format == .text else { return }
        throw ValidationError("Messages are printed as JSON lines only; --format text goes with --explain-at.")
    }

    func run() throws {
        let network = try roads.open()
        let settings = try loadSettings()
        let engine = Engine(EngineSettings(settings), network: network, fences: try readFences())
        let pattern = try TopicPattern(settings.fleet.topic)
        let profile = HeightProfile(
            height: height.effective, margin: 0, source: "command line", units: units)
        let feed = ReplayFeed(engine: engine, profile: profile, levels: pattern.namedLevelCount)
        let traces = try traces.map(read)
        if let explainAt {
            let explainer = ReplayExplainer(feed: feed, vehicle: vehicle, writesJSON: format ?? .text != .text)
            try explainer.explain(traces.map(\.fixes), at: explainAt)
        } else {
            let printer = ReplayPrinter(feed: feed, encoder: WireEncoder(pattern: pattern))
            for trace in traces {
                trace.fixes.forEach(printer.replay)
                printer.finish(after: trace)
            }
            printer.tellRejections()
        }
    }

    private func readFences() throws -> [Fence] {
        do {
            let read = try FenceFile.read(fences)
            for reject in read.rejects { Terminal.error("\(reject)") }
            return read.fences
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }

    private func read(_ path: String) throws -> Trace {
        let trace = try Trace(path, vehicle: vehicle)
        for problem in trace.problems { Terminal.error("\(path): \(problem)") }
        return trace
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

/// Feeds recorded fixes to an engine.
struct ReplayFeed {
    let engine: Engine
    let profile: HeightProfile
    /// How many levels the topics have beside the vehicle.
    let levels: Int

    /// A recording has no clock: what a fix says is when it arrived.
    func feed(_ recorded: Trace.RecordedFix) -> Effects {
        let time = recorded.fix.time
        let address = VehicleAddress(
            vehicle: recorded.vehicle, levels: Array(repeating: "replay", count: levels))
        var inputs: [Input] = [.tick(time)]
        if engine.vehicle(recorded.vehicle) == nil {
            inputs.append(.report(.profile(profile), from: address, receivedAt: time))
        }
        inputs.append(.report(.location([recorded.fix]), from: address, receivedAt: time))
        return engine.handle(inputs)
    }
}

/// Prints what the engine says to each fix.
private final class ReplayPrinter {
    private let feed: ReplayFeed
    private let encoder: WireEncoder
    private var rejections: [Rejection: Int] = [:]

    init(feed: ReplayFeed, encoder: WireEncoder) {
        self.feed = feed
        self.encoder = encoder
    }

    func replay(_ recorded: Trace.RecordedFix) {
        let effects = feed.feed(recorded)
        for envelope in effects.envelopes { print(envelope, at: recorded.fix.time) }
        for rejection in effects.rejections { rejections[rejection.reason, default: 0] += 1 }
    }

    private func print(_ envelope: Envelope, at time: Timestamp) {
        guard let message = encoder.encode(envelope, publishedAt: time) else { return }
        Terminal.print(Array("{\"topic\":\"\(message.topic)\",".utf8) + message.payload.dropFirst())
    }

    /// Fence events wait for fixes that come late, and for who has left a fence to stay outside.
    func finish(after trace: Trace) {
        guard let last = trace.fixes.map(\.fix.time).max() else { return }
        let fixes = feed.engine.settings.fixes
        let end = last.adding(fixes.reorder + fixes.hysteresisTime)
        for envelope in feed.engine.handle([.tick(end)]).envelopes { print(envelope, at: end) }
    }

    func tellRejections() {
        guard !rejections.isEmpty else { return }
        let list = rejections.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
        Terminal.error("fixes not used: \(list)")
    }
}
