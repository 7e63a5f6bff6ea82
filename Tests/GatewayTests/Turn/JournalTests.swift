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

    /// What is retained: a fence comes, and becomes larger; clearances come, and end by themselves or are taken back; trucks have
    /// routes, which they are expected to follow.
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
        // In the middle of streets.
        for number in 0..<8 where second == 30 + 10 * number {
            let place = Drawing.place(Metres(400 * number + 1_000), 2_000 + Metres(400 * (number % 4)))
            messages.append(
                message(
                    "headroom/clearances/site-\(number)",
                    """
                    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [\(place.longitude), \(place.latitude)]},
                     "properties": {"clearance": "3.1 m", "valid_until": "\(RFC3339.text(.at(Seconds(second) + 45.5)))"}}
                    """))
        }
        if second == 85 { messages.append(message("headroom/clearances/site-4", "")) }
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
        let (whole, cut) = (try JournalRun(town, snapshotInterval: 20), try JournalRun(town, snapshotInterval: 20))
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
        let (whole, cut) = (try JournalRun(town, snapshotInterval: 20), try JournalRun(town, snapshotInterval: 20))
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
        let (whole, cut) = (try JournalRun(town, snapshotInterval: 20), try JournalRun(town, snapshotInterval: 20))
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
        let run = try JournalRun(try QuietTown(seed: 1), snapshotInterval: 20)
        for (second, batch) in Self.inputs(seed: 1).enumerated() { try run.take(batch, at: .at(Seconds(second))) }
        #expect((10...21).contains(run.journalMax))
    }

    @Test("Started again with other settings, it publishes what follows from them only now, and does so once")
    func otherSettings() throws {
        let run = try JournalRun(try QuietTown(seed: 2), snapshotInterval: 3_600)
        let inputs = Self.inputs(seed: 2)
        for (second, batch) in inputs.prefix(120).enumerated() { try run.take(batch, at: .at(Seconds(second))) }
        let before = Set(run.published)
        let count = try run.kill(at: .at(120)) { configuration in
            configuration.engine.heights.margin = 0.6
            configuration.engine.showsPosition = true
        }
        let more = run.published.filter { !before.contains($0) }
        #expect(count > 0 && more.count == count, "\(more)")
        #expect(try run.kill(at: .at(120)) == 0)
    }

    @Test(
        "Started again with other settings, no alert begins or rises by a position more than 60 s old, and who is told of none has none open",
        arguments: [1, 75] as [Seconds], 1...4 as ClosedRange<UInt64>)
    func otherSettingsLater(wait: Seconds, seed: UInt64) throws {
        struct Alert: Decodable {
            var id: String
            var stage: AlertMessage.Stage
        }
        func alerts(_ published: some Sequence<String>) -> [Alert] {
            published.map { $0.split(separator: " ", maxSplits: 2) }.filter { $0[1].hasSuffix("/alert") }
                .compactMap { try? JSONDecoder().decode(Alert.self, from: Data($0[2].utf8)) }
        }
        let run = try JournalRun(try QuietTown(seed: seed), snapshotInterval: 3_600)
        for (second, batch) in Self.inputs(seed: seed).prefix(120).enumerated() {
            try run.take(batch, at: .at(Seconds(second)))
        }
        let count = run.published.count
        try run.kill(at: .at(119 + wait)) { $0.engine.heights.margin = 0.6 }
        let more = alerts(run.published.dropFirst(count))
        #expect(wait < 60 || more.allSatisfy { $0.stage.isEnd })
        #expect(run.openAlerts.isSubset(of: Set(alerts(run.published).map(\.id))))
    }

    @Test("After a clean end nothing is left to be done again")
    func cleanEnd() throws {
        let run = try JournalRun(try QuietTown(seed: 1), snapshotInterval: 3_600)
        for (second, batch) in Self.inputs(seed: 1).prefix(60).enumerated() {
            try run.take(batch, at: .at(Seconds(second)))
        }
        #expect(try !run.journal.isEmpty)
        let states = run.states
        try run.saveAll(at: .at(60))
        #expect(try run.journal.isEmpty)
        try run.kill(at: .at(60))
        #expect(JournalRun.differences(run.states, states) == [])
    }

    @Test("A vehicle that is forgotten, or withdraws its consent, leaves the journal too", arguments: [true, false])
    func forgotten(isAsked: Bool) throws {
        let run = try JournalRun(try QuietTown(seed: 1), snapshotInterval: 3_600)
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
        #expect(JournalRun.differences(run.states, others) == [])
    }
}
