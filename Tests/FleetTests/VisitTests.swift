import Fleet
import Geo
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

    // MARK: What the messages say

    @Test("Both phases have one id, that of vehicle and first fix, and sequences 1 and 2")
    func ids() throws {
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.stand(600)
        timeline.driveOff()
        let messages = timeline.messages
        #expect(messages.map(\.sequence) == [1, 2])
        #expect(messages[0].id == messages[1].id)
        #expect(messages[0].id.count == 16)
        var other = VisitTracker()
        let others = timeline.fixes.flatMap {
            other.advance(to: $0.fix, vehicle: VehicleID("T43")!, fences: [], timeline.settings)
        }
        #expect(others[0].id != messages[0].id)
    }

    @Test("Fences are those at the arrival, and those at the last fix inside; sorted")
    func fences() {
        var timeline = VisitTimeline()
        timeline.driveIn()
        timeline.fences = ["yard", "depot"]
        timeline.stand(300)
        timeline.fences = ["yard", "dock", "depot"]
        timeline.stand(300)
        timeline.fences = []
        timeline.driveOff()
        #expect(timeline.messages.map(\.fences) == [["depot", "yard"], ["depot", "dock", "yard"]])
    }

    @Test("The middle leans to the exact fixes, and an outlier does not move it")
    func middle() throws {
        var timeline = VisitTimeline()
        timeline.fix()
        for _ in 0..<30 {
            timeline.accuracy = 5
            timeline.fix(after: 5, east: 0)
            timeline.accuracy = 50
            timeline.fix(after: 5, east: 100)
        }
        timeline.fix(after: 5, east: 900)
        timeline.fix(after: 5, east: 0)
        let position = try #require(timeline.messages.first).position
        #expect(position.distance(to: timeline.point(east: 1)) < 0.5)
    }

    @Test(
        "The accuracy is that of the fixes at rest, however many, and wider where the truck moved about",
        arguments: [(5.0, 0.0, 5.0), (40, 0, 40), (5, 30, 30.4), (nil, 0, 10), (0, 0, 5)] as [(Metres?, Metres, Metres)]
    )
    func accuracy(reported: Metres?, swing: Metres, expected: Metres) throws {
        var timeline = VisitTimeline()
        timeline.accuracy = reported
        timeline.fix(east: swing)
        for _ in 0..<100 {
            timeline.fix(after: 5, east: -swing)
            timeline.fix(after: 5, east: swing)
        }
        let message = try #require(timeline.messages.first)
        #expect(abs(message.accuracy - expected) < 0.2)
    }

    @Test("The altitude is the mean of those that are known, and left out where none is")
    func altitude() throws {
        var timeline = VisitTimeline()
        timeline.fix()
        for altitude in [100.0, nil, 110, nil] as [Metres?] {
            timeline.altitude = altitude
            timeline.stand(100)
        }
        let known = try #require(timeline.messages.first?.altitude)
        #expect(abs(known - 105) < 2)
        timeline = VisitTimeline()
        timeline.fix()
        timeline.stand(300)
        let message = try #require(timeline.messages.first)
        #expect(message.altitude == nil)
    }

    @Test("A yard on the antimeridian has its middle there, not in Africa")
    func antimeridian() throws {
        var timeline = VisitTimeline(origin: Coordinate(latitude: -16.8, longitude: 180))
        timeline.fix()
        for _ in 0..<40 {
            timeline.fix(after: 5, east: -50)
            timeline.fix(after: 5, east: 50)
        }
        let position = try #require(timeline.messages.first).position
        #expect(position.isValid)
        #expect(position.distance(to: timeline.origin) < 2)
    }

    // MARK: Restarts

    @Test("Kept and read after every fix, it says the same", arguments: 1...8)
    func restarts(seed: UInt64) throws {
        let timeline = Self.errands(seed: seed)
        var tracker = VisitTracker()
        var messages: [VisitMessage] = []
        for (fix, fences) in timeline.fixes {
            messages += tracker.advance(
                to: fix, vehicle: VisitTimeline.vehicle, fences: fences, timeline.settings)
            tracker = try tracker.keptAndRead()
        }
        #expect(messages == timeline.messages)
        #expect(messages.count > 4)
    }

    @Test(
        "Arrivals and departures alternate, in time, and each departure closes the arrival before it", arguments: 1...20
    )
    func order(seed: UInt64) {
        let messages = Self.errands(seed: seed).messages
        for (index, message) in messages.enumerated() {
            #expect(message.phase == (index.isMultiple(of: 2) ? .arrived : .departed))
        }
        for (a, b) in zip(messages, messages.dropFirst()) {
            #expect(a.time <= b.time)
            #expect((a.id == b.id) == (b.phase == .departed))
            if let arrival = b.arrival, let departure = a.departure { #expect(departure < arrival) }
        }
    }

    @Test("A vehicle's state stays small, whatever it does", arguments: 1...5)
    func size(seed: UInt64) throws {
        let timeline = Self.errands(seed: seed)
        var tracker = VisitTracker()
        var largest = 0
        for (fix, fences) in timeline.fixes {
            _ = tracker.advance(to: fix, vehicle: VisitTimeline.vehicle, fences: fences, timeline.settings)
            largest = max(largest, tracker.keptBytes.count)
        }
        #expect(largest < 2500)
    }

    /// A day of stops, jams, gaps and outliers.
    private static func errands(seed: UInt64) -> VisitTimeline {
        var generator = SplitMix64(seed: seed)
        var timeline = VisitTimeline()
        timeline.fix()
        for _ in 0..<12 {
            let every = generator.even(1...30).rounded()
            let east = timeline.place.east + generator.even(100...3000)
            timeline.accuracy = generator.isLucky(0.2) ? nil : generator.even(3...60)
            timeline.fences = generator.isLucky(0.5) ? ["yard"] : []
            timeline.drive(to: east, speed: generator.even(0.5...25), every: every)
            for _ in 0..<Int(generator.even(0...1500) / every) {
                let isOutlier = generator.isLucky(0.02)
                timeline.fix(
                    after: every, east: east + generator.gaussian() * (isOutlier ? 500 : 20),
                    north: generator.gaussian() * 20)
            }
            timeline.fix(after: generator.even(1...900).rounded(), east: east)
        }
        return timeline
    }

    private func expect(_ story: Story) {
        var timeline = VisitTimeline()
        story.draw(&timeline)
        #expect(timeline.log == story.log)
    }
}

extension SplitMix64 {
    mutating func even(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + fraction() * (range.upperBound - range.lowerBound)
    }

    mutating func isLucky(_ share: Double) -> Bool { fraction() < share }
}
