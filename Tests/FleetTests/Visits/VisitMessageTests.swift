import Fleet
import Geo
import Messages
import Testing

/// What the messages of a visit say.
struct VisitMessageTests {
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
}
