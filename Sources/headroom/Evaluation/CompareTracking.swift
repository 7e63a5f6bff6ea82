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

/// `headroom compare-tracking`
struct CompareTracking: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare-tracking",
        abstract: "Plays ways of reporting on the same trips: what each sends, what it costs, and what it misses.",
        discussion: """
            Draws trips as evaluate does and plays on each a fix every second, which is the truth and the first row of the \
            table, and beside it continuous (a fix each --interval), significant-change (a fix each 500 m), fence-only (one \
            circular fence round the last fix, which the gateway knows nothing of) and quiet-circle (by the gateway's \
            `tracking` messages). Every device has the same fix at the same second, every gateway the same settings and \
            fences; what they tell is compared with the truth. Equal seeds give equal results, whatever --jobs is.

            --format json prints one object: trips, kilometres, hours, fences (how many), truth and strategies. Each has \
            strategy, interval (seconds), messages, gpsSeconds, radioSeconds, joulesLow, joulesHigh, joules (their middle), \
            alerts and fenceEvents; these two have happened, missed, unfounded (told, but not so in truth), late (by more \
            than 1 s), veryLate (10 s), delays (seconds, sorted) and missedOn (trip numbers). Energy is that of receiver and \
            radio, by low and by high figures; radioSeconds is by the high ones.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var roads: RoadsOption
    @OptionGroup var height: HeightOptions

    @Option(
        help: "GeoJSON files with fences. Without it 30 circles are drawn along the roads, by --seed.",
        completion: .file(extensions: ["geojson"]))
    var fences: [String] = []

    @Option(help: "Trips between random places.")
    var trips = 50

    @Option(help: "Further trips, drawn so that they pass under a low edge.")
    var passing = 0

    @Option(help: "Seed of trips, noise, gaps, outliers and drawn fences.")
    var seed: UInt64 = 1

    @Option(help: "Standard deviation of fixes north and east.")
    var noise = LengthArgument(argument: "5 m")!

    @Option(help: "Seconds between reports of continuous tracking; several separated by commas.")
    var interval = "10"

    @Option(help: "Seconds between reports outside of a quiet circle; several separated by commas.")
    var quietInterval = "1"

    @Option(help: "Chance per second, 0 to 1, that nothing is received for 20 to 90 s then.")
    var gaps = 0.0

    @Option(help: "Chance per fix, 0 to 1, that it is 100 to 1,000 m off and claims to be good.")
    var outliers = 0.0

    @Option(help: "Chance per wake, 0 to 1, that the system leaves a fence-only device under 30 s in the background.")
    var shortBackground = 0.0

    @Option(help: "Chance per wake, 0 to 1, that the system then ends a fence-only device.")
    var endings = 0.0

    @OptionGroup var config: ConfigOption

    @Option(help: "text for people, json for programs.")
    var format = Format.text

    @Option(
        help: "Plot messages an hour against missed events into this file.", completion: .file(extensions: ["svg"]))
    var svg: String?

    @Option(help: "Trips played at the same time (default: the number of cores).")
    var jobs: Int?

    func validate() throws {
        guard trips >= 0, passing >= 0, trips + passing > 0 else {
            throw ValidationError("There is no trip to play.")
        }
        try validate(interval, "--interval")
        try validate(quietInterval, "--quiet-interval")
        guard [gaps, outliers, shortBackground, endings].allSatisfy((0...1).contains) else {
            throw ValidationError("Expected --gaps, --outliers, --short-background and --endings from 0 to 1.")
        }
        if let jobs, jobs < 1 { throw ValidationError("Expected --jobs of 1 or more, got \(jobs).") }
    }

    private func validate(_ text: String, _ option: String) throws {
        let intervals = intervals(text)
        guard !intervals.isEmpty, intervals.allSatisfy({ (1...3600).contains($0) && $0 == $0.rounded() }) else {
            throw ValidationError(
                "Expected \(option) in whole seconds from 1 to 3600, such as 10 or 1,10, got \(text).")
        }
    }

    private func intervals(_ text: String) -> [Seconds] {
        text.split(separator: ",").map { Seconds($0.trimmingCharacters(in: .whitespaces)) ?? 0 }
    }

    private var plan: TrackingPlan {
        var trips = EvaluationPlan()
        (trips.natural, trips.passing, trips.seed) = (max(0, self.trips), max(0, passing), seed)
        (trips.noise, trips.gaps, trips.outliers) = (noise.metres, gaps, outliers)
        let strategies =
            intervals(interval).map { TrackingStrategy.continuous(interval: $0) } + [.significantChange, .fenceOnly]
            + intervals(quietInterval).map { TrackingStrategy.quietCircle(interval: $0) }
        var plan = TrackingPlan(trips, strategies)
        (plan.shortBackground, plan.endings) = (shortBackground, endings)
        return plan
    }

    func run() async throws {
        let settings = try config.settingsToJudgeBy().engine
        if let svg { try CompareTrackingWriter.checkDirectory(of: svg) }
        let network = try roads.open()
        let fences = try CompareTrackingFences(files: fences, network, seed: seed)
        let comparison = TrackingComparison(
            network, height: height.effective, settings: settings, fences: fences.fences, plan: plan)
        let accounts = await TripShare(comparison.plan.trips.numbers, "Playing").accounts(
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount, by: { TrackingWorker(comparison) }
        ) { worker, trip in worker.account(ofTrip: trip) }
        let summary = comparison.sum(accounts)
        guard summary.trips > 0 else { throw CommandError.failed("\(roads.text): too small for a trip") }
        switch format {
        case .text: CompareTrackingWriter.printText(summary, fences)
        case .json: try CompareTrackingWriter.printJSON(summary)
        }
        if let svg { try CompareTrackingWriter.plot(summary, to: svg) }
    }
}
