import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// What ends a quiet circle without a fix: the device that it allows to be silent has to be told.
struct QuietEndTests {
    private func settings(_ change: (inout EngineSettings) -> Void = { _ in }) -> EngineSettings {
        var settings = EngineSettings()
        settings.trackingGroups = ["quiet"]
        change(&settings)
        return settings
    }

    private func profile(_ height: Int, validFor: Seconds? = nil) -> Report {
        .profile(HeightProfile(height: height, source: "driver", validFor: validFor, groups: ["quiet"]))
    }

    private func stand(_ dispatcher: Dispatcher, _ east: Metres, _ north: Metres, at seconds: Seconds) {
        dispatcher.fix(Fix(position: Yard.place(east, north), time: .at(seconds), accuracy: 5, speed: 0))
    }

    @Test("A route ends the circle at once, and its region: along a route every turn counts")
    func route() throws {
        let dispatcher = Dispatcher(nil, height: nil, settings: settings(), fences: RegionTests.row(5))
        dispatcher.tell(profile(412), at: -60)
        stand(dispatcher, 2_100, 3_000, at: 0)
        #expect(dispatcher.trackings.map { $0.quiet != nil } == [true])
        #expect(dispatcher.regions.last?.regions.first?.kind == .quiet)

        dispatcher.tell(.route(.waypoints([Yard.place(9_000, 0)])), at: 10)
        #expect(dispatcher.trackings.map { $0.quiet != nil } == [true, false])
        #expect(dispatcher.trackings.last?.time == .at(10))
        #expect(dispatcher.kept?.quiet.quiet == nil)
        #expect(dispatcher.regions.last?.removed == ["quiet"])
        #expect(dispatcher.regions.last?.time == .at(10))

        dispatcher.tell(.route(.waypoints([Yard.place(9_000, 100)])), at: 20)
        #expect(dispatcher.trackings.count == 2, "it was told already")
    }

    @Test("A route that comes in a circle is answered from where the vehicle is, not from where it entered the circle")
    func routeFromHere() throws {
        let drawing = try Drawing.bridge("5 m")
        let dispatcher = Dispatcher(drawing.network)
        for (seconds, east) in [(0.0, 10.0), (10, 200), (20, 400)] {
            dispatcher.fix(
                Fix(position: Yard.place(east, 0), time: .at(seconds), accuracy: 5, speed: 19, course: 90))
        }
        #expect(dispatcher.kept?.quiet.hasPassedOver == true)
        dispatcher.tell(.route(.waypoints(try drawing.line("z"))), at: 21)
        let lines = dispatcher.envelopes.compactMap { envelope in
            if case .routeCheck(let check) = envelope.message { check.line } else { nil }
        }
        #expect(try #require(lines.first?.first).distance(to: Yard.place(400, 0)) < 20)
    }

    @Test("A profile that runs out ends a circle that is safe for its height alone, and other regions are told of")
    func height() throws {
        let settings = settings {
            $0.alerts.distance = 400
            $0.alerts.leadTime = 10
        }
        let dispatcher = Dispatcher(try Drawing.bridge("13'0\"").network, height: nil, settings: settings)
        // Fits with 3.80 m, and does not with the assumed 13'6".
        dispatcher.tell(profile(380, validFor: 600), at: -60)
        stand(dispatcher, 0, 0, at: 0)
        dispatcher.tick(539)
        #expect(dispatcher.trackings.map { $0.quiet != nil } == [true])
        dispatcher.tick(540)
        #expect(dispatcher.trackings.map { $0.quiet != nil } == [true, false])
        #expect(dispatcher.trackings.last?.time == .at(540))
        #expect(dispatcher.regions.map { $0.regions.map(\.kind) } == [[.quiet], [.clearance]])
        #expect(dispatcher.states.last?.heightStatus == .stale)
    }

    @Test("A device whose circle ends is given time to report before its position counts as stale")
    func timeToReport() {
        let dispatcher = Dispatcher(nil, height: nil, settings: settings(), fences: [])
        dispatcher.tell(profile(412), at: -60)
        stand(dispatcher, 0, 0, at: 0)
        dispatcher.tick(500)
        dispatcher.tell(.route(.waypoints([Yard.place(9_000, 0)])), at: 500)
        dispatcher.tick(559)
        #expect(dispatcher.states.last?.blind.contains(.stalePosition) == false)
        dispatcher.tick(560)
        #expect(dispatcher.states.last?.blind.contains(.stalePosition) == true)
        #expect(dispatcher.states.last?.time == .at(560))
        #expect(dispatcher.states.map(\.time) == dispatcher.states.map(\.time).sorted())
    }

    @Test("What changed among the regions while the app was not in use is told once it is, before the next fix")
    func consent() {
        let dispatcher = Dispatcher(nil, height: nil, settings: settings(), fences: RegionTests.row(5))
        dispatcher.tell(.consent(Consent(.whenInUse, isInUse: true)), at: -60)
        dispatcher.tell(profile(412), at: -60)
        stand(dispatcher, 2_100, 3_000, at: 0)
        dispatcher.tell(.consent(Consent(.whenInUse, isInUse: false)), at: 10)
        let fence = FenceChange(id: "g", fence: Yard.circle("g", 2_100, 9_000, radius: 50))
        dispatcher.hear([.fences([fence], at: .at(20))])
        #expect(dispatcher.regions.last?.regions.contains { $0.id == "g" } == false)
        dispatcher.tell(.consent(Consent(.whenInUse, isInUse: true)), at: 30)
        #expect(dispatcher.regions.last?.added == ["g"])
        #expect(dispatcher.regions.last?.time == .at(30))
    }
}
