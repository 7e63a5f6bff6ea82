import ArgumentParser
import FaultCampaign
import Foundation
import Store

/// Runs the fault campaign for as long as it is told to.
@main
struct FaultCampaignProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-campaign",
        abstract: "Runs the gateway among simulated faults, and compares what it says with a run without them.",
        discussion: """
            Engine, pipeline and store are those of the gateway, the store on a real SQLite file; broker, disk, clock and network \
            are simulated from the seed. Exits 0 if everything held, and 1 with the first seed for which something did not, and \
            the command that runs it again.
            """)

    @Option(help: "The first run's seed; each further run has the next one.")
    var seed: UInt64 = 1

    @Option(help: "Ends after so many runs; one, where neither runs, minutes nor faults are given.")
    var runs: Int?

    @Option(help: "Ends after so many minutes.")
    var minutes: Double?

    @Option(help: "Ends after so many faults.")
    var faults: Int?

    @Option(help: "What the store survives: \(StoreDurability.allCases.map(\.rawValue).joined(separator: " or ")).")
    var durability = StoreDurability.power

    @Flag(help: "Goes on after a seed for which something did not hold, and exits 1 in the end.")
    var keepGoing = false

    @Flag(help: "Prints what happens in each run.")
    var trace = false

    @Flag(help: "Prints every run.")
    var verbose = false

    func validate() throws {
        guard (runs ?? 1) > 0, (minutes ?? 1) > 0, (faults ?? 1) > 0 else {
            throw ValidationError("Runs, minutes and faults are above 0.")
        }
    }

    func run() throws {
        let campaign = Campaign(durability: durability) { [trace] time, text in
            if trace { say("\(time) \(text)") }
        }
        var counts: [String: Int] = [:]
        let start = ContinuousClock.now
        var (done, failures, keys, toldAt) = (0, 0, 0, start)
        while !isOver(done, counts, start) {
            let report = try campaign.run(seed: seed + UInt64(done))
            done += 1
            keys += report.keys
            counts.merge(report.faults) { $0 + $1 }
            if verbose {
                say("seed \(report.seed): \(report.faults.sorted { $0.key < $1.key }), digest \(report.digest)")
            }
            if !report.problems.isEmpty {
                failures += 1
                try tell(report, campaign)
                if !keepGoing { break }
            }
            if ContinuousClock.now - toldAt >= .seconds(10) {
                toldAt = .now
                say(
                    "\(done) runs, \(counts.values.reduce(0, +)) faults, \(keys) message keys, \(failures) runs with problems"
                )
            }
        }
        say("\(done) runs, \(counts.values.reduce(0, +)) faults, \(keys) message keys, \(failures) runs with problems")
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { say("  \(count) × \(name)") }
        if failures > 0 { throw ExitCode.failure }
    }

    private func isOver(_ done: Int, _ counts: [String: Int], _ start: ContinuousClock.Instant) -> Bool {
        if let minutes, ContinuousClock.now - start >= .seconds(60 * minutes) { return true }
        if let faults, counts.values.reduce(0, +) >= faults { return true }
        if let runs { return done >= runs }
        return done > 0 && minutes == nil && faults == nil
    }

    private func tell(_ report: Campaign.Report, _ campaign: Campaign) throws {
        say(
            "seed \(report.seed): \(report.problems.count) problems, among faults \(report.faults.sorted { $0.key < $1.key })"
        )
        for problem in report.problems.prefix(20) { say("  \(problem)") }
        if !keepGoing {
            say("these faults are enough for it to fail:")
            for fault in try campaign.shrink(seed: report.seed) { say("  \(fault)") }
        }
        let option = durability == .power ? "" : " --durability \(durability.rawValue)"
        say("run it again: Tests/Campaign/run --seed \(report.seed)\(option)")
    }
}

/// A line, also where a pipe is read.
private func say(_ line: String) {
    print(line)
    fflush(nil)
}

extension StoreDurability: ExpressibleByArgument {}
