import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

@Suite("A known route is the path ahead")
struct RouteTests {
    private func checks(_ dispatcher: Dispatcher) -> [RouteCheckMessage] {
        dispatcher.envelopes.compactMap { if case .routeCheck(let check) = $0.message { check } else { nil } }
    }

    /// `Drawing.sideStreet`: the main road goes past Mill Lane, which is low; nobody would take it for the path.
    private func drive(_ route: (Drawing) throws -> Messages.Route?, along names: String) throws -> Dispatcher {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        if let route = try route(drawing) { dispatcher.tell(.route(route), at: -30) }
        dispatcher.drive(Journey(line: try drawing.line(names), every: 5))
        return dispatcher
    }

    @Test("Without a route a side street is told of late, at the last decision; with a line along it a mile before")
    func line() throws {
        let unknown = try #require(try drive({ _ in nil }, along: "asbcd").alerts.first)
        #expect(unknown.sideRoad)
        #expect(try #require(unknown.detour).distance < 400)
        let known = try #require(
            try drive({ .line(try $0.line("asbcd")) }, along: "asbcd").alerts.first)
        #expect(!known.sideRoad)
        #expect((1_609...1_720).contains(try #require(known.detour).distance))
    }

    @Test("With a destination alone the fastest way there is the path")
    func destination() throws {
        let known = try #require(
            try drive({ .waypoints([try $0.line("d")[0]]) }, along: "asbcd").alerts.first)
        #expect(!known.sideRoad)
        #expect((1_609...1_720).contains(try #require(known.detour).distance))
    }

    @Test("A route past the side street says nothing of it but at its last decision")
    func elsewhere() throws {
        let dispatcher = try drive({ .line(try $0.line("aswz")) }, along: "aswz")
        #expect(dispatcher.alerts.allSatisfy { $0.sideRoad })
    }

    @Test("A truck that leaves its line is judged by the most probable path, and by the line when it comes back")
    func leaving() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        // The route goes round; the truck goes straight on under the bridge.
        dispatcher.tell(.route(.line(try drawing.line("ajnmgz"))), at: -30)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 5))
        #expect(dispatcher.stages.contains(.stop))
        #expect(dispatcher.stages.last == .passed)
        // Up to the turn-off the path was known to lead away.
        #expect(dispatcher.alerts[0].sideRoad)
    }

    @Test("On leaving the way to its destination a truck is given a new one")
    func foundAnew() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.waypoints([try drawing.line("z")[0]])), at: -30)
        // Off at j, round the block and back onto the road before the bridge is no way: it goes by North Road.
        dispatcher.drive(Journey(line: try drawing.line("ajnmgz"), every: 5))
        let first = try #require(dispatcher.alerts.first)
        #expect(dispatcher.alerts.filter { $0.id == first.id }.map(\.stage) == [.ahead, .detour, .cleared])
        #expect(dispatcher.kept?.guidance.wayFollowed == nil)
    }

    @Test("A route is answered once: what is too low on it, the way, and a way without")
    func check() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let route = Messages.Route.waypoints([try drawing.line("z")[0]])
        dispatcher.tell(.route(route), at: -30)
        #expect(checks(dispatcher).isEmpty, "from where it sets off is not known yet")
        dispatcher.drive(Journey(line: [try drawing.line("a")[0], Drawing.place(1_000, 0)]))
        dispatcher.tell(.route(route), at: 100)
        let check = try #require(checks(dispatcher).first)
        #expect(checks(dispatcher).count == 1)
        #expect(check.obstacles.map(\.clearance.id) == ["osm:way:1003"])
        #expect(abs(check.obstacles[0].distance - 4_293) < 10)
        #expect(check.text == "Too low on the way: 10'6\" on Main Street in 2.7 mi. There is a route around it.")
        let line = try #require(check.line)
        #expect(line.contains { $0.distance(to: Drawing.place(4_320, 0)) < 25 })
        let safe = try #require(check.safeLine)
        #expect(safe.contains { $0.distance(to: Drawing.place(4_000, 300)) < 1 })
        #expect(!safe.contains { $0.distance(to: Drawing.place(4_320, 0)) < 25 })
        #expect(try #require(safe.last).distance(to: Drawing.place(6_500, 0)) < 1)
    }

    @Test("A line is answered at once; the same route again changes nothing, another one is answered under another id")
    func checkOfLine() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.line(try drawing.line("ajefgz"))), at: 0)
        dispatcher.tell(.route(.line(try drawing.line("ajefgz"))), at: 1)
        dispatcher.tell(.route(.line(try drawing.line("ajnmgz"))), at: 2)
        dispatcher.tell(.route(nil), at: 3)
        let found = checks(dispatcher)
        #expect(found.map(\.obstacles.count) == [1, 0])
        #expect(found[1].text == "Nothing on the way is known to be too low.")
        #expect(found[1].line == found[1].safeLine)
        #expect(Set(found.map(\.id)).count == 2)
    }

    @Test(
        "A route that leads nowhere is answered with the reason",
        arguments: [
            (Messages.Route.waypoints([Drawing.place(0, 50_000)]), "No road of this map lies near waypoint 1."),
            (
                .line([Drawing.place(0, 50_000), Drawing.place(0, 60_000)]),
                "The route is not on the roads of this map: it cannot be checked."
            ),
        ])
    func nowhere(route: Messages.Route, text: String) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: [try drawing.line("a")[0], Drawing.place(500, 0)]))
        dispatcher.tell(.route(route), at: 100)
        let check = try #require(checks(dispatcher).first)
        #expect(check.text == text)
        #expect(check.line == nil)
        #expect(check.safeLine == nil)
    }

    @Test(
        "A part of a line off the roads is told of at its ends too, where it is longer than a yard",
        arguments: [(200, false), (5_000, true)] as [(Metres, Bool)])
    func endsOffRoads(length: Metres, isTold: Bool) throws {
        let drawing = try Drawing.bridge()
        let line = try drawing.line("ajnmgz")
        for route in [line + [Drawing.place(6_500 + length, 0)], [Drawing.place(-length, 0)] + line] {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.tell(.route(.line(route)), at: 0)
            let check = try #require(checks(dispatcher).first)
            #expect(check.text.hasSuffix(" Parts of the route are not on the roads of this map.") == isTold)
        }
    }

    @Test(
        "The safe way leads under nothing of unknown height that drivers are told of, where there is such a way",
        arguments: [
            ("below_default", true, "p"), ("below_default", false, "n"), ("abc", true, "n"),
        ], ["ajefgz", "ajnmgz"])
    func unknownHeight(around: (posted: String, hasOther: Bool, by: String), line: String) throws {
        let drawing = try Drawing.detourUnder(around.posted, hasOther: around.hasOther)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.line(try drawing.line(line))), at: 0)
        let check = try #require(checks(dispatcher).first)
        #expect(check.obstacles.count == (line == "ajefgz" ? 1 : 0))
        let safe = try #require(check.safeLine)
        let passed = try drawing.line("np").map { corner in safe.contains { $0.distance(to: corner) < 1 } }
        #expect(passed == ["n", "p"].map { $0 == around.by })
        #expect(check.line?.contains { $0.distance(to: Drawing.place(4_000, 300)) < 1 } == (line == "ajnmgz"))
    }

    @Test("Where no way without is known, the safe way is null")
    func noSafeWay() throws {
        let drawing = try Drawing(
            """
            a 0 0
            b 1000 0
            c 1040 0
            d 2000 0
            ab tertiary
            bc tertiary maxheight=3
            cd tertiary
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.waypoints([try drawing.line("a")[0], try drawing.line("d")[0]])), at: 0)
        let check = try #require(checks(dispatcher).first)
        #expect(check.obstacles.count == 1)
        #expect(check.safeLine == nil)
        #expect(check.text.hasSuffix("No route around it is known."))
    }

    @Test("To a destination on the low road itself there is no way without")
    func lowDestination() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let ends = [try drawing.line("a")[0], Drawing.place(4_320, 0)]
        dispatcher.tell(.route(.waypoints(ends)), at: 0)
        let check = try #require(checks(dispatcher).first)
        #expect(check.obstacles.count == 1)
        #expect(check.line != nil)
        #expect(check.safeLine == nil)
        #expect(check.text.hasSuffix("No route around it is known."))
    }

    @Test("A bridge on a service road is told of a mile before where the route leads there")
    func serviceRoad() throws {
        let drawing = try Drawing.sideStreet("service")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.line(try drawing.line("asbcd"))), at: -30)
        dispatcher.drive(Journey(line: try drawing.line("asbc"), every: 5))
        #expect(dispatcher.stages.prefix(1) == [.ahead])
        let without = Dispatcher(drawing.network)
        without.drive(Journey(line: try drawing.line("aswz"), every: 5))
        #expect(without.alerts.isEmpty)
    }

    @Test("On another road file the route is found again")
    func newRoads() throws {
        let drawing = try Drawing.sideStreet()
        let line = try drawing.line("asbcd")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.line(line)), at: -30)
        dispatcher.drive(Journey(line: [line[0], Drawing.place(300, 0)], every: 5))
        // The same town, with a street before all others: every edge has another number and another name.
        let other = try Drawing.sideStreet(after: "k 9000 0\nl 9500 0\nkl residential")
        dispatcher.replace(other.network, at: 16)
        dispatcher.drive(Journey(line: [Drawing.place(300, 0), Drawing.place(600, 0)], every: 5, start: 20))
        #expect(dispatcher.kept?.guidance.wayFollowed != nil)
        #expect(dispatcher.alerts.first?.sideRoad == false)
        #expect(checks(dispatcher).count == 1)
    }

    @Test("After a restart the route is followed on, and not answered again")
    func restart() throws {
        let drawing = try Drawing.sideStreet()
        let line = try drawing.line("asbcd")
        let before = Dispatcher(drawing.network)
        before.tell(.route(.line(line)), at: -30)
        before.drive(Journey(line: [line[0], Drawing.place(300, 0)], every: 5))
        #expect(checks(before).count == 1)
        let engine = Engine(EngineSettings(), network: drawing.network)
        let kept = try #require(before.kept)
        engine.restore(try kept.roundTripped())
        engine.restore(.report(.route(.line(line)), from: Dispatcher.truck, receivedAt: .at(0)))
        let after = Dispatcher(engine, truck: Dispatcher.truck, height: nil)
        after.tell(.route(.line(line)), at: 16)
        after.drive(Journey(line: [Drawing.place(300, 0), Drawing.place(500, 0)], every: 5, start: 20))
        #expect(checks(after).isEmpty)
        #expect(after.alerts.first?.sideRoad == false)
    }
}
