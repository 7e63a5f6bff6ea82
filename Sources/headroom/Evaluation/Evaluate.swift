import ArgumentParser
import Evaluation
import Fleet
import Foundation
import Gateway
import Geo
import HeadroomConfiguration
import Messages
import RoadImport
import Roads
import Wire

/// `headroom evaluate`
struct Evaluate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells how many passes were told in time, how far ahead, and how many alerts were for nothing.",
        discussion: """
            Draws trips as a car navigation would choose them, heights ignored, drives them through the engine with \
            noise and, as wanted, gaps and outliers, and compares what was said with what the trip did. Equal seeds give \
            equal results, whatever --jobs is.

            --format json prints one object a line for each interval: {"natural": …, "passing": …}. Both hold counts: \
            trips, kilometres, fixesReported, fixesAccepted, fixesMatched (of vehicles under way), of those fixesMatchedRight \
            (to the road that was driven), engineMicroseconds; passes, of those tellable (public, \
            with a detour, two accepted fixes before the detour point, which is the last turn-off with a detour), of those \
            toldBefore, missed (trip numbers), noticedBefore (by notice or alarm), silenced (no fix within alerts.notice and \
            one interval before the detour point) and silencedToldBefore, noticeable and toldWithNotice, \
            late (trip numbers), droveTheMile, droveAndToldAtTheMile and droveAndNoticedAtTheMile, onPathForTheMile and toldAtTheMile; leadMetres and leadSeconds, sorted; sites, the same \
            by the structure; hours, notices, of those falseNotices; raised (notices and alarms), of those repeated (soon \
            after the end of one of the same structure), doubled (beside an open one) and clearedPasses (cleared though \
            passed); alerts (alarms alone), of those falseAlerts with falseByStage, falseByCause and falseAboveOrBelow; stops, wrongStops and wronglyStopped (trip numbers); \
            circleAlerts and circleFalse, for circles of a mile. interval is in seconds.

            --curve drives all trips once for each of some thresholds of alerts.min_probability, and prints a table of them; \
            in JSON an object a line for each: {"minProbability": …, "results": [{"natural": …, "passing": …}]}.
            """)

    enum Grouping: String, ExpressibleByArgument, CaseIterable {
        case site
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var roads: RoadsOption
    @OptionGroup var height: HeightOptions

    @Option(
        help: """
            Trips between random places; or a GeoJSON file of LineStrings, each of which is a trip drawn by others, along the \
            roads beside it; or "detours": every detour is driven, as its driver is told to.
            """,
        completion: .file(extensions: ["geojson", "json"]))
    var trips = TripsArgument.drawn(2_000)

    @Option(help: "Further trips, drawn so that they pass under a low edge. False alerts are counted apart from them.")
    var passing = 300

    @Option(help: "Seed of trips, noise, gaps and outliers.")
    var seed: UInt64 = 1

    @Option(help: "Seconds between fixes; several separated by commas.")
    var interval = "1,10"

    @Option(help: "Standard deviation of fixes north and east.")
    var noise = LengthArgument(argument: "5 m")!

    @Option(help: "Seconds in which the noise's autocorrelation falls to 1/e (Gauss-Markov process); 0: independent.")
    var noiseCorrelation: Seconds = 0

    @OptionGroup var faults: FaultOptions

    @Flag(help: "Tell each truck's destination before it sets off, as a route of one waypoint.")
    var destinations = false

    @Flag(
        help: "Each driver takes the way that is fastest where each road takes him 0.8 to 1.25 times as long as usual.")
    var variedWays = false

    @Option(help: "Know how the fleet turned on so many further trips, none of which is driven.")
    var learn = 0

    @Option(
        name: .customLong("history"),
        help: "Know what the fleet did at low bridges on so many further trips, none of which is driven.")
    var observed = 0

    @Option(help: "Draw natural trips between so many places of one fleet, those of --learn and --history too.")
    var places: Int?

    @Option(help: "site: passes of each low bridge apart, and the mean over them.")
    var by: Grouping?

    @Option(
        help: """
            Draw into this file what each alerts.min_probability would lead to: full mile against false alarms.
            """,
        completion: .file(extensions: ["svg"]))
    var curve: String?

    @OptionGroup var config: ConfigOption

    @Option(help: "text for people, json for programs.")
    var format = Format.text

    @Option(
        help: "Draw one trip into this file: roads, way, low bridge, detour, and where each stage came.",
        completion: .file(extensions: ["svg"]))
    var svg: String?

    @Option(
        help: "Write the fixes of one trip into this file, for `headroom replay`.",
        completion: .file(extensions: ["csv"]))
    var trace: String?

    @Option(help: "Number of that trip (default: the first that passes a low edge and is told every stage).")
    var trip: Int?

    @Option(help: "Whose roads the picture shows.")
    var attribution = "© OpenStreetMap contributors (ODbL)"

    @Option(help: "Trips driven at the same time (default: the number of cores).")
    var jobs: Int?

    func validate() throws {
        let plan = plan
        guard passing >= 0, !trips.isDrawn || !plan.numbers.isEmpty else {
            throw ValidationError("There is no trip to drive.")
        }
        guard !plan.intervals.isEmpty, plan.intervals.allSatisfy({ (0.1...600).contains($0) }) else {
            throw ValidationError("Expected --interval in seconds from 0.1 to 600, such as 1,10, got \(interval).")
        }
        guard (0...3_600).contains(noiseCorrelation) else {
            throw ValidationError("Expected --noise-correlation in seconds from 0 to 3600, got \(noiseCorrelation).")
        }
        for (name, count) in [("--learn", learn), ("--history", observed)] where !(0...1_000_000).contains(count) {
            throw ValidationError("Expected \(name) from 0 to 1000000, got \(count).")
        }
        if let places, !(2...100_000).contains(places) {
            throw ValidationError("Expected --places from 2 to 100000, got \(places).")
        }
        guard curve == nil || svg == nil && trace == nil else {
            throw ValidationError("Expected --curve, or --svg and --trace, got both.")
        }
        if let jobs, jobs < 1 { throw ValidationError("Expected --jobs of 1 or more, got \(jobs).") }
        guard let trip else { return }
        guard svg != nil || trace != nil else {
            throw ValidationError("--trip chooses what --svg draws and --trace writes: give one of them.")
        }
        guard !trips.isDrawn || plan.numbers.contains(trip) else {
            throw ValidationError("Expected --trip from 0 to \(plan.numbers.count - 1), got \(trip).")
        }
    }

    private var plan: EvaluationPlan {
        var plan = EvaluationPlan()
        switch trips {
        case .drawn(let count): (plan.natural, plan.passing) = (count, max(0, passing))
        case .file, .detours: (plan.natural, plan.passing) = (0, 0)
        }
        plan.seed = seed
        plan.intervals = interval.split(separator: ",").map { Seconds($0.trimmingCharacters(in: .whitespaces)) ?? 0 }
        plan.noise = noise.metres
        plan.noiseCorrelation = noiseCorrelation
        plan.gaps = faults.gaps
        plan.outliers = faults.outliers
        plan.knowsDestinations = destinations
        plan.variesWays = variedWays
        plan.learned = learn
        plan.observed = observed
        plan.places = places
        return plan
    }

    func run() async throws {
        let settings = try config.settingsToJudgeBy().engine
        for file in [svg, trace, curve].compactMap(\.self) { try checkDirectory(of: file) }
        let network = try roads.open()
        var plan = plan
        let given = try trips.given(on: network, height: height.effective, settings)
        if let given { plan.natural = given.count }
        let evaluator = Evaluator(network, height: height.effective, settings: settings, plan: plan, given: given)
        if let curve {
            return try await run(evaluator, thresholdInForce: settings.alerts.minProbability, drawingTo: curve)
        }
        let accounts = await accounts(of: evaluator, "Driving")
        try print(evaluator.sum(accounts), notice: settings.alerts.notice)
        if svg != nil || trace != nil { try write(accounts, evaluator) }
    }

    private func accounts(of evaluator: Evaluator, _ verb: String) async -> [TripAccount] {
        await TripShare(evaluator.plan.numbers, verb).accounts(
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount, by: { evaluator.worker() }
        ) { worker, trip in worker.account(ofTrip: trip) }
    }

    private func run(_ evaluator: Evaluator, thresholdInForce inForce: Double, drawingTo file: String) async throws {
        var points: [ThresholdCurve.Point] = []
        for threshold in ThresholdCurve.thresholds(with: inForce) {
            let evaluator = evaluator.with(minProbability: threshold)
            let accounts = await accounts(of: evaluator, "Driving at \(threshold)")
            points.append(ThresholdCurve.Point(minProbability: threshold, results: evaluator.sum(accounts)))
        }
        let curve = ThresholdCurve(points)
        switch format {
        case .text: Terminal.print(curve.text + "\n")
        case .json: for point in curve.points { try print(json: point) }
        }
        try write(curve.svg(inForce: inForce), to: file)
    }

    private func print(_ results: [EvaluationPair], notice: Seconds) throws {
        switch format {
        case .text:
            for result in results {
                show(trips.isDrawn ? "Natural trips" : "Trips of \(trips)", result.natural, notice)
                if trips.isDrawn { show("Trips drawn to pass under a low edge", result.passing, notice) }
            }
        case .json: for result in results { try print(json: result) }
        }
    }

    private func print(json result: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Terminal.print([UInt8](try encoder.encode(result)))
    }

    private func show(_ title: String, _ evaluation: Evaluation, _ notice: Seconds) {
        Terminal.print(EvaluationReport(title, evaluation, notice: notice, isBySite: by == .site).text + "\n")
    }

    // MARK: One trip

    /// Before minutes of driving rather than after.
    private func checkDirectory(of file: String) throws {
        let directory = URL(filePath: file).deletingLastPathComponent().path()
        guard FileManager.default.isWritableFile(atPath: directory) else {
            throw CommandError.usage("\(directory): no directory that can be written to")
        }
    }

    /// Draws the trip that was chosen, and writes its fixes.
    private func write(_ accounts: [TripAccount], _ evaluator: Evaluator) throws {
        guard let number = trip ?? accounts.filter(\.hasAllStages).map(\.number).min() else {
            throw CommandError.failed("no trip passes a low edge and is told every stage: choose one with --trip")
        }
        var worker = evaluator.worker()
        guard let fixes = worker.fixes(ofTrip: number),
            let picture = worker.picture(ofTrip: number, attribution: attribution)
        else { throw CommandError.failed("the network has no trip \(number)") }
        let vehicle = try VehicleID(argument: "trip-\(number)")
        if let trace { try write(TrackFormat.csv.document(of: vehicle, fixes), to: trace) }
        if let svg { try write(picture, to: svg) }
        Terminal.error("\([svg, trace].compactMap(\.self).joined(separator: ", ")): trip \(number)")
    }

    private func write(_ text: String, to file: String) throws { try write(Array(text.utf8), to: file) }

    private func write(_ bytes: [UInt8], to file: String) throws {
        do {
            try writeAtomically(bytes, to: file)
        } catch {
            throw CommandError.failed("\(error)")
        }
    }
}

extension Evaluator {
    /// One that knows how long its work takes.
    fileprivate func worker() -> EvaluationWorker {
        let clock = ContinuousClock()
        let start = clock.now
        return EvaluationWorker(self) { clock.now - start }
    }
}
