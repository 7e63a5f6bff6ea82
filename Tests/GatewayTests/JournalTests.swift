import Broker
import Fleet
import FleetTestSupport
import Foundation
import Geo
import Hashing
import Logging
import Messages
import MQTT
import Roads
import Store
import Testing
import Wire

@testable import Gateway

/// A gateway that is killed at any time decides, from what was written and its journal, as one that goes on.
struct JournalTests {
    private static let seconds = 240
    private static let trucks = 12

    /// What is decided, without broker and connection.
    private final class Run {
        private var configuration: GatewayConfiguration
        private let town: QuietTown
        private let folder: URL
        private var store: Store
        private var decider: Decider
        /// Topic, payload and time of all that was to be published.
        private(set) var published: [String] = []
        private(set) var journalMax = 0
        /// Whether the batch before had vehicles whose hazards were awaited.
        private(set) var isAwaiting = false

        init(_ town: QuietTown, snapshotInterval: Double) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            configuration = try .north(
                store: folder.appending(path: "headroom.sqlite").path, snapshotInterval: snapshotInterval, keepEvents: 0
            )
            self.town = town
            store = try Store(path: configuration.store)
            decider = Self.decider(configuration, town, store)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private static func decider(_ configuration: GatewayConfiguration, _ town: QuietTown, _ store: Store) -> Decider
        {
            let engine = Engine(configuration.engine, network: town.network, fences: town.fences)
            return Decider(configuration, engine: engine, store: store)
        }

        /// - Parameter change: of the settings, before it is started again.
        /// - Returns: how many messages followed from the journal that were not published before.
        @discardableResult
        func kill(at now: Timestamp, _ change: (inout GatewayConfiguration) -> Void = { _ in }) throws -> Int {
            change(&configuration)
            try store.close()
            store = try Store(path: configuration.store)
            decider = Self.decider(configuration, town, store)
            let logger = Logger(label: "journal") { _ in SwiftLogNoOpLogHandler() }
            guard let turn = try decider.restore(Intake(configuration), at: now, logger: logger) else { return 0 }
            try commit(turn)
            return turn.effects.envelopes.count
        }

        func take(_ inputs: [Input], _ messages: [ReceivedMessage] = [], at now: Timestamp) throws {
            var taken = Intake.Batch()
            taken.inputs = [.tick(now)] + inputs
            for message in messages { Intake(configuration).take(message, at: now, &taken) }
            let turn = try decider.decide(taken, at: now)
            isAwaiting = !turn.effects.awaiting.isEmpty
            try commit(turn)
            journalMax = max(journalMax, try store.loadJournal().count)
        }

        /// From here on what follows from the map is made when `doMapWork` is called.
        func doMapWorkElsewhere(at now: Timestamp) { decider.engine.doMapWorkElsewhere(at: now) }

        /// - Returns: how many vehicles it mattered to.
        @discardableResult
        func doMapWork(at now: Timestamp) throws -> Int {
            var count = 0
            while let work = decider.engine.takeMapWork() {
                let turn = try decider.install(work.result(), at: now)
                count += turn.effects.changed.count
                try commit(turn)
            }
            return count
        }

        func saveAll(at now: Timestamp) throws { try commit(try decider.saveAll(at: now)) }

        private func commit(_ turn: Turn) throws {
            _ = try store.commit(turn.batch)
            decider.noteCommit(turn)
            published += turn.batch.outbox.map {
                "\(turn.time.milliseconds) \($0.publication.topic) \(String(decoding: $0.publication.payload, as: UTF8.self))"
            }
        }

        var journal: [JournalEntry] { get throws { try store.loadJournal() } }

        /// How often each turn was driven, as stored.
        var turns: [TurnCounts.Row] {
            get throws {
                var rows: [TurnCounts.Row] = []
                try store.loadTurns { rows.append($0) }
                return rows
            }
        }

        func differences(from other: Run) -> [String] { Self.differences(states, other.states) }

        /// Where states first differ, by vehicle.
        static func differences(_ states: [String: [UInt8]], _ others: [String: [UInt8]]) -> [String] {
            Set(states.keys).union(others.keys).sorted().compactMap { vehicle in
                let (mine, theirs) = (states[vehicle] ?? [], others[vehicle] ?? [])
                guard mine != theirs else { return nil }
                let place = zip(mine, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
                return "\(vehicle): byte \(place) of \(mine.count) and \(theirs.count)"
            }
        }

        /// Of each vehicle.
        var states: [String: [UInt8]] {
            Dictionary(
                uniqueKeysWithValues: decider.engine.addresses.map {
                    ($0.vehicle.text, decider.engine.vehicle($0.vehicle)?.encoded() ?? [])
                })
        }
    }

