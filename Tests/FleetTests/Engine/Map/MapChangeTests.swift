import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// Another road file comes into force while trucks are on the road.
struct MapChangeTests {
    /// On the way to the bridge, alerted, 3,000 m from the start at 150 s.
    private func underWay(_ drawing: Drawing) throws -> (Dispatcher, rest: ArraySlice<Fix>) {
        let dispatcher = Dispatcher(drawing.network)
        let fixes = Journey(line: try drawing.line("az")).fixes
        for fix in fixes.prefix(16) { dispatcher.fix(fix) }
        try #require(dispatcher.log == ["110 ahead"])
        return (dispatcher, fixes.dropFirst(16))
    }

    @Test("Where the hazard is still there, its alert goes on under the same id")
    func stays() throws {
        let (dispatcher, rest) = try underWay(.bridge())
        dispatcher.replace(try Drawing.bridge("10'0\"").network, at: 155)
        for fix in rest { dispatcher.fix(fix) }
        #expect(dispatcher.log == ["110 ahead", "180 detour", "210 stop", "220 passed"])
        #expect(dispatcher.alertCount == 1)
        #expect(dispatcher.alerts.map(\.clearance.posted) == ["10'6\"", "10'0\"", "10'0\"", "10'0\""])
    }

    @Test("Where it is gone, its alert ends at once, because the map changed")
    func gone() throws {
        let (dispatcher, rest) = try underWay(.bridge())
        dispatcher.replace(try Drawing.bridge("none").network, at: 155)
        for fix in rest { dispatcher.fix(fix) }
        #expect(dispatcher.log == ["110 ahead", "155 cleared"])
        #expect(dispatcher.alerts.last?.reason == .mapChanged)
        #expect(dispatcher.states.last?.alerts.isEmpty == true)
    }

    @Test("Also for a truck that has been silent for minutes")
    func goneWhileSilent() throws {
        let (dispatcher, rest) = try underWay(.bridge())
        dispatcher.replace(try Drawing.bridge("none").network, at: 600)
        for fix in rest.prefix(3) {
            var fix = fix
            fix.time = fix.time.adding(500)
            dispatcher.fix(fix)
        }
        #expect(dispatcher.log == ["110 ahead", "600 cleared"])
        #expect(dispatcher.alerts.last?.reason == .mapChanged)
    }

    @Test("A bridge that only the new map has is told of at once")
    func appears() throws {
        let drawing = try Drawing.bridge("none")
        let dispatcher = Dispatcher(drawing.network)
        for fix in Journey(line: try drawing.line("az")).fixes.prefix(16) { dispatcher.fix(fix) }
        #expect(dispatcher.alerts.isEmpty)
        dispatcher.replace(try Drawing.bridge().network, at: 155)
        #expect(dispatcher.log == ["155 ahead"])
    }

    @Test("A truck on a road that the new map does not have is off the network, and its alert ends")
    func roadGone() throws {
        let (dispatcher, rest) = try underWay(.bridge())
        dispatcher.replace(try Drawing("b 0 900\nc 6500 900\nbc tertiary").network, at: 155)
        for fix in rest { dispatcher.fix(fix) }
        #expect(dispatcher.alerts.map(\.reason) == [nil, .mapChanged])
        #expect(dispatcher.states.last?.blind == [.offNetwork])
    }

    @Test("Without any road file alerts end and the state says that there is no clearance data")
    func nothing() throws {
        let (dispatcher, rest) = try underWay(.bridge())
        dispatcher.replace(nil, at: 155)
        for fix in rest { dispatcher.fix(fix) }
        #expect(dispatcher.log == ["110 ahead", "155 cleared"])
        #expect(dispatcher.alerts.last?.reason == .mapChanged)
        #expect(dispatcher.states.last?.blind == [.noClearanceData])
    }

    @Test("The same map again changes nothing")
    func same() throws {
        let drawing = try Drawing.bridge()
        let (dispatcher, rest) = try underWay(drawing)
        let said = dispatcher.envelopes
        dispatcher.replace(drawing.network, at: 155)
        #expect(dispatcher.envelopes == said)
        for fix in rest { dispatcher.fix(fix) }
        #expect(dispatcher.log == ["110 ahead", "180 detour", "210 stop", "220 passed"])
    }
}
