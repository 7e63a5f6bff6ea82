import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

@Suite("An explanation says by which fix, place and height a vehicle was judged")
struct ExplanationVehicleTests {
    @Test("Off the network no rule speaks; an old fix is not judged")
    func offNetwork() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.fix(Fix(position: Drawing.place(4_000, -1_500), time: .at(0), speed: 0))
        let truck = Dispatcher.truck.vehicle
        let explanation = try #require(dispatcher.engine.explanation(of: truck, at: .at(5)))
        #expect(explanation.place.status == .offNetwork)
        #expect(explanation.path == nil)
        #expect(explanation.fix.age == 5)
        #expect(explanation.clearances.first?.hazards.first?.reason == .offNetwork)
        let later = try #require(dispatcher.engine.explanation(of: truck, at: .at(90)))
        #expect(!later.fix.isJudged)
        #expect(later.clearances.first?.hazards.first?.reason == .oldFix)
        #expect(dispatcher.engine.explanation(of: try #require(VehicleID("T1")), at: .at(5)) == nil)
    }

    @Test("In a quiet circle the place is that of the newest fix, and the vehicle stays as it was")
    func quiet() throws {
        let drawing = try Drawing(
            """
            a 0 0
            b 1000 0
            c 1000 2000
            ab residential name=First+Street
            bc residential name=Second+Street
            """)
        let dispatcher = Dispatcher(drawing.network)
        let truck = Dispatcher.truck.vehicle
        dispatcher.drive(Journey(line: try drawing.line("ab") + [Drawing.place(1_000, 500)], every: 1))
        let before = try #require(dispatcher.engine.vehicles[truck]).copy
        #expect(before.quiet.hasPassedOver)
        let fix = try #require(before.lastFix)
        let place = try #require(dispatcher.engine.explanation(of: truck, at: fix.time)).place
        #expect(place.status == .onRoad)
        #expect(place.candidates.first?.road == "Second Street")
        #expect(try #require(dispatcher.engine.vehicles[truck]).copy.encoded() == before.encoded())
    }

    @Test("Height, margin, source and status are those that counted")
    func height() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(Fix(position: Drawing.place(100, 0), time: .at(0)))
        let said = try #require(dispatcher.engine.explanation(of: Dispatcher.truck.vehicle, at: .at(0))).height
        #expect(
            said
                == Explanation.Height(
                    effective: 4.2, height: 4.12, margin: 0.0762, source: "driver", status: .ok))
    }

    @Test("What nobody said is assumed, and said to be")
    func assumed() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.fix(Fix(position: Drawing.place(100, 0), time: .at(0)))
        let assumed = try #require(dispatcher.engine.explanation(of: Dispatcher.truck.vehicle, at: .at(0)))
        #expect(assumed.height.status == .assumed)
        #expect(assumed.fix.intervalSource == .assumed && assumed.fix.isAccuracyAssumed)
        #expect(assumed.words.contains("nobody has set its height"))
    }

    @Test("No more than a hundred clearances that nobody speaks of are listed, the nearest first")
    func bounded() throws {
        let clearances = (0..<130).map { index in
            PointClearance(id: "c\(index)", position: Drawing.place(-10 * Double(index + 1), 0), posted: "3")
        }
        let engine = Engine(EngineSettings(), network: nil, clearances: clearances)
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.drive(Journey(line: [Drawing.place(0, 0), Drawing.place(30, 0)], every: 1))
        let explanation = try #require(dispatcher.engine.explanation(of: Dispatcher.truck.vehicle, at: .at(2)))
        #expect(explanation.clearances.prefix(3).map(\.id) == ["c0", "c1", "c2"])
        #expect(explanation.clearances.count == 100)
        #expect(explanation.clearancesLeftOut == 30)
        #expect(explanation.words.contains("30 more, farther away, are left out."))
    }
}