    /// Trucks that wander through the town, some of them slowly, each with a fix every few seconds; now and then one says
    /// something else.
    private static func inputs(seed: UInt64) -> [[Input]] {
        var seconds = Array(repeating: [Input](), count: Self.seconds)
        for number in 0..<trucks {
            var random = SplitMix64(seed: seed, stream: number)
            let address = VehicleAddress(vehicle: VehicleID("truck-\(number)")!)
            var corners = [(random.index(below: 14), random.index(below: 14))]
            while corners.count < 12 {
                let (column, row) = corners[corners.count - 1]
                let next =
                    random.index(below: 2) == 0
                    ? (column + (random.index(below: 2) == 0 ? 1 : -1), row)
                    : (column, row + (random.index(below: 2) == 0 ? 1 : -1))
                if (0..<14).contains(next.0), (0..<14).contains(next.1) { corners.append(next) }
            }
            let every = Seconds(1 + random.index(below: 6))
            let journey = Journey(
                line: corners.map { Drawing.place(Metres($0.0) * 400, Metres($0.1) * 400) }, every: every)
            for fix in journey.fixes where (0..<Double(Self.seconds)).contains(fix.time.seconds) {
                seconds[Int(fix.time.seconds)].append(.report(.location([fix]), from: address, receivedAt: fix.time))
            }
            for _ in 0..<3 {
                let second = random.index(below: Self.seconds)
                let height = 300 + 20 * random.index(below: 8)
                seconds[second].append(
                    .report(.profile(HeightProfile(height: height)), from: address, receivedAt: .at(Seconds(second))))
            }
        }
        return seconds
    }

    /// What is retained: a fence comes, and becomes larger; trucks have routes, which they are expected to follow.
    private static func messages(_ second: Int) -> [ReceivedMessage] {
        func pair(_ column: Int, _ row: Int) -> String {
            let place = Drawing.place(Metres(column) * 400, Metres(row) * 400)
            return "[\(place.longitude), \(place.latitude)]"
        }
        func message(_ topic: String, _ payload: String) -> ReceivedMessage {
            ReceivedMessage(topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retained: false)
        }
        var messages: [ReceivedMessage] = []
        if let radius = [70: 150, 140: 320][second] {
            messages.append(
                message(
                    "headroom/fences/later",
                    """
                    {"type": "Feature", "geometry": {"type": "Point", "coordinates": \(pair(5, 5))},
                     "properties": {"name": "later", "radius": \(radius)}}
                    """))
        }
        if second > 0, second % 20 == 0 {
            let waypoints = [pair(second / 20, 13), pair(13, second / 20)].joined(separator: ", ")
            messages.append(message("fleet/truck-\(second / 20 - 1)/route", "{\"waypoints\": [\(waypoints)]}"))
        }
        return messages
    }

    @Test(
        "Killed after whichever batch, it goes on as if it had not been: the same messages, and in the end the same state",
        arguments: 1...6)
    func killed(seed: UInt64) throws {
        let town = try QuietTown(seed: seed)
        let inputs = Self.inputs(seed: seed)
        let (whole, cut) = (try Run(town, snapshotInterval: 20), try Run(town, snapshotInterval: 20))
        var random = SplitMix64(seed: seed)
        var kills = 0
        for (second, batch) in inputs.enumerated() {
            let now = Timestamp.at(Seconds(second))
            try whole.take(batch, Self.messages(second), at: now)
            try cut.take(batch, Self.messages(second), at: now)
            if random.index(below: 5) == 0 {
                #expect(try cut.kill(at: now) == 0)
                kills += 1
            }
        }
        #expect(kills > 20 && whole.published.count > 100)
        let place = zip(cut.published, whole.published).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(place == nil && cut.published.count == whole.published.count, "\(String(describing: place))")
        #expect(cut.differences(from: whole) == [])
    }

