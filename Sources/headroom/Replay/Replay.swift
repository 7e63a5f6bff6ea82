public import ArgumentParser
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import RoadImport
import Roads
public import Messages
import Traces
import Wire

/// `headroom replay`
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs recorded fixes through the engine and prints every message as a line of JSON, with its topic.",
        discussion: """
            Traces are recognised by what is in them; - is standard input, of any of these kinds:
            - what `mosquitto_sub -F %j -t '#'` wrote down: profiles, routes, consent, fences, clearances and inputs of \
            other layouts are used as the gateway uses them, at the time at which they came; what a gateway published \
            is passed over
            - GPX
            - CSV with columns named lat, lon, time and, as known, vehicle, accuracy, speed, course, altitude; a unit may \
            follow a name: speed_kmh, speed_mph, altitude_ft
            - JSON lines: fixes as a truck publishes them, with a `vehicle` member
            - .rec files of the OwnTracks recorder

            Several traces are played as one, in the order of time. What falls due between two lines is judged when it \
            is due. The same traces give the same messages, byte for byte. Standard error tells what became of every \
            line, and names those that could not be used.

            With --explain-at nothing of that is printed, but why each vehicle was alerted at that moment, or why not: \
            the fix and the road it was matched to, the height that counted, the path ahead, and for every clearance \
            near it the rule that spoke of it or the reason for silence. The trace is replayed up to that moment.
            """)

    @Option(
        help: "Road file made by `headroom roads build`; several are joined (default: the configuration's).",
        completion: .file(extensions: ["roads"]))
    var roads: [String] = []

    @OptionGroup var height: ReplayHeight

    @Option(
        help: "Fences to watch, as GeoJSON (default: the configuration's).",
        completion: .file(extensions: ["geojson", "json"]))
    var fences: [String] = []

    @OptionGroup var config: ConfigOption

    @Option(help: "Units of the texts: imperial or metric.")
    var units: UnitSystem?

    @Option(
        help: """
            The vehicle of a trace that names none; without it the file's name, stdin for standard input. With --explain-at the only one that is \
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

    @Argument(
        help: "Recordings: mosquitto_sub -F %j, GPX, CSV, JSON lines, OwnTracks .rec; - for standard input.",
        completion: .file())
    var traces: [String]

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, jsonl
    }

    func validate() throws {
        guard traces.count(where: { $0 == TraceFile.standardInput }) <= 1 else {
            throw ValidationError("Standard input can be read once: give - once.")
        }
        guard explainAt == nil, format == .text else { return }
        throw ValidationError("Messages are printed as JSON lines only; --format text goes with --explain-at.")
    }

    func run() throws {
        let settings = try loadSettings()
        let configuration = try gatewayConfiguration(settings)
        let files = try openFiles(settings)
        let setting = TraceSetting(
            vehicle: vehicle, levels: Array(repeating: "replay", count: configuration.pattern.namedLevelCount),
            configuration: configuration)
        let (traces, failure) = try Trace.readAll(traces, setting)
        var engine = configuration.engine
        // It would come into force when the traces are over.
        engine.countsPassages = false
        let feed = ReplayFeed(
            engine: Engine(
                engine, network: files.network, clearances: files.clearances, fences: files.fences),
            heights: try height.profiles(for: traces, units: units))
        if let explainAt {
            let explainer = ReplayExplainer(feed: feed, vehicle: vehicle, writesJSON: format ?? .text != .text)
            try explainer.explain(traces, at: explainAt)
        } else {
            var printer = ReplayPrinter(feed: feed, configuration: configuration)
            printer.play(traces)
        }
        // It is told already.
        if let failure { throw ExitCode(failure.status) }
    }

    // MARK: What it is judged by

    private func loadSettings() throws -> Settings {
        var settings = try config.settingsToJudgeBy()
        if !roads.isEmpty { settings.roads = roads }
        if !fences.isEmpty { settings.fences = fences }
        guard config.path != nil || !roads.isEmpty else {
            throw CommandError.usage("give --roads FILE, or --config FILE that names one")
        }
        return settings
    }

    private func gatewayConfiguration(_ settings: Settings) throws -> GatewayConfiguration {
        do {
            return try GatewayConfiguration(settings, version: programVersion)
        } catch {
            throw CommandError.usage("\(error)")
        }
    }

    private func openFiles(_ settings: Settings) throws -> GatewayFiles {
        let files = try GatewayFiles(settings, keepsJoinedRoads: false) { Terminal.error($0) }
        try files.verifyRoads(of: settings)
        if files.network == nil { Terminal.error("no road file: clearances are judged by straight line") }
        return files
    }
}

extension UnitSystem: ExpressibleByArgument {}

/// `--height` and `--margin` of vehicles whose traces do not tell how high they are.
struct ReplayHeight: ParsableArguments {
    @Option(
        help: """
            Effective height of vehicles of which the traces hold no profile, such as 4.0 or "13'6\\"". A recording of \
            mosquitto_sub needs none: without one, they are judged by heights.assumed, as the gateway did.
            """)
    var height: LengthArgument?

    @Option(help: "Safety margin to add, such as \"3 in\". Without it nothing is added.")
    var margin: LengthArgument?

    private var effective: Centimetres? { height?.effective(margin: margin) }

    func validate() throws {
        guard let height else {
            if margin != nil { throw ValidationError("--margin is added to --height: give both.") }
            return
        }
        try height.validate(margin: margin)
    }

    /// The profiles of vehicles that have none in the traces.
    ///
    /// - Throws: where such a vehicle is not one that a gateway judged without.
    func profiles(for traces: [Trace], units: UnitSystem?) throws -> [VehicleID: HeightProfile] {
        let profiled = traces.reduce(into: Set()) { $0.formUnion($1.profiled) }
        guard let effective else {
            let needed = traces.filter { !$0.isOfGateway }.reduce(into: Set()) { $0.formUnion($1.vehicles) }
            guard let vehicle = needed.subtracting(profiled).min() else { return [:] }
            throw CommandError.usage("how high is \(vehicle)? its trace does not say: give --height")
        }
        let profile = HeightProfile(height: effective, margin: 0, source: "command line", units: units)
        let bare = traces.reduce(into: Set()) { $0.formUnion($1.vehicles) }.subtracting(profiled)
        return Dictionary(uniqueKeysWithValues: bare.map { ($0, profile) })
    }
}
