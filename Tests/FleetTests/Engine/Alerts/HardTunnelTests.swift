import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// A tunnel concerns who drives through it, and nobody on the streets above it.
struct HardTunnelTests {
    /// A tunnel of 800 m; the streets above it lead round, one of them across it.
    private static let tunnel = """
        a 0 0
        j 4000 0
        k 4800 0
        z 8000 0
        u 4000 -200
        w 4400 -200
        v 4800 -200
        x 4400 1500
        y 4400 -1500
        aj primary name=Main+Street
        jk primary name=Town+Tunnel tunnel=yes layer=-1 maxheight=3.8
        kz primary name=Main+Street
        ju residential
        uwv residential
        vk residential
        xwy residential name=High+Street
        """

    @Test("A truck that is not seen in the tunnel is told before it, and has passed when it comes out")
    func unseenInTheTunnel() throws {
        let drawing = try Drawing(Self.tunnel)
        let dispatcher = Dispatcher(drawing.network)
        for fix in Journey(line: try drawing.line("az"), every: 5, offset: 50).fixes {
            let east = fix.position.distance(to: Drawing.place(0, 0))
            if !(4_000...4_800).contains(east) { dispatcher.fix(fix) }
        }
        #expect(dispatcher.stages == [.ahead, .detour, .passed])
        #expect(dispatcher.alerts.first?.text.hasPrefix("Low bridge 3.8 m on Town Tunnel") == true)
    }

    @Test("A truck on the street above the tunnel is not in it")
    func aboveTheTunnel() throws {
        let drawing = try Drawing(Self.tunnel)
        for seed in UInt64(1)...10 {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line("xy"), noise: 5, speed: 10, seed: seed)
            #expect(!dispatcher.stages.contains(.stop) && !dispatcher.stages.contains(.passed), "seed \(seed)")
            #expect(dispatcher.alerts.allSatisfy { $0.sideRoad }, "seed \(seed)")
        }
    }
}
