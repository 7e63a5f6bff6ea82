import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// Rule 2: a bridge round the corner is told of just before the turn that leads to it.
struct SideRoadTests {
    @Test(
        "Passing a corner with a bridge behind it is told of once, within the notice and one report interval",
        arguments: [
            1.0, 5, 10, 30,
        ])
    func passing(every: Seconds) throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: every))
        #expect(dispatcher.stages == [.ahead, .cleared])
        let alert = try #require(dispatcher.alerts.first)
        #expect(alert.sideRoad)
        let distance = try #require(alert.detour?.distance)
        // Noticed at the latest one interval after it comes into reach, so never less than the notice before it.
        #expect((10 * 20...(10 + every) * 20).contains(distance))
    }

    @Test("Whose device sends five fixes at a time is told before the turn, not with the five behind it")
    func uploads() throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        let fixes = Journey(line: try drawing.line("asd"), speed: 15).fixes
        for start in stride(from: 0, to: fixes.count, by: 5) {
            let upload = Array(fixes[start..<min(start + 5, fixes.count)])
            let received = upload[upload.count - 1].time.seconds + 0.5
            // The corner is 1,993 m from the first fix.
            guard received < 132 else { break }
            dispatcher.tell(.location(upload), at: received)
        }
        #expect(dispatcher.stages == [.ahead])
        #expect(dispatcher.alerts.first?.sideRoad == true)
    }

    @Test("The text names the turn to leave out, how far it is, and what lies behind it")
    func text() throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(
            dispatcher.alerts.first?.text
                == "Do not turn onto Mill Lane in 0.2 mi: low bridge 3.2 m on Mill Lane in 0.4 mi.")
    }

    @Test("It is cleared ten seconds after the corner, not before")
    func cleared() throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 1))
        let cleared = try #require(dispatcher.alerts.last)
        // The corner is 1,993 m from the first fix: passed between 99 and 100 s.
        #expect((109.0...111).contains(cleared.time.seconds))
        #expect(cleared.reason == .leftPath)
    }

    @Test("Turning in all the same is no new alert: it goes on to stop and passed under its first id")
    func turnsIn() throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("asd"), speed: 10, every: 5))
        #expect(dispatcher.stages.filter { $0 != .detour } == [.ahead, .stop, .passed])
        #expect(dispatcher.alertCount == 1)
    }

    @Test("Bridges on service roads are left out, unless the operator wants them", arguments: [false, true])
    func service(wanted: Bool) throws {
        let drawing = try Drawing.sideStreet("service")
        var settings = EngineSettings()
        settings.alerts.serviceRoads = wanted
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.stages == (wanted ? [.ahead, .cleared] : []))
    }

    @Test(
        "Bridges on roads for those who call there are left out, unless the operator wants them",
        arguments: ["destination", "delivery", "private", "customers"], [false, true])
    func destination(access: String, wanted: Bool) throws {
        let drawing = try Drawing.sideStreet("residential access=\(access)")
        var settings = EngineSettings()
        settings.alerts.serviceRoads = wanted
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.stages == (wanted ? [.ahead, .cleared] : []))
    }

    @Test("Who has a route there, or whose fleet has turned in there, is told")
    func destinationOfFleet() throws {
        let drawing = try Drawing.sideStreet("residential access=destination")
        let routed = Dispatcher(drawing.network)
        routed.tell(.route(.waypoints([Drawing.place(2_000, -1_000)])), at: -10)
        routed.drive(Journey(line: try drawing.line("asd")))
        #expect(routed.stages.first == .ahead && routed.stages.last == .passed)

        let engine = Engine(EngineSettings(), network: drawing.network)
        let van = VehicleAddress(vehicle: try #require(VehicleID("van")))
        Dispatcher(engine, truck: van, height: 412).drive(Journey(line: try drawing.line("asd"), every: 5))
        let told = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        told.drive(Journey(line: try drawing.line("az")))
        #expect(told.stages == [.ahead, .cleared])
    }

    @Test("A longer notice is kept")
    func notice() throws {
        let drawing = try Drawing.sideStreet()
        var settings = EngineSettings()
        settings.alerts.notice = 30
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let distance = try #require(dispatcher.alerts.first?.detour?.distance)
        #expect((600.0...800).contains(distance))
    }

    @Test("With a probability of 0 every branch is told of a mile before")
    func everyBranch() throws {
        let drawing = try Drawing.sideStreet()
        var settings = EngineSettings()
        settings.alerts.minProbability = 0
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let first = try #require(dispatcher.alerts.first)
        #expect(!first.sideRoad)
        #expect(try #require(first.detour?.distance) > Unit.mile)
    }

    @Test("First seen behind the last turn-off, but likelier to turn off: told not to turn towards the bridge")
    func firstSeenTooLateElsewhere() throws {
        // From t on, there is no detour; most drivers go on along Main Street to its dead end, the bridge is round the corner.
        let drawing = try Drawing(
            """
            a 0 0
            j 1000 0
            t 2000 0
            z 4000 0
            b 2000 -200
            c 2000 -230
            d 2000 -500
            v 1000 -500
            ajtz primary name=Main+Street
            tb residential name=Mill+Lane
            bc residential name=Mill+Lane maxheight=3.2
            cd residential name=Mill+Lane
            dvj residential name=Ring+Road
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("jz"), every: 5, offset: 300))
        let first = try #require(dispatcher.alerts.first)
        #expect(first.sideRoad)
        #expect(first.stage == .ahead)
        #expect(first.text.hasPrefix("Do not turn onto Mill Lane"))
    }
}
