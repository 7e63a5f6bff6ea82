import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@Suite("The fleet's own turns sharpen the path ahead")
struct TurnCountTests {
    /// The side street of `Drawing.sideStreet`, which is low, and which this fleet takes day by day.
    private func learn(_ engine: Engine, _ drawing: Drawing, trips: Int) throws -> [TurnCounts.Row] {
        var turns: [TurnCounts.Row] = []
        for number in 0..<trips {
            let van = VehicleAddress(vehicle: try #require(VehicleID("van-\(number)")))
            for fix in Journey(line: try drawing.line("asbcd"), every: 5).fixes {
                turns += engine.handle([.report(.location([fix]), from: van, receivedAt: fix.time)]).turns
            }
        }
        return turns
    }

    private func told(_ engine: Engine, _ drawing: Drawing) throws -> AlertMessage {
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.drive(Journey(line: try drawing.line("asb"), every: 5))
        return try #require(dispatcher.alerts.first)
    }

    @Test("After six trips into the side street a truck is told of it a mile before, and not only at the corner")
    func learned() throws {
        let drawing = try Drawing.sideStreet()
        let engine = Engine(EngineSettings(), network: drawing.network)
        #expect(try told(engine, drawing).sideRoad)
        engine.forget(Dispatcher.truck.vehicle)
        _ = try learn(engine, drawing, trips: 6)
        let alert = try told(engine, drawing)
        #expect(!alert.sideRoad)
        #expect((1_609...1_720).contains(try #require(alert.detour).distance))
    }

    @Test("Each turn is handed out once to be kept, and what was kept is taken up again")
    func kept() throws {
        let drawing = try Drawing.sideStreet()
        let engine = Engine(EngineSettings(), network: drawing.network)
        let turns = try learn(engine, drawing, trips: 6)
        let corner = turns.filter { $0.next == drawing.network.key((try? drawing.edge("sb")) ?? EdgeID(0)) }
        #expect(corner.map(\.count) == Array(repeating: 1, count: 6))
        let restarted = Engine(EngineSettings(), network: drawing.network)
        restarted.restore(turns)
        #expect(try told(restarted, drawing).sideRoad == false)
    }

    @Test("Counts survive a change of the road file")
    func newRoads() throws {
        let drawing = try Drawing.sideStreet()
        let engine = Engine(EngineSettings(), network: drawing.network)
        _ = try learn(engine, drawing, trips: 6)
        _ = engine.replace(try Drawing.sideStreet().network, at: .at(1_000))
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.drive(Journey(line: try drawing.line("asb"), every: 5))
        #expect(dispatcher.alerts.first?.sideRoad == false)
    }
}
