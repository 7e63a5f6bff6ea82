import Fleet
import Foundation
import GatewayTestSupport
import Hashing
import Logging
import MQTT
import PostgreSQLTestSupport
import Store
import Testing

@testable import Gateway

/// A gateway that is killed anywhere in a turn, and started again on its store, says all that one says that goes on, and
/// nothing else.
struct PipelineTurnTests {
    /// What a run has said: on each topic each payload once, in the order in which it first came.
    private struct Said {
        /// What has happened, and what is asked for.
        var messages: [String: [String]] = [:]
        /// How things were, by topic of a retained message.
        var states: [String: Set<String>] = [:]
        /// How things are in the end.
        var retained: [BytewiseText: String] = [:]
        /// How often the message that was said most often was said.
        var timesMax = 0

        init(_ broker: TestBroker) {
            var counts: [Publication: Int] = [:]
            for var publication in broker.published where !publication.topic.hasPrefix("headroom/status/") {
                let text = String(decoding: publication.payload, as: UTF8.self)
                // What is left of it differs with when it is sent.
                publication.expirySeconds = nil
                counts[publication, default: 0] += 1
                if publication.retain {
                    states[publication.topic, default: []].insert(text)
                } else if counts[publication] == 1 {
                    messages[publication.topic, default: []].append(text)
                }
            }
            retained = broker.retained.filter { !$0.key.wrappedValue.hasPrefix("headroom/probe/") }
                .mapValues { String(decoding: $0.payload, as: UTF8.self) }
            timesMax = counts.filter { !$0.key.retain }.values.max() ?? 0
        }

        /// What is lost, comes in another order, or was never to be said; empty: nothing.
        func differences(from whole: Said) -> [String] {
            var lines: [String] = []
            for topic in Set(messages.keys).union(whole.messages.keys).sorted() {
                let (mine, others) = (messages[topic] ?? [], whole.messages[topic] ?? [])
                lines += others.filter { !mine.contains($0) }.map { "lost on \(topic): \($0)" }
                lines += mine.filter { !others.contains($0) && topic != Script.repeatedRequests }
                    .map { "unheard of on \(topic): \($0)" }
                if mine.filter(others.contains) != others { lines.append("another order on \(topic)") }
            }
            for (topic, texts) in states {
                lines += texts.subtracting(whole.states[topic] ?? []).map { "unheard of on \(topic): \($0)" }
            }
            for topic in Set(retained.keys).union(whole.retained.keys) where retained[topic] != whole.retained[topic] {
                lines.append("retained on \(topic): \(retained[topic] ?? "nothing")")
            }
            return lines
        }
    }

    private static func run(
        _ steps: [Script.Step], crashes: [Int: CrashPoint] = [:], in location: StoreLocation? = nil, shards: Int = 1
    ) throws -> Said {
        let run = try PipelineRun(location: location, shards: shards)
        for (index, step) in steps.enumerated() { try run.take(step.messages, at: step.time, crash: crashes[index]) }
        return Said(run.broker)
    }

    private static let undisturbed = Result { try run(Script.steps) }

    private func expect(_ said: Said, equals whole: Said, crashes: Int, _ comment: Comment) {
        #expect(said.differences(from: whole) == [], comment)
        #expect(said.timesMax <= crashes + 1, comment)
    }

    @Test("The log at its default level names no vehicle and no clearance, of which both tell where somebody is")
    func log() throws {
        for (level, isNamed) in [(Logger.Level.info, false), (.debug, true)] {
            let lines = LogLines()
            let run = try PipelineRun(logger: lines.logger(level))
            for step in Script.steps { try run.take(step.messages, at: step.time) }
            #expect(!lines.all.isEmpty)
            #expect(lines.all.contains { $0.contains("T42") || $0.contains("survey-12") } == isNamed, "\(lines.all)")
        }
    }

