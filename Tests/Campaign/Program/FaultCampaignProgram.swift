import ArgumentParser
import FaultCampaign
import Foundation
import PostgreSQLTestSupport
import Store
import Synchronization

/// Runs the fault campaign for as long as it is told to.
@main
struct FaultCampaignProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-campaign",
        abstract: "Runs the gateway among simulated faults, and compares what it says with a run without them.",
        discussion: """
            Engine, pipeline and store are those of the gateway, the store on a real SQLite file; broker, disk, clock and network \
            are simulated from the seed. With --cluster two gateways share the fleet: RabbitMQ, broker, clock and network are \
            simulated, and the store is a real PostgreSQL server, which is started for it. Exits 0 if everything held, and 1 with the first seed for which something did not, and \
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

    @Flag(help: "Runs two gateways that share the fleet through RabbitMQ and PostgreSQL.")
    var cluster = false

    @Option(help: "So many runs at once; each seed gives what it gives alone.")
    var jobs = 1

    @Flag(help: "Goes on after a seed for which something did not hold, and exits 1 in the end.")
    var keepGoing = false

    @Flag(help: "Prints what happens in each run.")
    var trace = false

    @Flag(help: "Prints every run.")
    var verbose = false

    func validate() throws {
        guard (runs ?? 1) > 0, (minutes ?? 1) > 0, (faults ?? 1) > 0, jobs > 0 else {
            throw ValidationError("Runs, minutes, faults and jobs are above 0.")
        }
    }

    /// Of each job, in megabytes: twice what a run takes. What runs leave behind adds up.
    private static let memoryMax = 250

    /// What has been run, by all jobs together.
    private struct Progress {
        /// The first seed that no job has taken.
        var next: UInt64
        var done = 0
        var failures = 0
        var keys = 0
        /// The longest pass of all runs, in seconds of processor time.
        var passTime = 0.0
        /// How many runs undid commits by a power loss, so that something differs.
        var undone = 0
        /// By the names of faults.
        var counts: [String: Int] = [:]
        var toldAt = ContinuousClock.now
        /// Why a job has ended before all were done.
        var failure: (any Error)?

        var line: String {
            "\(done) runs, \(counts.values.reduce(0, +)) faults, \(keys) message keys, \(failures) runs with problems"
        }

        /// What runs took, and what became of some.
        var closingLine: String {
            let (milliseconds, megabytes) = (Int((passTime * 1_000).rounded(.up)), memoryPeak())
            return "no pass took more than \(milliseconds) ms, all together no more than \(megabytes) MB; "
                + "a power loss undid commits in \(undone) runs"
        }
    }

    func run() throws {
        let progress = Mutex(Progress(next: seed))
        let start = ContinuousClock.now
        let group = DispatchGroup()
        for _ in 0..<jobs {
            group.enter()
            let thread = Thread { [self] in
                do { try work(progress, start) } catch { progress.withLock { $0.failure = $0.failure ?? error } }
                group.leave()
            }
            // As the gateway's.
            thread.stackSize = 16 << 20
            thread.start()
        }
        group.wait()
        let end = progress.withLock { $0 }
        if let failure = end.failure { throw failure }
        say(end.line)
        say(end.closingLine)
        for (name, count) in end.counts.sorted(by: { $0.key < $1.key }) { say("  \(count) × \(name)") }
        if end.failures > 0 { throw ExitCode.failure }
    }

    /// One job.
    private func work(_ progress: borrowing Mutex<Progress>, _ start: ContinuousClock.Instant) throws {
        let server = try cluster ? PostgreSQLServer.shared.get() : nil
        let campaign = Campaign(
            durability: durability, cluster: server, trace: trace ? { time, text in say("\(time) \(text)") } : nil)
        while let seeds = progress.withLock({ takeSeeds(&$0, start) }) {
            for seed in seeds {
                var report = try campaign.run(seed: seed)
                let (memory, memoryMax) = (memoryPeak(), Self.memoryMax * jobs)
                if memory > memoryMax {
                    report.problems.append("all runs so far took \(memory) MB, expected at most \(memoryMax) MB")
                }
                progress.withLock { note(report, &$0) }
                if !report.problems.isEmpty { try tell(report, campaign) }
                if progress.withLock({ isOver($0, start) }) { return }
            }
        }
    }

    private func note(_ report: Campaign.Report, _ progress: inout Progress) {
        progress.done += 1
        progress.keys += report.keys
        progress.passTime = max(progress.passTime, report.passTime)
        if report.undone > 0 { progress.undone += 1 }
        progress.counts.merge(report.faults) { $0 + $1 }
        if !report.problems.isEmpty { progress.failures += 1 }
        if verbose {
            let faults = report.faults.sorted { $0.key < $1.key }
            say("seed \(report.seed): \(faults), \(report.undone) undone, digest \(report.digest)")
        }
        if ContinuousClock.now - progress.toldAt >= .seconds(10) {
            progress.toldAt = .now
            say(progress.line)
        }
    }

    /// The next seeds that have their inputs in common; nil: all are taken, or it is over.
    private func takeSeeds(_ progress: inout Progress, _ start: ContinuousClock.Instant) -> Range<UInt64>? {
        if isOver(progress, start) { return nil }
        let (share, count) = (Campaign.seedsPerScenario, runs ?? (minutes == nil && faults == nil ? 1 : nil))
        let end = count.map { seed + UInt64($0) } ?? .max
        guard progress.next < end else { return nil }
        let seeds = progress.next..<min(end, (progress.next / share + 1) * share)
        progress.next = seeds.upperBound
        return seeds
    }

    private func isOver(_ progress: Progress, _ start: ContinuousClock.Instant) -> Bool {
        if progress.failure != nil || progress.failures > 0 && !keepGoing { return true }
        if let minutes, ContinuousClock.now - start >= .seconds(60 * minutes) { return true }
        return faults.map { progress.counts.values.reduce(0, +) >= $0 } ?? false
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
        var options = "--seed \(report.seed)"
        if durability != .power { options += " --durability \(durability.rawValue)" }
        if cluster { options += " --cluster" }
        say("run it again: Tests/Campaign/run \(options)")
    }
}

/// The most memory that the process has had so far, in megabytes; 0 where the system does not tell.
private func memoryPeak() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { ($0 + 1_023) / 1_024 } ?? 0
}

/// A line, also where a pipe is read.
private func say(_ line: String) {
    print(line)
    fflush(nil)
}

extension StoreDurability: ExpressibleByArgument {}
