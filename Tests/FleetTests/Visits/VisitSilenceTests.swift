import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Arrivals of vehicles that fall silent soon after they have stopped.
struct VisitSilenceTests {
    struct Story: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var log: [String]
        var draw: @Sendable (inout VisitTimeline) -> Void

        init(_ description: String, _ log: [String], _ draw: @escaping @Sendable (inout VisitTimeline) -> Void) {
            (testDescription, self.log, self.draw) = (description, log, draw)
        }
    }

    static let stories = [
        Story("A minute at rest, then silence: announced five minutes after the arrival", ["300: arrived? 0–? (1)"]) {
            $0.driveIn()
            $0.stand(60)
        },
        Story(
            "Confirmed by the next fix, hours later, and departed under the same id",
            ["300: arrived? 0–? (1)", "7260: arrived 0–? (2)", "7280: departed 0–7260 (3)"]
        ) {
            $0.driveIn()
            $0.stand(60)
            $0.fix(after: 7200)
            $0.driveOff()
        },
        Story("Withdrawn by the next fix, far away", ["300: arrived? 0–? (1)", "7260: withdrawn 0–? (2)"]) {
            $0.driveIn()
            $0.stand(60)
            $0.fix(after: 7200, east: 9000)
        },
        Story(
            "Withdrawn when two fixes show that it has left, though not by far",
            ["300: arrived? 0–? (1)", "340: withdrawn 0–? (2)"]
        ) {
            $0.driveIn()
            $0.stand(60)
            $0.fix(after: 270, east: 250)
            $0.fix(after: 10, east: 260)
        },
        Story(
            "Went on by 200 m while it was silent, and stayed there: confirmed, and departed under the same id",
            ["300: arrived? 0–? (1)", "600: arrived 0–? (2)", "1220: departed 0–1200 (3)"]
        ) {
            $0.driveIn()
            $0.fix(after: 30, speed: 0)
            $0.fix(after: 570, east: 200, speed: 0)
            $0.stand(600, every: 30)
            $0.driveOff()
        },
        Story("Silent in its first second there, with a speed of 0", ["300: arrived? 0–? (1)"]) {
            $0.driveIn(stopping: 0)
        },
        Story("Silent while it manoeuvres", ["300: arrived? 0–? (1)"]) {
            $0.driveIn(stopping: 1.9)
        },
        Story("Silent at 25 m/s is on its way", []) {
            $0.driveIn(stopping: 25)
        },
        Story("Silent ten seconds after it stopped, where no speed is stated: nobody knows", []) {
            $0.driveIn()
            $0.stand(10)
        },
        Story("Drives off again within the radius, and falls silent", []) {
            $0.driveIn()
            $0.stand(60)
            $0.fix(after: 10, east: 120, speed: 12)
        },
        Story("First seen at rest: nobody knows since when", ["300: arrived? ?–? (1)"]) {
            $0.fix(speed: 0)
        },
        Story("One that reports each minute is not silent after 59 seconds", ["300: arrived 0–? (1)"]) {
            $0.driveIn()
            $0.fix(after: 50, east: 0)
            $0.stand(240, every: 60)
            $0.fix(after: 10)
            $0.stand(60, every: 60)
        },
        Story(
            "One that reports every two minutes is silent after another five",
            ["420: arrived? 0–? (1)"]
        ) {
            $0.driveIn()
            $0.fix(after: 120)
        },
    ]

    @Test("A vehicle that falls silent at rest is presumed to stay", arguments: stories)
    func story(_ story: Story) {
        var timeline = VisitTimeline()
        story.draw(&timeline)
        let dispatcher = Dispatcher(nil)
        for (fix, _) in timeline.fixes {
            dispatcher.tick(fix.time.seconds)
            dispatcher.fix(fix)
        }
        // A silence that has not become long enough is none.
        dispatcher.tick(
            (timeline.fixes.last?.fix.time.seconds ?? 0) + (story.log.last == "300: arrived 0–? (1)" ? 59 : 400))
        #expect(dispatcher.visits.map(Self.line) == story.log)
        #expect(Set(dispatcher.visits.map(\.id)).count <= 1)
        #expect(Self.areApart(dispatcher.visits))
    }

    /// Whether no two have the same id and sequence: a repeat is passed over by whoever reads them.
    private static func areApart(_ visits: [VisitMessage]) -> Bool {
        Set(visits.map { "\($0.id) \($0.sequence)" }).count == visits.count
    }

    private static func line(_ visit: VisitMessage) -> String {
        func text(_ time: Timestamp?) -> String { time.map { "\(Int($0.seconds.rounded()))" } ?? "?" }
        let evidence = visit.phase == .arrived && !visit.isConfirmed ? "?" : ""
        return "\(text(visit.time)): \(visit.phase.rawValue)\(evidence) \(text(visit.arrival))–\(text(visit.departure))"
            + " (\(visit.sequence))"
    }

    /// What is left of a visit in the end: its last message, where that is none of withdrawal.
    private func final(_ visits: [VisitMessage]) -> [String] {
        var last: [String: VisitMessage] = [:]
        for visit in visits { last[visit.id] = visit }
        return last.values.filter { $0.phase != .withdrawn }.map {
            "\($0.id) \($0.arrival?.seconds ?? -1) \($0.departure?.seconds ?? -1) \($0.isConfirmed) \($0.fences)"
        }.sorted()
    }

    static let uploads = [
        Story("It left after ninety seconds", []) {
            $0.stand(90)
            $0.drive(to: 8000, speed: 20)
        },
        Story("It stayed for twenty minutes", []) {
            $0.stand(1200)
            $0.driveOff()
        },
        Story("It left, and came back for a stay", []) {
            $0.stand(90)
            $0.drive(to: 2000, speed: 20)
            $0.drive(to: 0, speed: 20)
            $0.stand(900)
            $0.driveOff()
        },
        Story("It moved on by 100 m and stayed there", []) {
            $0.drive(to: 100, speed: 2)
            $0.stand(900)
            $0.driveOff()
        },
    ]

    @Test(
        "Fixes that come late, from a silence, leave the visits that they would have made in time", arguments: uploads)
    func buffered(_ story: Story) {
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.stand(60)
        let before = timeline.fixes.count
        story.draw(&timeline)
        let fixes = timeline.fixes.map(\.fix)
        let (inTime, late) = (Dispatcher(nil), Dispatcher(nil))
        for fix in fixes { inTime.fix(fix) }
        for fix in fixes[..<before] { late.fix(fix) }
        for second in stride(from: 70.0, to: 4000, by: 30) { late.tick(second) }
        #expect(late.visits.map(\.isConfirmed) == [false])
        late.tell(.location(fixes[before...].reversed()), at: 4000)
        for dispatcher in [inTime, late] { dispatcher.tick(5000) }
        #expect(final(late.visits) == final(inTime.visits))
        #expect(Self.areApart(late.visits))
    }

    @Test(
        "Whether the fix after a silence comes at once or late within the reorder window, the same is told of",
        arguments: [0.0, 0.5, 5, 9.5])
    func delayed(by delay: Seconds) {
        let dispatcher = Dispatcher(nil)
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.stand(60)
        // Seven seconds after the arrival has been presumed.
        timeline.fix(after: 247)
        timeline.driveOff()
        for (fix, _) in timeline.fixes {
            dispatcher.tick(fix.time.seconds + delay)
            dispatcher.tell(.location([fix]), at: fix.time.seconds + delay)
        }
        dispatcher.tick(2000)
        #expect(
            dispatcher.visits.map(Self.line)
                == ["300: arrived? 0–? (1)", "307: arrived 0–? (2)", "327: departed 0–307 (3)"])
    }

    @Test("Kept and read at any time, it goes on as before")
    func restart() throws {
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.stand(60)
        var tracker = VisitTracker()
        var messages: [VisitMessage] = []
        for (fix, _) in timeline.fixes {
            messages += tracker.advance(to: fix, vehicle: VisitTimeline.vehicle, fences: [], timeline.settings)
            tracker = try tracker.roundTripped()
        }
        let deadline = try #require(tracker.deadline(timeline.settings))
        messages += tracker.expire(at: deadline, vehicle: VisitTimeline.vehicle, fences: [], timeline.settings)
        tracker = try tracker.roundTripped()
        #expect(tracker.deadline(timeline.settings) == nil)
        timeline.fix(after: 7200)
        messages += tracker.advance(
            to: timeline.fixes.last!.fix, vehicle: VisitTimeline.vehicle, fences: [], timeline.settings)
        #expect(messages.map(Self.line) == ["300: arrived? 0–? (1)", "7260: arrived 0–? (2)"])
    }

    @Test("A device that may be silent in its quiet circle is not presumed to stay before that ends")
    func quietCircle() throws {
        var settings = EngineSettings()
        settings.trackingGroups = ["quiet"]
        let dispatcher = Dispatcher(nil, settings: settings)
        dispatcher.tell(.profile(HeightProfile(height: 400, source: "driver", groups: ["quiet"])), at: -60)
        var timeline = VisitTimeline()
        timeline.fix(speed: 0)
        dispatcher.fix(timeline.fixes[0].fix)
        let tracking = try #require(dispatcher.trackings.last)
        try #require(tracking.quiet != nil)
        dispatcher.tick(400)
        #expect(dispatcher.visits.isEmpty)
        dispatcher.tick(tracking.validUntil.seconds + 20)
        #expect(dispatcher.visits.map(\.isConfirmed) == [false])
    }
}