    @Test(
        "Killed before or after hazards that trucks wait for are there, it comes to the same messages and states",
        arguments: 1...2)
    func killedWhileWaiting(seed: UInt64) throws {
        let town = try QuietTown(seed: seed)
        let (whole, cut) = (try Run(town, snapshotInterval: 20), try Run(town, snapshotInterval: 20))
        for run in [whole, cut] { run.doMapWorkElsewhere(at: .at(0)) }
        var random = SplitMix64(seed: seed)
        var (waited, killsWaiting) = (0, 0)
        for (second, batch) in Self.inputs(seed: seed).enumerated() {
            let (now, later) = (Timestamp.at(Seconds(second)), Timestamp.at(Seconds(second) + 0.4))
            for run in [whole, cut] { try run.take(batch, Self.messages(second), at: now) }
            let isKilledBefore = whole.isAwaiting || random.index(below: 20) == 0
            if isKilledBefore {
                try cut.kill(at: now)
                cut.doMapWorkElsewhere(at: now)
            }
            let count = try whole.doMapWork(at: later)
            try cut.doMapWork(at: later)
            waited += count
            killsWaiting += isKilledBefore && count > 0 ? 1 : 0
            if random.index(below: 20) == 0 {
                try cut.kill(at: later)
                cut.doMapWorkElsewhere(at: later)
                try cut.doMapWork(at: later)
            }
        }
        #expect(waited > 5 && killsWaiting > 0)
        let place = zip(cut.published, whole.published).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(place == nil && cut.published.count == whole.published.count, "\(String(describing: place))")
        #expect(cut.differences(from: whole) == [])
    }

    @Test("A turn counts once, however often its fixes are delivered again after a crash", arguments: 1...6)
    func turns(seed: UInt64) throws {
        let town = try QuietTown(seed: seed)
        let inputs = Self.inputs(seed: seed)
        let (whole, cut) = (try Run(town, snapshotInterval: 20), try Run(town, snapshotInterval: 20))
        var random = SplitMix64(seed: seed)
        for (second, batch) in inputs.enumerated() {
            let now = Timestamp.at(Seconds(second))
            try whole.take(batch, at: now)
            try cut.take(batch, at: now)
            guard random.index(below: 3) == 0 else { continue }
            try cut.kill(at: now)
            // What was committed and not acknowledged, the newest two batches, comes again.
            let again = Array(inputs[max(0, second - 1)...second].joined())
            try cut.take(again, at: now.adding(0.5))
        }
        let driven = try whole.turns
        #expect(driven.reduce(0) { $0 + $1.count } > 50)
        #expect(try cut.turns == driven)
    }

    @Test("The journal holds the batches of an interval, and no more")
    func bounded() throws {
        let run = try Run(try QuietTown(seed: 1), snapshotInterval: 20)
        for (second, batch) in Self.inputs(seed: 1).enumerated() { try run.take(batch, at: .at(Seconds(second))) }
        #expect((10...21).contains(run.journalMax))
    }

    @Test("Started again with other settings, it publishes what follows from them only now, and does so once")
    func otherSettings() throws {
        let run = try Run(try QuietTown(seed: 2), snapshotInterval: 3_600)
        let inputs = Self.inputs(seed: 2)
        for (second, batch) in inputs.prefix(120).enumerated() { try run.take(batch, at: .at(Seconds(second))) }
        let before = Set(run.published)
        let count = try run.kill(at: .at(120)) { $0.engine.heights.margin = 0.6 }
        let more = run.published.filter { !before.contains($0) }
        #expect(count > 0 && more.count == count, "\(more)")
        #expect(try run.kill(at: .at(120)) == 0)
    }

    @Test("After a clean end nothing is left to be done again")
    func cleanEnd() throws {
        let run = try Run(try QuietTown(seed: 1), snapshotInterval: 3_600)
        for (second, batch) in Self.inputs(seed: 1).prefix(60).enumerated() {
            try run.take(batch, at: .at(Seconds(second)))
        }
        #expect(try !run.journal.isEmpty)
        let states = run.states
        try run.saveAll(at: .at(60))
        #expect(try run.journal.isEmpty)
        try run.kill(at: .at(60))
        #expect(Run.differences(run.states, states) == [])
    }

    @Test("A vehicle that is forgotten, or withdraws its consent, leaves the journal too", arguments: [true, false])
    func forgotten(isAsked: Bool) throws {
        let run = try Run(try QuietTown(seed: 1), snapshotInterval: 3_600)
        let address = VehicleAddress(vehicle: try #require(VehicleID("truck-3")))
        for (second, batch) in Self.inputs(seed: 1).prefix(60).enumerated() {
            try run.take(batch, at: .at(Seconds(second)))
        }
        func mentions(_ name: String) throws -> Bool {
            try run.journal.contains { String(decoding: $0.record, as: UTF8.self).contains(name) }
        }
        #expect(try mentions("truck-3") && mentions("truck-4"))
        try run.take(
            [
                isAsked
                    ? .forget(ForgetRequest(vehicle: address.vehicle, id: nil))
                    : .report(.consent(Consent(.denied)), from: address, receivedAt: .at(60))
            ], at: .at(60))
        #expect(try !mentions("truck-3") && mentions("truck-4"))
        let others = run.states
        #expect(others["truck-3"] == nil && others.count == Self.trucks - 1)
        try run.kill(at: .at(60))
        #expect(Run.differences(run.states, others) == [])
    }
}