    @Test("The series brings about every stage of an alert, fence events, a visit, requests and results")
    func series() throws {
        let said = try Self.undisturbed.get()
        func members(_ topic: String, _ name: String) throws -> [String] {
            try (said.messages[topic] ?? []).compactMap {
                try (JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?[name] as? String
            }
        }
        #expect(try members("fleet/T42/alert", "stage") == ["ahead", "detour", "stop", "passed"])
        #expect(Set(try members("fleet/T42/event", "event")) == ["determined", "enter", "exit", "dwell"])
        #expect(try members("fleet/T42/visit", "phase") == ["arrived"])
        #expect(try members("fleet/T7/request", "kind") == ["height-required"])
        #expect(try members("headroom/clearances/survey-12/result", "status") == ["monitoring"])
        #expect(said.timesMax == 1)
    }

    @Test("A message is acknowledged when what it leads to is committed and handed to the connection")
    func order() throws {
        let run = try PipelineRun()
        for step in Script.steps.prefix(3) {
            try run.take([], at: step.time)
            let first = try #require(try run.acknowledgements(of: step.messages, at: step.time).first)
            #expect(first.stored > 0 && first.published == first.stored)
        }
    }

    @Test("A start, with a new session or after a kill, comes to its end without a pass that waits in vain")
    func startWithoutWaiting() throws {
        let run = try PipelineRun()
        let messages = try #require(Script.steps.first)
        for _ in 0..<3 {
            try run.passWithoutWaiting(at: messages.time)
            #expect(!run.shared.readiness.problems.contains { $0.contains("probe") })
            try run.take(messages.messages, at: messages.time)
            try run.kill()
        }
    }

    @Test(
        "Killed once, at whichever message: nothing is lost, and nothing is said otherwise",
        arguments: CrashPoint.allCases)
    func killedOnce(point: CrashPoint) throws {
        let whole = try Self.undisturbed.get()
        for index in Script.steps.indices {
            let said = try Self.run(Script.steps, crashes: [index: point])
            expect(said, equals: whole, crashes: 1, "killed when step \(index) was \(point)")
        }
    }

    @Test("A fleet that is divided is told what one is that is not", arguments: [2, 4])
    func divided(shards: Int) throws {
        let said = try Self.run(Script.steps, shards: shards)
        expect(said, equals: try Self.undisturbed.get(), crashes: 0, "\(shards) shards")
    }

    @Test("Divided and killed at every message: the same", arguments: CrashPoint.allCases)
    func killedDivided(point: CrashPoint) throws {
        let crashes = Dictionary(uniqueKeysWithValues: Script.steps.indices.map { ($0, point) })
        let said = try Self.run(Script.steps, crashes: crashes, shards: 3)
        expect(said, equals: try Self.undisturbed.get(), crashes: 1, "always \(point)")
    }

    @Test("Divided in PostgreSQL and killed at every message: the same", arguments: [CrashPoint.committed])
    func killedDividedOnPostgreSQL(point: CrashPoint) throws {
        let crashes = Dictionary(uniqueKeysWithValues: Script.steps.indices.map { ($0, point) })
        let location = StoreLocation.postgreSQL(try PostgreSQLServer.shared.get().newSchema())
        let said = try Self.run(Script.steps, crashes: crashes, in: location, shards: 2)
        expect(said, equals: try Self.undisturbed.get(), crashes: 1, "always \(point)")
    }

    @Test("Divided, a message is acknowledged when every shard has committed what came before it")
    func orderDivided() throws {
        let run = try PipelineRun(shards: 2)
        for step in Script.steps.prefix(3) {
            try run.take([], at: step.time)
            let first = try #require(try run.acknowledgements(of: step.messages, at: step.time).first)
            #expect(first.stored > 0 && first.published == first.stored)
        }
    }

    @Test("Killed at every message on a store in PostgreSQL: the same", arguments: CrashPoint.allCases)
    func killedOnPostgreSQL(point: CrashPoint) throws {
        let crashes = Dictionary(uniqueKeysWithValues: Script.steps.indices.map { ($0, point) })
        let location = StoreLocation.postgreSQL(try PostgreSQLServer.shared.get().newSchema())
        let said = try Self.run(Script.steps, crashes: crashes, in: location)
        expect(said, equals: try Self.undisturbed.get(), crashes: 1, "always \(point)")
    }

    @Test("Killed at every message: the same")
    func killedAlways() throws {
        let whole = try Self.undisturbed.get()
        for point in CrashPoint.allCases {
            let crashes = Dictionary(uniqueKeysWithValues: Script.steps.indices.map { ($0, point) })
            expect(try Self.run(Script.steps, crashes: crashes), equals: whole, crashes: 1, "always \(point)")
        }
    }

    @Test(
        "Killed now and then, where chance has it, and with several messages in one turn: the same", arguments: 1...10)
    func killedAtRandom(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var steps: [Script.Step] = []
        for step in Script.steps {
            // Consent that is taken back and given again in one turn is a vehicle that is forgotten and comes back.
            if let last = steps.last, last.messages.count < 4, Bool.random(using: &random),
                !(last.messages + step.messages).contains(where: { $0.topic.hasSuffix("/consent") })
            {
                steps[steps.count - 1] = Script.Step(time: step.time, messages: last.messages + step.messages)
            } else {
                steps.append(step)
            }
        }
        var crashes: [Int: CrashPoint] = [:]
        for index in steps.indices where Int.random(in: 0..<4, using: &random) == 0 {
            crashes[index] = CrashPoint.allCases.randomElement(using: &random)
        }
        let whole = try Self.run(steps)
        expect(try Self.run(steps, crashes: crashes), equals: whole, crashes: 1, "\(crashes)")
    }
}
