import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Fences that are not always in force. All timelines begin on Saturday, 2026-11-21 at 09:00 in Detroit.
struct FenceHoursTests {
    private let hour: Seconds = 3600

    private func hours(_ week: String) throws -> Fence {
        let hours = try WeeklyHours(zone: "America/Detroit", week: week)
        return Yard.fence("yard") { $0.hours = hours }
    }

    @Test("When the hours begin, who is inside is determined to be, without a fix; when they end, no exit")
    func parked() throws {
        let dispatcher = Dispatcher(nil, fences: [try hours("Sa 10:00-12:00")])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(hour - 1)
        #expect(dispatcher.events == [])
        dispatcher.tick(hour + 15)
        #expect(dispatcher.fenceLog == ["3600 determined yard"])
        #expect(dispatcher.events[0].time == .at(hour))
        #expect(dispatcher.states.last?.fences == [FenceStay(fence: "yard", since: .at(hour))])
        dispatcher.tick(3 * hour + 15)
        #expect(dispatcher.states.last?.fences == [])
        #expect(dispatcher.events.count == 1)
    }

    @Test("Out of its hours a fence has no border")
    func closed() throws {
        let dispatcher = Dispatcher(nil, fences: [try hours("Mo-Fr 06:00-18:00")])
        for fix in Yard.drive(from: -300, to: 900) { dispatcher.fix(fix) }
        dispatcher.tick(300)
        #expect(dispatcher.events == [])
    }

    @Test("A fence holds from the start of its validity to its end")
    func validity() {
        let fence = Yard.fence("yard") { fence in
            (fence.validFrom, fence.validUntil) = (.at(100), .at(200))
            fence.vehicles = [VehicleID("T42")!]
        }
        let dispatcher = Dispatcher(nil, fences: [fence])
        for fix in Yard.drive(from: -300, to: 900, every: 5) { dispatcher.fix(fix) }
        dispatcher.tick(300)
        #expect(dispatcher.fenceLog == ["100 determined yard"])
        #expect(dispatcher.events[0].state == .outside)
    }

    @Test("A dwell ends with the hours")
    func dwell() throws {
        var fence = try hours("Sa 08:00-10:00")
        fence.dwell = 2 * hour
        let dispatcher = Dispatcher(nil, fences: [fence])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(4 * hour)
        #expect(dispatcher.fenceLog == ["0 determined yard"])
    }

    /// Eastwards at 10 m/s, in the yard from 50 to 90 s; no fix between 10 and 120 s.
    private let sparse = [(-500.0, 0.0), (-450, 5), (-400, 10), (700, 120), (750, 125), (800, 130)]

