import ArgumentParser
import Fleet
import Foundation
import Gateway
import Geo
import Roads

/// `headroom evaluate`
struct Evaluate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells how many passes were told in time, how far ahead, and how many alerts were for nothing.",
        discussion: """
            Draws trips as a car navigation would choose them, heights ignored, drives them through the engine with noise, \
            and compares what was said with what the trip did. Equal seeds give equal results.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var roads: RoadsOption
    @OptionGroup var height: HeightOptions

    @Option(help: "Trips between random places.")
    var trips = 2_000

    @Option(help: "Further trips, drawn so that they pass under a low edge. False alerts are counted apart from them.")
    var passing = 300

    @Option(help: "Seed of trips and noise.")
    var seed: UInt64 = 1

    @Option(help: "Seconds between fixes; several separated by commas.")
    var interval = "1,10"

    @Option(help: "Standard deviation of fixes north and east.")
    var noise = LengthArgument(argument: "5 m")!

    @Option(help: "Settings to judge by; the defaults without it.", completion: .file(extensions: ["yaml"]))
    var config: String?

    @Option(help: "text for people, json for programs.")
    var format = Format.text

    func validate() throws {
        guard trips >= 0, passing >= 0, trips + passing > 0 else { throw ValidationError("There is no trip to drive.") }
        guard !intervals.isEmpty, intervals.allSatisfy({ (0.1...600).contains($0) }) else {
            throw ValidationError("--interval wants seconds from 0.1 to 600, such as 1,10.")
        }
    }

    private var intervals: [Seconds] { interval.split(separator: ",").map { Double($0) ?? 0 } }

    func run() throws {
        let network = try roads.open()
        let settings: Settings
        do {
            settings = try Settings.load(path: config, environment: [:]).settings
        } catch {
            throw CommandFailure.usage("\(error)")
        }
        var progress = ProgressBar("Driving")
        let results = intervals.enumerated().map { number, interval in
            result(network, EngineSettings(settings), interval) { share in
                progress.update((Double(number) + share) / Double(intervals.count))
            }
        }
        progress.finish()
        try print(results)
    }

    private func result(
        _ network: RoadNetwork, _ settings: EngineSettings, _ interval: Seconds, progress: (Double) -> Void
    ) -> EvaluationPair {
        func evaluator() -> Evaluator {
            Evaluator(
                network, height: height.effective, settings: settings, interval: interval, noise: noise.metres)
        }
        var (natural, drawn) = (evaluator(), evaluator())
        var draw = TripDraw(network, seed: seed)
        for number in 0..<trips {
            if let trip = draw.anywhere() { natural.add(trip, number: number) }
            progress(Double(number) / Double(trips + passing))
        }
        for number in trips..<(trips + passing) {
            if let trip = draw.passing(drawn.hazards) { drawn.add(trip, number: number) }
            progress(Double(number) / Double(trips + passing))
        }
        natural.finish()
        drawn.finish()
        return EvaluationPair(natural: natural.result, passing: drawn.result)
    }

    private func print(_ results: [EvaluationPair]) throws {
        switch format {
        case .text:
            for result in results {
                Terminal.print(result.natural.text("Natural trips"))
                Terminal.print(result.passing.text("Trips drawn to pass under a low edge"))
            }
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            for result in results { Terminal.print([UInt8](try encoder.encode(result))) }
        }
    }
}

/// One interval of fixes. False alerts per distance mean something on natural trips only.
private struct EvaluationPair: Encodable {
    var natural: Evaluation
    var passing: Evaluation
}

extension Evaluation {
    fileprivate func text(_ title: String) -> String {
        let causes = Cause.allCases.map { "\(falseByCause[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
        let stages = ["ahead", "detour", "stop"].map { "\(falseByStage[$0, default: 0]) \($0)" }.joined(separator: ", ")
        return """
            \(title), a fix every \(number(interval)) s: \(trips) trips, \(number(kilometres, 0)) km, \(passes) passes
              told before the detour point          \(share(toldBefore, tellable)) of public passes with a way round, seen twice
              told at least the notice before       \(share(toldWithNotice, noticeable))
              the full mile, on the predicted path  \(share(toldAtTheMile, onPathForTheMile))
              the full mile, all that drove it      \(share(droveAndToldAtTheMile, droveTheMile))
              lead to the detour point              \(number(quantile(leadMetres, 0.1), 0)) m, \(number(quantile(leadSeconds, 0.1))) s (10 %); \(number(quantile(leadMetres, 0.5), 0)) m, \(number(quantile(leadSeconds, 0.5))) s (50 %)
              stop with a way round left            \(wrongStops)
              false alerts per 1,000 km             \(number(falsePer1000Kilometres)) (circles of a mile: \(number(circleFalsePer1000Kilometres)))
                by worst stage                      \(stages)
                by cause                            \(causes)
                above or below the road             \(falseAboveOrBelow)
              engine time per fix                   \(number(engineMicrosecondsPerFix)) µs
            """
    }

    private func quantile(_ sorted: [Double], _ share: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    private func share(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "none to tell" : "\(part) of \(whole) (\(number(Double(part) / Double(whole) * 100)) %)"
    }

    private func number(_ value: Double, _ decimals: Int = 1) -> String { String(format: "%.\(decimals)f", value) }
}
