import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@Suite("Who comes to a low bridge from another one, or from between the two, is told of what lies before him")
struct ChainEntranceTests {
    /// A one-way road with two bridges, which a side road joins between them; from behind both a loop leads back before the first.
    @Test("Who comes to the second bridge from a road between them has not passed the first")
    func joinsBetween() throws {
        let drawing = try Drawing(
            """
            a -900 0
            t 100 0
            e 300 0
            f 330 0
            x 380 0
            g 450 0
            h 480 0
            k 600 0
            l 600 80
            b 100 80
            s 380 -300
            z 1500 0
            u 100 300
            v 600 300
            at secondary name=Main oneway=yes
            te secondary name=Main oneway=yes
            ef secondary name=Main oneway=yes maxheight=3.5
            fx secondary name=Main oneway=yes
            xg secondary name=Main oneway=yes
            gh secondary name=Main oneway=yes maxheight=3.2
            hk secondary name=Main oneway=yes
            kz secondary name=Main oneway=yes
            kl residential name=North
            lb residential name=Back
            bt residential name=West
            sx residential name=Side oneway=yes
            bu residential name=Up
            uv residential name=Far
            vl residential name=Down
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sxz"), every: 5))
        let alerts = dispatcher.alertsAndNotices
        #expect(alerts.contains { $0.clearance.id == "osm:way:1003" }, "nothing was said of the first")
        #expect(alerts.filter { $0.stage == .passed }.map(\.clearance.id) == ["osm:way:1006"])
    }

    /// Two bridges, at `n` and `gh`, between which one comes from Works Road and can turn off into Tee Road. No way leads round them.
    ///
    ///         u                     w 400 m south
    ///     a───t─────────n───────────x──────────────────j──g=h────z
    ///       −2 km      0 m        500 m              3.4 km
    private func bridgesFarApart() throws -> Drawing {
        try Drawing(
            """
            n 0 0 maxheight=3.5
            a -3000 0
            t -2000 0
            u -2000 600
            x 500 0
            w 500 -400
            j 3400 0
            y 3400 -900
            g 3500 0
            h 3540 0
            z 5000 0
            atnxjg secondary name=Main+Street
            gh secondary name=Main+Street maxheight=3.4
            hz secondary name=Main+Street
            wx unclassified name=Works+Road
            jy residential name=Tee+Road
            tu residential name=Up+Road
            """)
    }

    /// - Parameter turnOff: the last before the bridge ahead, from where the truck sets off.
    @Test(
        "Who comes between two from another road is told of the one he turns towards, in time, and is clear of the other",
        arguments: [
            ("wxz", 1.0, "osm:node:1", "osm:way:1002", 3_300.0), ("wxz", 10.0, "osm:node:1", "osm:way:1002", 3_300.0),
            ("yja", 1.0, "osm:way:1002", "osm:node:1", 3_800.0), ("yja", 10.0, "osm:way:1002", "osm:node:1", 3_800.0),
        ])
    func comesBetween(way: String, every: Seconds, behind: String, ahead: String, turnOff: Metres) throws {
        let drawing = try bridgesFarApart()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(way), speed: 12, every: every))
        let left = dispatcher.alerts.filter { $0.clearance.id == behind }
        #expect(left.map(\.stage) == [.ahead, .detour, .cleared], "\(dispatcher.log)")
        #expect(left.last?.reason == .leftPath)
        let met = dispatcher.alerts.filter { $0.clearance.id == ahead }
        #expect(met.map(\.stage) == [.ahead, .detour, .stop, .passed], "\(dispatcher.log)")
        // The first fix is at 7 m; a mile is 1,609 m.
        let told = try #require(met.first)
        #expect(told.time.seconds < (turnOff - 7 - 1_500) / 12)
        #expect(dispatcher.alertCount == 2)
    }

    @Test("Who has driven under the first is told of both by one alert, though another road comes between them")
    func drivesUnderBoth() throws {
        let drawing = try bridgesFarApart()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), speed: 12, every: 10))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed], "\(dispatcher.log)")
        #expect(dispatcher.alertCount == 1)
        #expect(dispatcher.alerts.allSatisfy { $0.chain == ["osm:node:1", "osm:way:1002"] })
    }

    /// A low road from the end of the map, and a bridge behind it. No way leads round either, but Yard Lane leads away between them.
    @Test("Who sets off in a low road is told of the bridge behind it apart, where he can turn off before that")
    func setsOffInLowRoad() throws {
        let drawing = try Drawing(
            """
            o 0 0
            l 300 0
            x 700 0
            g 1200 0
            h 1240 0
            z 3000 0
            w 700 -600
            ol tertiary name=Main+Street maxheight=3.2
            lxg tertiary name=Main+Street
            gh tertiary name=Main+Street maxheight=3.4
            hz tertiary name=Main+Street
            xw residential name=Yard+Lane
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("oz"), speed: 12, every: 5))
        #expect(dispatcher.alerts.allSatisfy { $0.chain.count == 1 })
        let stages = ["osm:way:1001", "osm:way:1003"].map { id in
            dispatcher.alerts.filter { $0.clearance.id == id }.map(\.stage)
        }
        #expect(stages == [[.stop, .passed], [.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
    }
}
