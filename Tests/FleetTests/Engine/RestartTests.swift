import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// A gateway that is stopped and started again anywhere in a trip says exactly what it would have said.
struct RestartTests {
    /// Fixes every few seconds with a tick between each two.
    private func inputs(_ journey: Journey) -> [Input] {
        journey.fixes.flatMap { fix -> [Input] in
            [
                .report(.location([fix]), from: Dispatcher.truck, receivedAt: fix.time),
                .tick(fix.time.adding(journey.every / 2)),
            ]
        }
    }

    private func restarted(_ engine: Engine, _ network: RoadNetwork?) throws -> Engine {
        let kept = try #require(engine.vehicle(Dispatcher.truck.vehicle))
        let engine = Engine(engine.settings, network: network)
        engine.restore(try kept.roundTripped())
        return engine
    }

    /// Said with a restart after each of `cuts` inputs.
    private func said(_ inputs: [Input], _ network: RoadNetwork, cuts: Set<Int>) throws -> [Envelope] {
        var engine = Engine(EngineSettings(), network: network)
        var envelopes: [Envelope] = []
        for (index, input) in inputs.enumerated() {
            if cuts.contains(index) { engine = try restarted(engine, network) }
            envelopes += engine.handle([input]).envelopes
        }
        return envelopes
    }

    private func profile(_ profile: HeightProfile) -> Input {
        .report(.profile(profile), from: Dispatcher.truck, receivedAt: .at(-60))
    }

    @Test(
        "Stopped in the middle of any stage, under the bridge and off the path", arguments: ["az", "ajnq"],
        [true, false])
    func anywhere(line: String, isFluent: Bool) throws {
        let drawing = try Drawing.bridge()
        var journey = Journey(line: try drawing.line(line))
        journey.isFluent = isFluent
        let inputs = [profile(HeightProfile(height: 412, validFor: 200))] + inputs(journey)
        let whole = try said(inputs, drawing.network, cuts: [])
        #expect(whole.count { if case .alert = $0.message { true } else { false } } >= 3)
        for cut in 1..<inputs.count {
            #expect(try said(inputs, drawing.network, cuts: [cut]) == whole, "restart before input \(cut)")
        }
    }

    @Test("Stopped before every single input")
    func everywhere() throws {
        let drawing = try Drawing.bridge()
        let inputs = [profile(HeightProfile(height: 412))] + inputs(Journey(line: try drawing.line("az"), every: 5))
        let whole = try said(inputs, drawing.network, cuts: [])
        #expect(try said(inputs, drawing.network, cuts: Set(1..<inputs.count)) == whole)
    }

    @Test("A deadline that falls into the time without a gateway is caught up with, timed as it was due")
    func deadline() throws {
        let drawing = try Drawing.bridge()
        let fix = Fix(position: Drawing.place(6_000, 0), time: .at(0), accuracy: 5, speed: 0)
        let before = Engine(EngineSettings(), network: drawing.network)
        _ = before.handle([.report(.location([fix]), from: Dispatcher.truck, receivedAt: .at(0))])
        let after = try restarted(before, drawing.network)
        let times = after.handle([.tick(.at(500))]).envelopes.map { envelope in
            switch envelope.message {
            case .alert(let alert): "alert \(Int(alert.time.seconds))"
            case .routeCheck(let check): "route-check \(Int(check.time.seconds))"
            case .request(let request): "request \(Int(request.time.seconds))"
            case .state(let state): "state \(Int(state.time.seconds))"
            case .visit(let visit): "visit \(visit.phase.rawValue) \(Int(visit.time.seconds))"
            case .event, .regions, .tracking: "something else"
            }
        }
        #expect(times == ["state 12", "request 30", "state 60", "visit arrived 300"])
    }

    @Test("So is the end of a height of which no fix has come; while it holds a restart says nothing of it")
    func heightWithoutFix() throws {
        let network = try Drawing.bridge().network
        let before = Engine(EngineSettings(), network: network)
        _ = before.handle([profile(HeightProfile(height: 390, validFor: 200))])
        let after = try restarted(before, network)
        after.prepare()
        #expect(after.handle([.tick(.at(139))]).envelopes.isEmpty)
        let said = after.handle([.tick(.at(500))]).envelopes
        #expect(said == before.handle([.tick(.at(141))]).envelopes)
        #expect(said.count == 1)
        #expect(try restarted(after, network).handle([.tick(.at(1_000))]).envelopes.isEmpty)
    }

    @Test("A message that was redelivered after a restart says nothing again")
    func redelivered() throws {
        let drawing = try Drawing.bridge()
        let engine = Engine(EngineSettings(), network: drawing.network)
        let inputs = [profile(HeightProfile(height: 412))] + inputs(Journey(line: try drawing.line("aj")))
        _ = engine.handle(inputs)
        let after = try restarted(engine, drawing.network)
        #expect(after.handle(inputs.suffix(6)).envelopes.isEmpty)
    }
}
