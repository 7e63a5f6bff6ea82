import ArgumentParser
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import Messages
import RoadImport
import Roads
import Store
import Traces
import Wire

/// `headroom learn`
struct Learn: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts what recorded trips did at each low bridge, so that alarms come where they are likely.",
        discussion: """
            Counted is, for each place near a clearance, how many vehicles came by and how many of them drove on under \
            it. The counts name no vehicle and no time. Every recorded vehicle counts, however high, as one that nobody \
            had told anything: do not give recordings of a fleet that had alerts by then, whose drivers turned off \
            because of them. The gateway counts by itself, and leaves out whom it may have told.

            With --config the counts are added to those in the gateway's store, which must not run meanwhile. --import \
            adds those of another fleet, and --export writes all of them: those in the store, or without --config those \
            that were counted now. They are CSV, of places and clearances under numbers made of OSM ids, so that they \
            fit every road file of the same roads.

            Traces are those that `headroom replay` reads; of what they hold positions and consent count.
            """)

    @Option(
        help: "Road file made by `headroom roads build`; several are joined (default: the configuration's).",
        completion: .file(extensions: ["roads"]))
    var roads: [String] = []

    @OptionGroup var config: ConfigOption

    @Option(help: "Effective height whose low bridges are counted (default: heights.assumed and heights.margin).")
    var height: LengthArgument?

    private var effective: Centimetres? { height.map { ($0.tenthMillimetres + 99) / 100 } }

    @Option(help: "The vehicle of a trace that names none; without it the file's name, stdin for standard input.")
    var vehicle: String?

    @Option(name: .customLong("import"), help: "Add these counts, which another --export wrote.", completion: .file())
    var imports: [String] = []

    @Option(help: "Write all counts into this file.", completion: .file(extensions: ["csv"]))
    var export: String?

    @Argument(help: "Recordings, as `headroom replay` reads them; - for standard input.", completion: .file())
    var traces: [String] = []

    func validate() throws {
        guard !traces.isEmpty || !imports.isEmpty || export != nil else {
            throw ValidationError("There is nothing to do: give traces, --import or --export.")
        }
        guard config.path != nil || export != nil else {
            throw ValidationError("Give --config, whose store the counts are added to, or --export FILE.")
        }
        guard (1...600).contains(effective ?? 1) else {
            throw ValidationError("Expected a height from 0.01 m to 6 m, got \(height?.text ?? "").")
        }
        guard traces.count(where: { $0 == TraceFile.standardInput }) <= 1 else {
            throw ValidationError("Standard input can be read once: give - once.")
        }
    }

    func run() throws {
        var settings = try config.settings()
        if !roads.isEmpty { settings.roads = roads }
        // Counts that are imported may be exported under the same name, with those that were added.
        let recordings = traces.filter { $0 != TraceFile.standardInput }
        let own = config.path.map { [$0, settings.store] } ?? []
        try OutputFiles.require(
            [("--export", export)],
            besides: recordings + settings.roads + settings.clearances + settings.fences + own)
        // What is wrong with a file shows before minutes of counting.
        var history = try imports.reduce(into: HazardHistory()) { $0.add(try Self.read($1)) }
        let configuration: GatewayConfiguration
        do {
            configuration = try GatewayConfiguration(settings, version: programVersion)
        } catch {
            throw CommandError.usage("\(error)")
        }
        let makesStore = try config.path != nil && isStoreMissing(configuration)
        var failure: CommandError?
        if !traces.isEmpty {
            let counted = try counted(settings, configuration)
            history.add(counted.0)
            failure = counted.1
        }
        Terminal.error("\(history.size) counts added")
        if config.path != nil { history = try kept(history, configuration, makesStore: makesStore) }
        if let export { try write(history, to: export) }
        // It is told already.
        if let failure { throw ExitCode(failure.status) }
    }

    /// - Returns: what was counted, and the first failure, where not all traces could be used.
    private func counted(
        _ settings: Settings, _ configuration: GatewayConfiguration
    ) throws -> (HazardHistory, CommandError?) {
        guard !settings.roads.isEmpty else {
            throw CommandError.usage("give --roads FILE, or --config FILE that names one")
        }
        let files = try GatewayFiles(settings, keepsJoinedRoads: false) { Terminal.error($0) }
        let setting = TraceSetting(
            vehicle: vehicle, levels: Array(repeating: "learn", count: configuration.pattern.namedLevelCount),
            configuration: configuration)
        guard let network = files.network else { return (HazardHistory(), nil) }
        var observation = TripObservation(
            network, clearances: files.clearances, height: effective, configuration.engine)
        var (traces, failure) = try Trace.readAll(traces, setting)
        for place in ReplayFeed.order(traces) {
            let entry = traces[place.trace].entries[place.entry]
            for reason in entry.inputs.flatMap({ observation.observe($0) }) {
                traces[place.trace].noteUnused(reason, line: entry.line)
            }
        }
        for trace in traces { trace.tellAccount() }
        return (observation.finish(), failure)
    }

    /// Whether there is no store yet, so that what is to be kept makes one, as the gateway would. In a cluster the owner of each
    /// queue does.
    ///
    /// - Throws: also where there is nothing to keep: the name of the store is wrong then.
    private func isStoreMissing(_ configuration: GatewayConfiguration) throws -> Bool {
        do throws(StoreError) {
            _ = try StoreReader(configuration.location)
            return false
        } catch {
            // One of an earlier version is brought up to date where it is opened to be written.
            if case .otherSchema = error { return false }
            let keepsAny = !traces.isEmpty || !imports.isEmpty
            guard case .missing = error, keepsAny, configuration.cluster == nil else { throw CommandError(error) }
            return true
        }
    }

    /// - Returns: what is in the store now.
    private func kept(
        _ history: HazardHistory, _ configuration: GatewayConfiguration, makesStore: Bool
    ) throws -> HazardHistory {
        do {
            let store = try IdleStore(configuration, isMade: makesStore)
            let sum = try store.add(history)
            try store.close()
            Terminal.error("\(configuration.location): \(sum.size) counts")
            return sum
        } catch {
            throw CommandError.failed("\(error)")
        }
    }

    private static func read(_ path: String) throws -> HazardHistory {
        try requireReadable(path)
        do {
            return try HazardHistory(text: String(contentsOf: URL(filePath: path), encoding: .utf8))
        } catch let error as HistoryTextError {
            throw CommandError.failed("\(path):\(error)")
        } catch {
            throw CommandError.failed("\(path): \(error.localizedDescription)")
        }
    }

    private func write(_ history: HazardHistory, to path: String) throws {
        do {
            try writeAtomically(Array(history.text.utf8), to: path)
        } catch {
            throw CommandError.failed("\(error)")
        }
        Terminal.error("\(path): \(history.size) counts")
    }
}