    @Test(
        "A way before a fence comes into force crosses no border of it; who is inside then is determined to be",
        arguments: [
            (20.0, ["50 enter yard", "90 exit yard"]), (80, ["80 determined yard", "90 exit yard"]), (100, []),
        ] as [(Seconds, [String])])
    func openingBetweenFixes(opening: Seconds, expected: [String]) {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence { $0.validFrom = .at(opening) }])
        for (east, seconds) in sparse { dispatcher.fix(Yard.fix(east, at: seconds)) }
        dispatcher.tick(200)
        #expect(dispatcher.fenceLog == expected)
    }

    // MARK: Between two fixes

    /// Where a truck was, how far east and when.
    typealias Place = (east: Metres, at: Seconds)

    /// What is told of the yard where it names the truck: `60 determined outside`. It is the same with a tick every second as
    /// with none before the end, and no two messages have one id.
    private func log(_ places: [Place], _ change: (inout Fence) -> Void) -> [String] {
        let yard = Yard.fence {
            $0.vehicles = [VehicleID("T42")!]
            change(&$0)
        }
        let replayed = Dispatcher(nil, fences: [yard])
        let live = Dispatcher(nil, fences: [yard])
        for (previous, place) in zip([places[0]] + places, places) {
            for second in stride(from: previous.at, to: place.at, by: 1) { live.tick(second) }
            for dispatcher in [live, replayed] { dispatcher.fix(Yard.fix(place.east, at: place.at)) }
        }
        for dispatcher in [live, replayed] { dispatcher.tick(1_000) }
        #expect(live.events == replayed.events)
        #expect(Set(replayed.events.map(\.id)).count == replayed.events.count)
        return replayed.events.sideLog
    }

    /// Eastwards at 10 m/s, with no fix for 70 s to 110 s.
    private static let leaving: [Place] = [
        (200, 0), (200, 10), (1_200, 110), (1_250, 115), (1_300, 120), (1_600, 150),
    ]
    private static let coming: [Place] = [
        (-600, 0), (-550, 5), (-500, 10), (200, 80), (200, 85), (200, 90), (200, 120),
    ]
    private static let passing: [Place] = [
        (-500, 0), (-450, 5), (-400, 10), (700, 120), (750, 125), (800, 130),
    ]

    @Test(
        "On which side a vehicle was as a fence came into force is told by its way to the next fix, not by the fix before",
        arguments: [
            // In the yard until 30 s.
            (leaving, 20.0, ["20 determined inside", "30 exit outside"]), (leaving, 60, ["60 determined outside"]),
            // From 60 s on.
            (coming, 40, ["40 determined outside", "60 enter inside"]), (coming, 70, ["70 determined inside"]),
            // From 50 to 90 s.
            (passing, 40, ["40 determined outside", "50 enter inside", "90 exit outside"]),
            (passing, 70, ["70 determined inside", "90 exit outside"]), (passing, 100, ["100 determined outside"]),
            // At a fix.
            (passing, 10, ["10 determined outside", "50 enter inside", "90 exit outside"]),
            (passing, 120, ["120 determined outside"]),
        ] as [([Place], Seconds, [String])])
    func wayAtOpening(places: [Place], opening: Seconds, expected: [String]) {
        #expect(log(places) { $0.validFrom = .at(opening) } == expected)
    }

    @Test(
        "Where the next fix is too late for the way to be known, the last one tells on which side a vehicle was",
        arguments: [
            (300.0, 100.0, ["100 determined outside"]), (301, 100, ["100 determined inside", "301 exit outside"]),
            (700, 100, ["100 determined inside", "700 exit outside"]),
            (700, 500, ["500 determined inside", "700 exit outside"]),
        ] as [(Seconds, Seconds, [String])])
    func silence(nextFix: Seconds, opening: Seconds, expected: [String]) {
        let places: [Place] = [
            (200, -10), (200, 0), (1_200, nextFix), (1_250, nextFix + 5), (1_300, nextFix + 10), (1_600, nextFix + 40),
        ]
        #expect(log(places) { $0.validFrom = .at(opening) } == expected)
    }

    @Test("It is told as soon as that is certain: by a fix, or by the end of the time in which one could tell")
    func told() {
        let fence = Yard.fence { $0.validFrom = .at(100) }
        let dispatcher = Dispatcher(nil, fences: [fence])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(300)
        #expect(dispatcher.events == [])
        // Nobody knows yet that the vehicle is outside of all others.
        #expect(dispatcher.kept?.fences.asOf == .at(0))
        dispatcher.tick(320)
        #expect(dispatcher.fenceLog == ["100 determined yard"])
        #expect(dispatcher.events.first?.time == .at(300.001))
        #expect(dispatcher.kept?.fences.stays == [FenceStay(fence: "yard", since: .at(100))])
        #expect(dispatcher.kept?.fences.asOf == .at(300.001))
        let other = Dispatcher(nil, fences: [fence])
        for seconds in [0.0, 110] { other.fix(Yard.fix(200, at: seconds)) }
        other.tick(130)
        #expect(other.fenceLog == ["100 determined yard"])
        #expect(other.events.first?.time == .at(110))
    }

    @Test(
        "Hours that end and begin again between two fixes are times of their own, each with its own side",
        arguments: [
            // Out of the yard at 110 s, while it is not in force, and at 143 s.
            (160.0, ["0 determined inside", "120 determined outside"]),
            (210, ["0 determined inside", "120 determined inside", "143 exit outside"]),
        ] as [(Seconds, [String])])
    func closedBetween(nextFix: Seconds, expected: [String]) throws {
        // Not from 60 s to 120 s.
        let hours = try WeeklyHours(zone: "America/Detroit", week: "Sa 08:00-09:01,09:02-12:00")
        let places: [Place] = [
            (200, 0), (200, 10), (500, nextFix), (550, nextFix + 5), (600, nextFix + 10), (900, nextFix + 40),
        ]
        #expect(log(places) { $0.hours = hours } == expected)
    }

    @Test(
        "What only a fix says that was taken after a fence went out of force is not told of it",
        arguments: [
            (leaving, 20.0, "0 determined inside"), (leaving, 80, "0 determined inside"),
            (coming, 70, "0 determined outside"), (coming, 80, "0 determined outside"),
            (passing, 70, "0 determined outside"), (passing, 100, "0 determined outside"),
        ] as [([Place], Seconds, String)])
    func wayAtEnd(places: [Place], end: Seconds, expected: String) {
        #expect(log(places) { $0.validUntil = .at(end) } == [expected])
    }

    @Test("In a quiet circle, too, a fence that comes into force is determined by the next fix")
    func quiet() {
        var fence = Yard.circle("district", 0, 0, radius: 15_000)
        fence.validFrom = .at(95)
        let dispatcher = Dispatcher(nil, fences: [fence])
        for seconds in stride(from: 0.0, through: 150, by: 10) { dispatcher.fix(Yard.fix(200, at: seconds)) }
        #expect(dispatcher.kept?.quiet.quiet != nil)
        #expect(dispatcher.fenceLog == ["95 determined district"])
        #expect(dispatcher.events.first?.time == .at(100))
    }

    @Test("A device that was silent in its quiet circle as a fence came into force was there")
    func quietSilence() throws {
        var settings = EngineSettings()
        settings.trackingGroups = ["quiet"]
        var fence = Yard.circle("district", 0, 0, radius: 1_500)
        fence.validFrom = .at(100)
        let dispatcher = Dispatcher(nil, settings: settings, fences: [fence])
        dispatcher.tell(.profile(HeightProfile(height: 400, source: "driver", groups: ["quiet"])), at: -60)
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        let circle = try #require(dispatcher.trackings.last?.quiet)
        // It left the circle a few seconds before.
        for step in 0...10 {
            dispatcher.fix(Yard.fix(circle.radius + 500 + 50 * Metres(step), 0, at: 250 + 5 * Seconds(step)))
        }
        dispatcher.tick(400)
        #expect(dispatcher.events.map(\.event) == [.determined, .exit])
        #expect(dispatcher.events.map(\.state) == [.inside, .outside])
        #expect(dispatcher.events.first?.crossedAt == .at(100))
        #expect(dispatcher.events.last.map { $0.crossedAt > .at(200) } == true)
    }
}
