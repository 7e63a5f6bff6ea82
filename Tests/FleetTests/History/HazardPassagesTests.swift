import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// What the engine counts of vehicles that come by.
struct HazardPassagesTests {
    private let drawing: Drawing
    private let bridge: UInt32

    init() throws {
        drawing = try Drawing.sideStreet()
        let network = drawing.network
        let low = try #require(network.clearances(try drawing.edge("bc")).first)
        bridge = PlaceKey.clearance(network.clearance(low).id)
    }

    /// Drives vehicles of one height, and ends their trips.
    private func history(
        _ nodes: String, height: Centimetres, count: Int = 1, _ change: (inout [Fix]) -> Void = { _ in }
    ) throws -> HazardHistory {
        let engine = Engine(EngineSettings(), network: drawing.network)
        for number in 0..<count {
            let address = VehicleAddress(vehicle: try #require(VehicleID("v\(number)")))
            let dispatcher = Dispatcher(engine, truck: address, height: height)
            var fixes = Journey(line: try drawing.line(nodes), every: 5).fixes
            change(&fixes)
            for fix in fixes { dispatcher.fix(fix) }
        }
        engine.endTrips()
        engine.takeUpPassages()
        return engine.history
    }

    private func observed(_ edges: [String], count: Int = 1) throws -> HazardHistory {
        var observation = TripObservation(drawing.network, height: nil, EngineSettings())
        for _ in 0..<count { observation.add(try edges.map(drawing.edge)) }
        return observation.finish()
    }

    private func passes(_ history: HazardHistory, on edge: String) throws -> (all: Int, under: Int)? {
        history.place(PlaceKey.edge(try drawing.edge(edge), drawing.network))?.passes(under: bridge)
    }

    @Test("Who drove under counts at each place before, and not behind; and there as one who came from where he came")
    func counted() throws {
        let history = try observed(["as", "sb", "bc", "cd"], count: 3)
        #expect(try #require(try passes(history, on: "as")) == (3, 3))
        #expect(try #require(try passes(history, on: "sb")) == (3, 3))
        #expect(try #require(try passes(history, on: "cd")) == (3, 0))
        #expect(try passes(history, on: "sw") == nil)
        let fromMain = PlaceKey.edge(
            PlaceKey.edge(try drawing.edge("sb"), drawing.network),
            from: PlaceKey.edge(try drawing.edge("as"), drawing.network))
        #expect(history.place(fromMain)?.passes(under: bridge) ?? (0, 0) == (3, 3))
    }

    @Test("Who has not come 1.5 km comes from where he set out")
    func setOut() throws {
        var passages = HazardPassages()
        var counts = PassageCounts()
        let (first, second) = (try drawing.edge("sb"), try drawing.edge("bc"))
        #expect(passages.earlierEdge == nil)
        passages.drive([first, second], drawing.network, nil, into: &counts)
        #expect(drawing.network.length(first) + drawing.network.length(second) < 1_500)
        #expect(passages.earlierEdge == PlaceKey.edge(first, drawing.network))
    }

    @Test("Who came by and went elsewhere has not driven under")
    func notUnder() throws {
        #expect(try #require(try passes(try observed(["as", "sw", "wz"]), on: "as")) == (1, 0))
    }

    @Test("A vehicle that fits under everything counts, though it is in a quiet circle", arguments: [200, 310])
    func low(height: Centimetres) throws {
        #expect(try #require(try passes(try history("aswz", height: height), on: "as")) == (1, 0))
        #expect(try #require(try passes(try history("asbcdv", height: height, count: 2), on: "as")) == (2, 2))
    }

    @Test("Who may have been told to turn off has not come by; who drove under all the same has")
    func high() throws {
        #expect(try passes(try history("aswz", height: 412), on: "as") == nil)
        #expect(try #require(try passes(try history("asbcdv", height: 412), on: "as")) == (1, 1))
    }

    @Test("What is said to a vehicle does not depend on whether it is counted", arguments: [200, 412])
    func said(height: Centimetres) throws {
        func envelopes(_ counts: Bool) throws -> [Envelope] {
            var settings = EngineSettings()
            settings.countsPassages = counts
            let dispatcher = Dispatcher(drawing.network, height: height, settings: settings)
            dispatcher.drive(Journey(line: try drawing.line("asbcdv"), every: 5))
            return dispatcher.envelopes
        }
        #expect(try envelopes(true) == envelopes(false))
    }

    @Test("A recording counts wherever it was driven, whatever height its vehicle said it has; not without consent")
    func recorded() throws {
        var observation = TripObservation(drawing.network, height: nil, EngineSettings())
        let fixes = Journey(line: try drawing.line("asbcdv"), every: 5).fixes
        for (name, status) in [("v1", Consent.Status.always), ("v2", .denied)] {
            let address = VehicleAddress(vehicle: try #require(VehicleID(name)))
            _ = observation.observe(
                .report(.profile(HeightProfile(height: 412, source: "driver")), from: address, receivedAt: .at(0)))
            _ = observation.observe(.report(.consent(Consent(status)), from: address, receivedAt: .at(0)))
            for fix in fixes {
                let refused = observation.observe(.report(.location([fix]), from: address, receivedAt: fix.time))
                #expect(refused == (status == .always ? [] : [.noConsent]))
            }
        }
        #expect(try #require(try passes(observation.finish(), on: "as")) == (1, 1))
    }

    @Test("Where a vehicle was silent for longer than its way is known, it is not known what it did")
    func gap() throws {
        let history = try history("asbcdv", height: 200) { fixes in
            for fix in fixes.indices where fixes[fix].time.seconds > 106 {
                fixes[fix].time = fixes[fix].time.adding(400)
            }
        }
        #expect(try passes(history, on: "as") == nil)
    }

    @Test("What a vehicle has driven of late is kept with it, and leaves with it")
    func kept() throws {
        let dispatcher = Dispatcher(drawing.network)
        for fix in Journey(line: try drawing.line("asbcdv"), every: 5).fixes.prefix(24) { dispatcher.fix(fix) }
        let kept = try #require(dispatcher.kept)
        #expect(!kept.passages.visits.isEmpty)
        #expect(try Vehicle(encoded: kept.encoded()).passages == kept.passages)
        dispatcher.engine.forget(Dispatcher.truck.vehicle)
        dispatcher.engine.endTrips()
        #expect(!dispatcher.engine.hasPassagesCounted)
    }

    @Test("A trip of any length takes little room: what lies farther back than two miles is counted and forgotten")
    func bounded() throws {
        let network = drawing.network
        var (passages, counts) = (HazardPassages(), PassageCounts())
        let round = try ["as", "sw", "wz"].map(drawing.edge)
        let hazards = HeightHazards(network, height: 420, EngineSettings())
        let ground = CountingGround(network: network, reference: hazards.low, own: nil)
        for _ in 0..<100 { passages.drive(round, network, ground, into: &counts) }
        #expect(passages.recent.count <= 5 && passages.visits.count <= 5)
        #expect((97...99).contains(try #require(counts.rows.values.map(\.passes).max())))
    }
}
