import Fleet
import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@Suite struct VisitTests {
    struct Story: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var draw: @Sendable (inout VisitTimeline) -> Void
        var log: [String]

        init(_ description: String, _ log: [String], _ draw: @escaping @Sendable (inout VisitTimeline) -> Void) {
            testDescription = description
            self.draw = draw
            self.log = log
        }
    }

    static let stays = [
        Story(
            "Ten minutes at the gate: told after five, and at the second fix outside",
            ["300: arrived 0–?", "620: departed 0–600"]
        ) {
            $0.driveIn()
            $0.stand(600)
            $0.driveOff()
        },
        Story("Four minutes and 50 seconds are no visit", []) {
            $0.driveIn()
            $0.stand(290)
            $0.driveOff()
        },
        Story("Exactly five minutes are one", ["300: arrived 0–?", "320: departed 0–300"]) {
            $0.driveIn()
            $0.stand(300)
            $0.driveOff()
        },
        Story("First seen at rest: nobody knows since when", ["300: arrived ?–?", "320: departed ?–300"]) {
            $0.fix()
            $0.stand(300)
            $0.driveOff()
        },
        Story("Seen again after a gap, already at rest: nobody knows since when", ["920: arrived ?–?"]) {
            $0.fix(east: -1000)
            $0.fix(after: 10, east: -800)
            $0.fix(after: 310 + 300, east: 0)
            $0.stand(300)
        },
        Story("A gap of just five minutes is none", ["610: arrived 310–?"]) {
            $0.fix(east: -1000)
            $0.fix(after: 10, east: -800)
            $0.fix(after: 300, east: 0)
            $0.stand(300)
        },
        Story(
            "Silent for an hour between two fixes inside: it was there", ["3600: arrived 0–?", "3620: departed 0–3600"]
        ) {
            $0.driveIn()
            $0.fix(after: 3600, east: 20)
            $0.driveOff()
        },
        Story(
            "Silent, then far away: nobody knows when it left, and one fix is enough",
            ["300: arrived 0–?", "4000: departed 0–?"]
        ) {
            $0.driveIn()
            $0.stand(400, every: 100)
            $0.fix(after: 3600, east: 5000)
        },
        Story(
            "Reporting every ten minutes: a visit from the second fix on", ["1200: arrived ?–?", "2400: departed ?–?"]
        ) {
            $0.fix(east: -9000)
            $0.fix(after: 600, east: 0)
            $0.stand(1200, every: 600)
            $0.fix(after: 600, east: 9000)
        },
        Story("Moving about within the yard is one visit", ["300: arrived 0–?", "1420: departed 0–1400"]) {
            $0.driveIn()
            for _ in 0..<7 {
                $0.drive(to: 100, speed: 1)
                $0.drive(to: 0, speed: 1)
            }
            $0.driveOff()
        },
        Story(
            "Two customers half a kilometre apart are two visits",
            ["300: arrived 0–?", "430: departed 0–410", "730: arrived 430–?"]
        ) {
            $0.driveIn()
            $0.stand(400)
            $0.drive(to: 500, speed: 12.5)
            $0.stand(400)
        },
    ]

    @Test("A stay of five minutes within 150 m is a visit", arguments: stays)
    func stay(_ story: Story) { expect(story) }

    static let outliers = [
        Story("One fix outside, the next one inside", ["300: arrived 0–?", "520: departed 0–500"]) {
            $0.driveIn()
            $0.stand(200)
            $0.fix(after: 10, east: 400)
            $0.fix(after: 10, east: 0)
            $0.stand(190)
            $0.fix(after: 10, east: -300)
            $0.fix(after: 10, east: 0)
            $0.stand(70)
            $0.driveOff()
        },
        Story(
            "Two fixes outside in a row have left, though they come back", ["300: arrived 0–?", "420: departed 0–400"]
        ) {
            $0.driveIn()
            $0.stand(400)
            $0.fix(after: 10, east: 400)
            $0.fix(after: 10, east: 400)
            $0.fix(after: 10, east: 0)
            $0.stand(200)
        },
        Story(
            "One fix outside is no noise where it is more than five minutes from the last inside",
            ["300: arrived 0–?", "1200: departed 0–?"]
        ) {
            $0.driveIn()
            $0.stand(600, every: 300)
            $0.fix(after: 600, east: 5000)
            $0.fix(after: 200, east: 0)
        },
        Story("Nor where the next one inside comes that late", ["300: arrived 0–?", "900: departed 0–300"]) {
            $0.driveIn()
            $0.stand(300)
            $0.fix(after: 250, east: 5000)
            $0.fix(after: 350, east: 0)
        },
        Story("An outlying fix is the last in the recording: nothing is known yet", ["300: arrived 0–?"]) {
            $0.driveIn()
            $0.stand(300)
            $0.fix(after: 10, east: 1000)
        },
    ]

    @Test("Noise does not end a visit", arguments: outliers)
    func noisy(_ story: Story) { expect(story) }

    @Test("A parked truck whose fixes scatter by 40 m for a night is on one visit")
    func scatter() throws {
        var generator = SplitMix64(seed: 7)
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.accuracy = 40
        for _ in 0..<2880 {
            timeline.fix(after: 10, east: 40 * generator.gaussian(), north: 40 * generator.gaussian())
        }
        #expect(timeline.log == ["300: arrived 0–?"])
    }

    static let crawls = [
        Story("A jam at 5 km/h for half an hour", []) {
            $0.driveIn()
            $0.drive(to: 2500, speed: 1.4)
        },
        Story("A jam at 2 km/h for an hour, a fix a second", []) {
            $0.driveIn()
            $0.drive(to: 2100, speed: 0.58, every: 1)
        },
        Story("Stop and go: a minute's standing, 40 m on, for half an hour", []) {
            $0.driveIn()
            for _ in 0..<26 {
                $0.stand(60)
                $0.drive(to: $0.place.east + 40, speed: 4)
            }
        },
        Story(
            "A jam, and then the yard: the visit begins where the jam came within reach of it", ["870: arrived 570–?"]
        ) {
            $0.driveIn()
            $0.drive(to: 840, speed: 1.2)
            $0.stand(400)
        },
    ]

    @Test("Passing slowly is no visit", arguments: crawls)
    func passing(_ story: Story) { expect(story) }

    @Test("A truck that creeps on after its visit has ended it within two radii")
    func creepingAway() throws {
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.stand(600)
        timeline.drive(to: 2000, speed: 0.45)
        let departed = try #require(timeline.messages.first { $0.phase == .departed })
        let departure = try #require(departed.departure)
        #expect((150 / 0.45...300 / 0.45).contains(departure.seconds - 600))
    }

    @Test(
        "However slowly a truck rolls in, its arrival is the first fix within the radius, give or take ten seconds",
        arguments: [0.6, 1, 2, 3, 5])
    func rollingIn(speed: MetresPerSecond) throws {
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.drive(to: 600, speed: speed, every: 1)
        let stop = timeline.clock
        timeline.stand(900, every: 1)
        let arrived = try #require(timeline.messages.first)
        #expect(timeline.messages.count == 1)
        let arrival = try #require(arrived.arrival)
        let way = (stop - arrival.seconds) * speed
        #expect((0...300).contains(way))
        let first = try #require(timeline.fixes.first { $0.fix.time == arrival })
        #expect(first.fix.position.distance(to: arrived.position) <= timeline.settings.radius + 10 * speed)
    }

    private func expect(_ story: Story) {
        var timeline = VisitTimeline()
        story.draw(&timeline)
        #expect(timeline.log == story.log)
    }
}
