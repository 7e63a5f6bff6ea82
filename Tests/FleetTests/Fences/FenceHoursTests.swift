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
}
