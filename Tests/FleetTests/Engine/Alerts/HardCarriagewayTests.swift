import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// On a divided road or a motorway a truck is told of the last exit before a bridge on its own carriageway.
struct HardCarriagewayTests {
    // MARK: Divided roads

    /// Carriageways 20 m apart, low over the eastbound one; exit `j`, entrance `r`.
    private static let divided = """
        s -4000 0
        j 0 0
        a 600 0
        b 640 0
        r 1000 0
        e 4000 0
        E 4000 20
        W -4000 20
        u 100 -100
        v 900 -100
        sja primary oneway=yes name=Ring+Road
        ab primary oneway=yes maxheight=3.2 name=Ring+Road
        bre primary oneway=yes name=Ring+Road
        EW primary oneway=yes name=Ring+Road
        ju primary_link oneway=yes
        uv tertiary name=Service+Street
        vr primary_link oneway=yes
        """

    @Test("On the carriageway with the low bridge a truck hears every stage, on the other, 20 m away, nothing")
    func carriageways() throws {
        let drawing = try Drawing(Self.divided)
        for seed in UInt64(1)...10 {
            let eastbound = Dispatcher(drawing.network)
            eastbound.drive(try drawing.line("se"), noise: 5, seed: seed)
            #expect(eastbound.stages == [.ahead, .detour, .stop, .passed], "seed \(seed): \(eastbound.log)")
            let westbound = Dispatcher(drawing.network)
            westbound.drive(try drawing.line("EW"), noise: 5, seed: seed)
            #expect(westbound.log == [], "seed \(seed)")
        }
    }

    @Test("Out at the exit and in again behind the bridge: ahead, detour, cleared")
    func exitAndEntrance() throws {
        let drawing = try Drawing(Self.divided)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sjuvre"), every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .cleared])
        #expect(abs(try #require(dispatcher.alerts.first?.detour?.length) - 1_082.8) < 1)
    }

    // MARK: Motorways

    /// Exits `q` and `p`, 800 m apart; the bridge is 1,200 m behind the second.
    private static let motorway = """
        s -6000 0
        q 0 0
        p 800 0
        a 2000 0
        b 2030 0
        r 2600 0
        e 6000 0
        x 150 -150
        y 950 -150
        z 2450 -150
        Z 6000 -150
        sqpa motorway ref=I+94
        ab motorway maxheight=4.0 ref=I+94
        bre motorway ref=I+94
        qx motorway_link oneway=yes name=Exit+171
        py motorway_link oneway=yes name=Exit+172
        xyzZ secondary name=Jackson+Road
        zr motorway_link oneway=yes
        """

    @Test("A mile before the last exit is before the one before it: the driver hears of the last, and may take either")
    func lastExit() throws {
        let drawing = try Drawing(Self.motorway)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("se"), speed: 25, every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        let first = try #require(dispatcher.alerts.first)
        let detour = try #require(first.detour)
        #expect(detour.position.distance(to: Drawing.place(800, 0)) < 1)
        #expect(detour.turnOnto == "Exit 172")
        #expect(detour.distance > Unit.mile)
        // The first exit is passed at 240 s.
        #expect(first.time.seconds < 240)
        #expect(first.text.contains("Leave at Exit 172 in 1."))
    }

    @Test("Leaving by the last exit, or by the one before it, ends the alert", arguments: ["sqxZ", "spyZ"])
    func leaves(way: String) throws {
        let drawing = try Drawing(Self.motorway)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(way), speed: 25, every: 5))
        #expect(dispatcher.stages.filter { $0 != .detour } == [.ahead, .cleared])
        #expect(dispatcher.stages.contains(.detour) == (way == "spyZ"))
    }
}
