import Fleet
import FleetTestSupport
import GatewayTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Store
import Testing
import Wire

@testable import Gateway

/// A turn is bounded by what it leads to, and nothing is lost by that.
struct BoundedTurnTests {
    private static let fences = 150
    private static let vehicles = 100

    /// Vehicles that come at once into a place where all fences overlap.
    private func flood(killsAfter passes: Int? = nil) throws -> (told: [String: Int], largest: Int, passes: Int) {
        let run = try PipelineRun()
        let fences = (0..<Self.fences).map { Script.fence("f\($0)", east: 0, #", "dwell": "1 h""#) }
        try run.go(fences, at: .at(-10), passes: 8)
        for number in 0..<Self.vehicles {
            let fix = Fix(position: Drawing.place(Metres(number % 10), 0), time: .at(0), accuracy: 5, speed: 0)
            try run.go([Script.location("T\(number)", fix)], at: .at(0.01 * Seconds(number)), passes: 1)
        }
        var (largest, passed) = (0, 0)
        for pass in 0..<2_000 where pass < 250 || run.outboxCount > 0 {
            if let passes, pass < 60, pass % passes == passes - 1 { try run.kill() }
            let before = run.outboxCount
            try run.go([], at: .at(14 + 0.2 * Seconds(pass)), passes: 1)
            largest = max(largest, run.outboxCount - before)
            if run.outboxCount > before { passed += 1 }
        }
        var told: [String: Int] = [:]
        for publication in run.broker.published where publication.topic.hasSuffix("/event") {
            told[String(decoding: publication.payload, as: UTF8.self), default: 0] += 1
        }
        return (told, largest, passed)
    }

    @Test("What falls due for many vehicles at once is spread over turns, and each of them is told everything once")
    func dueAtOnce() throws {
        let flood = try flood()
        #expect(flood.told.count == Self.fences * Self.vehicles)
        #expect(flood.told.values.allSatisfy { $0 == 1 })
        #expect(flood.largest <= TurnBudget.envelopesMax / 2 + 2 * Self.fences, "\(flood.largest)")
        #expect(flood.passes >= 5)
    }

    @Test("The same with a gateway that is killed in between: nothing is lost")
    func killed() throws {
        let flood = try flood(killsAfter: 7)
        #expect(flood.told.count == Self.fences * Self.vehicles)
    }

    @Test("Profiles that end at one moment are spread over turns too, and each vehicle is told once")
    func oneMoment() throws {
        let vehicles = 5_000
        let run = try PipelineRun(keepEvents: 0)
        let end = Timestamp.at(600)
        let profile = """
            {"height": 4.0, "measured_at": \(Timestamp.at(0).milliseconds), "valid_for": "600 s"}
            """
        let profiles = (0..<vehicles).map {
            Script.Message(topic: "fleet/T\($0)/profile", payload: profile, isRetained: true)
        }
        try run.go(profiles, at: .at(1), passes: 1)
        for pass in 0..<1_000 where pass < 20 || run.outboxCount > 0 {
            try run.go([], at: .at(1 + 0.2 * Seconds(pass)), passes: 1)
        }
        var largest = 0
        for pass in 0..<1_000 where pass < 100 || run.outboxCount > 0 {
            let before = run.outboxCount
            try run.go([], at: end.adding(-5 + 0.2 * Seconds(pass)), passes: 1)
            largest = max(largest, run.outboxCount - before)
        }
        #expect(largest <= TurnBudget.envelopesMax / 2 + 100, "\(largest)")
        let told = run.broker.published.filter { publication in
            String(decoding: publication.payload, as: UTF8.self).contains(#""status":"stale""#)
        }
        #expect(told.count == vehicles && Set(told.map(\.topic)).count == vehicles)
    }

    /// Vehicles that only the journal has as they are now, to none of which what changes matters.
    private struct Unsaved {
        static let (vehicles, atOnce) = (300, 64)

        let run: PipelineRun
        /// How many vehicles each batch wrote that wrote some last.
        private var before: [Int64: Int] = [:]

        init(_ messages: [Script.Message] = []) throws {
            run = try PipelineRun()
            try run.kill {
                $0.statesAtOnce = Self.atOnce
                $0.engine.regions.limit = 1
            }
            try run.take([Script.fence("yard", east: -1_000, "")] + messages, at: .at(-10))
            for second in [0.0, 10] {
                let fixes = (0..<Self.vehicles).map { number in
                    let position = Drawing.place(Metres(number % 10) + 20 * second, 0)
                    let fix = Fix(position: position, time: .at(second), accuracy: 5, speed: 20)
                    return Script.location("T\(number)", fix)
                }
                try run.take(fixes, at: .at(second))
            }
            before = try written()
        }

        private func written() throws -> [Int64: Int] {
            var counts: [Int64: Int] = [:]
            try run.store.loadVehicles { counts[$0.batch, default: 0] += 1 }
            return counts.filter { before[$0.key] == nil }
        }

        /// How many vehicles each batch has written since.
        var batches: [Int] { get throws { Array(try written().values) } }
    }

    @Test("A fence changes once turns of bounded size have written what only the journal has; a kill loses nothing")
    func saving() throws {
        let unsaved = try Unsaved()
        let run = unsaved.run
        // One comes into the new fence right after it.
        let fix = Fix(position: Drawing.place(5_000, 0), time: .at(11), accuracy: 5, speed: 20)
        try run.go([Script.fence("depot", east: 5_000, ""), Script.location("N", fix)], at: .at(11), passes: 2)
        let begun = try unsaved.batches
        #expect(!begun.isEmpty && begun.reduce(0, +) < Unsaved.vehicles)
        #expect(run.broker.unacknowledged.count == 2)
        try run.kill()
        try run.take([], at: .at(12))
        try run.take([], at: .at(40))
        let batches = try unsaved.batches
        #expect(batches.reduce(0, +) == Unsaved.vehicles + 1)
        #expect(batches.allSatisfy { $0 <= Unsaved.atOnce }, "\(batches)")
        let told = run.broker.published.filter { $0.topic.hasSuffix("/event") }
        #expect(told.map(\.topic) == ["fleet/N/event"])
    }

    @Test("A clearance ends by its own time once such turns have written what only the journal has")
    func savingBeforeEnd() throws {
        let place = Script.pair(50_000, 0)
        let clearance = Script.retained(
            "headroom/clearances/site",
            #"""
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(place)}, "properties":
             {"clearance": "3.2 m", "valid_until": "\#(RFC3339.text(.at(15)))"}}
            """#)
        let unsaved = try Unsaved([clearance])
        try unsaved.run.take([], at: .at(14))
        #expect(try unsaved.batches.isEmpty)
        try unsaved.run.go([], at: .at(16), passes: 3)
        let batches = try unsaved.batches
        #expect(batches == Array(repeating: Unsaved.atOnce, count: 3))
        #expect(try unsaved.run.store.meta(TurnComposer.endsKey) == nil)
        try unsaved.run.go([], at: .at(16), passes: 3)
        #expect(try unsaved.batches.reduce(0, +) == Unsaved.vehicles)
        #expect(try unsaved.run.store.meta(TurnComposer.endsKey) == "\(Timestamp.at(16).milliseconds)")
    }

    @Test(
        "A new fence that every device is told of is told over turns, to each once, also by a gateway that is killed before",
        arguments: [false, true])
    func regions(isKilled: Bool) throws {
        let vehicles = 1_500
        let run = try PipelineRun(keepEvents: 0)
        let fixes = (0..<vehicles).map { number in
            let fix = Fix(position: Drawing.place(Metres(number % 100), 0), time: .at(0), accuracy: 5, speed: 0)
            return Script.location("T\(number)", fix)
        }
        /// - Returns: how many messages were stored with a pass at most.
        func finish(from start: Seconds) throws -> Int {
            var largest = 0
            for pass in 0..<1_000 where pass < 100 || run.outboxCount > 0 {
                let before = run.outboxCount
                try run.go([], at: .at(start + 0.2 * Seconds(pass)), passes: 1)
                largest = max(largest, run.outboxCount - before)
            }
            return largest
        }
        try run.take([Script.fence("yard", east: -1_000, "")], at: .at(-10))
        try run.go(fixes, at: .at(0), passes: 1)
        _ = try finish(from: 0)
        let before = run.broker.published.count
        try run.go([Script.fence("depot", east: 5_000, "")], at: .at(60), passes: 1)
        if isKilled { try run.kill() }
        let largest = try finish(from: 60)
        #expect(largest <= TurnBudget.envelopesMax / 2 + 100, "\(largest)")
        let told = run.broker.published[before...].filter { $0.topic.hasSuffix("/regions") }
        #expect(told.count == vehicles && Set(told.map(\.topic)).count == vehicles, "\(told.count)")
    }

    // MARK: A buffered upload

    /// To and fro through a place where all fences overlap, and what comes of it.
    private struct Upload {
        static let fixes: [Fix] = {
            let ends = [Drawing.place(-1_000, 0), Drawing.place(1_000, 0)]
            return Journey(line: (0...60).map { ends[$0 % 2] }, every: 5).fixes
        }()
        static let end = fixes[fixes.count - 1].time.adding(1)

        let run: PipelineRun

        init() throws {
            run = try PipelineRun()
            let fences = (0..<BoundedTurnTests.fences).map { Script.fence("f\($0)", east: 0, "") }
            try run.go(fences, at: .at(-10), passes: 8)
        }

        static func message(_ fixes: some Sequence<Fix>) -> Script.Message {
            let texts = fixes.map { fix in
                let position = fix.position
                return """
                    {"lat": \(position.latitude), "lon": \(position.longitude), "time": \(fix.time.milliseconds)}
                    """
            }
            return Script.Message(topic: "fleet/T1/location", payload: "[\(texts.joined(separator: ","))]")
        }

        /// Passes until all is done.
        ///
        /// - Returns: how many messages were stored with each, up to the one that acknowledged all inputs.
        func finish(killsAfter passes: Int? = nil) throws -> [Int] {
            var stored: [Int] = []
            for pass in 0..<1_000 where pass < 20 || run.outboxCount > 0 || !run.broker.isDoneWithInputs {
                if pass == passes { try run.kill() }
                let (before, isDone) = (run.outboxCount, run.broker.isDoneWithInputs)
                try run.go([], at: Self.end.adding(0.1 * Seconds(pass)), passes: 1)
                if !isDone { stored.append(run.outboxCount - before) }
            }
            return stored
        }

        var events: [String] {
            run.broker.published.filter { $0.topic.hasSuffix("/event") }.compactMap { publication in
                let text = String(decoding: publication.payload, as: UTF8.self)
                return text.firstMatch(of: /"id":"([^"]*)"/).map { String($0.1) }
            }
        }
    }

    @Test("One upload is decided in several turns and acknowledged with the last; its fixes lead to what they do alone")
    func upload() throws {
        let single = try Upload()
        for start in stride(from: 0, to: Upload.fixes.count, by: 10) {
            let some = Upload.fixes[start..<min(start + 10, Upload.fixes.count)]
            try single.run.go(some.map { Upload.message([$0]) }, at: Upload.end, passes: 3)
        }
        _ = try single.finish()
        let whole = try Upload()
        var generator = SplitMix64(seed: 7)
        try whole.run.go([Upload.message(Upload.fixes.shuffled(using: &generator))], at: Upload.end, passes: 0)
        let stored = try whole.finish()
        #expect(stored.count >= 3 && stored.allSatisfy { $0 <= 2 * TurnBudget.envelopesMax }, "\(stored)")
        let (events, expected) = (whole.events, single.events)
        #expect(events.count > 2 * TurnBudget.envelopesMax)
        #expect(events.elementsEqual(expected))
    }

    @Test("The same with a gateway that is killed after a turn: nothing is lost", arguments: [1, 2])
    func uploadKilled(passes: Int) throws {
        let whole = try Upload()
        try whole.run.go([Upload.message(Upload.fixes)], at: Upload.end, passes: 0)
        _ = try whole.finish()
        let killed = try Upload()
        try killed.run.go([Upload.message(Upload.fixes)], at: Upload.end, passes: 0)
        _ = try killed.finish(killsAfter: passes)
        let (events, expected) = (Set(killed.events), Set(whole.events))
        #expect(events.count > 2 * TurnBudget.envelopesMax)
        #expect(events.symmetricDifference(expected).isEmpty)
    }
}
