import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Evaluation
@testable import Fleet

/// What is counted of alerts, right and for nothing, and of circles on the same trips.
struct EvaluationAlertTests {
    @Test("An alert for a trip that takes the detour is for nothing, and the trip took the detour")
    func tookTheDetour() throws {
        let it = try EvaluationTrial(Drawing.bridge()).evaluation("aj jn nm my yz")
        #expect([it.alerts, it.falseAlerts, it.stops] == [1, 1, 0])
        #expect(it.falseByCause == [.tookTheDetour: 1])
        #expect(it.falseByStage == ["detour": 1])
        #expect(it.falseAboveOrBelow == 0)
        #expect(abs(it.falsePer1000Kilometres - 1_000 / it.kilometres) < 1e-9)
    }

    /// A main road eastwards, a low bridge on it at 4,300 m, a detour that leaves 300 m before it, and a side road `tu` to the
    /// south before that.
    private static func sideRoad(at east: Int, length: Int, _ highway: String) throws -> Drawing {
        try Drawing(
            """
            a 0 0
            t \(east) 0
            j 4000 0
            e 4300 0
            f 4340 0
            g 4700 0
            n 4000 300
            m 4700 300
            u \(east) -\(length)
            at tertiary name=Main+Street
            tj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.2
            fg tertiary name=Main+Street
            jnmg residential
            tu \(highway)
            """)
    }

    @Test("An alert for a trip that ends before the last turn-off is for nothing, since the trip ended")
    func tripEnded() throws {
        let it = try EvaluationTrial(Self.sideRoad(at: 3_500, length: 200, "service")).evaluation("at")
        #expect([it.passes, it.alerts, it.falseAlerts] == [0, 1, 1])
        #expect(it.falseByCause == [.tripEnded: 1])
        // 500 m from the last turn-off at 20 m/s: the stage for 20 s and 300 m has not come.
        #expect(it.falseByStage == ["ahead": 1])
    }

    @Test("An alert for a trip that turns off before the last turn-off is for nothing, since it left the path")
    func leftThePath() throws {
        let it = try EvaluationTrial(Self.sideRoad(at: 3_000, length: 3_000, "residential")).evaluation("at tu")
        #expect([it.passes, it.alerts, it.falseAlerts] == [0, 1, 1])
        #expect(it.falseByCause == [.leftThePath: 1])
        #expect(it.falseByStage == ["ahead": 1])
    }

    @Test("An alert about a side road that is not turned onto is for nothing, and says why")
    func turnNotTaken() throws {
        let it = try EvaluationTrial(Drawing.sideStreet()).evaluation("as sw wz")
        #expect([it.passes, it.alerts, it.falseAlerts] == [0, 1, 1])
        #expect(it.falseByCause == [.turnNotTaken: 1])
    }

    @Test("A false alert for a bridge that the trip drove over is one above or below the road")
    func aboveOrBelow() throws {
        // The side street runs on under Main Street itself.
        let roads = try Drawing(
            """
            a 0 0
            s 2000 0
            w 2500 0
            z 5000 0
            b 2200 -15
            c 2200 15
            d 2200 1500
            k 2000 -15
            v 2500 1500
            asw primary name=Main+Street
            wz primary name=Main+Street
            sk residential name=Mill+Lane oneway=yes
            kb residential name=Mill+Lane oneway=yes
            bc residential name=Mill+Lane oneway=yes maxheight=3.2
            cd residential name=Mill+Lane oneway=yes
            dv residential name=North+Road
            wv residential name=Bypass+Road
            """)
        let it = try EvaluationTrial(roads).evaluation("as sw wz")
        #expect([it.passes, it.falseAlerts, it.falseAboveOrBelow] == [0, 1, 1])
    }

    @Test("A stop told to a truck that is on the detour is a wrong one")
    func wrongStop() throws {
        let trial = try EvaluationTrial(Drawing.bridge())
        let evaluator = trial.worker.evaluator
        // What the engine hears is a truck that drives on; what the truck does is to take the detour.
        let told = Drive(try trial.trip("aj je ef"), .init(), from: Timestamp(milliseconds: 0), seed: 1)
        let done = Drive(try trial.trip("aj jn nm mg"), .init(), from: Timestamp(milliseconds: 0), seed: 1)
        let engine = Engine(evaluator.settings, network: evaluator.network)
        let address = Dispatcher.truck
        let profile = HeightProfile(height: EvaluationTrial.height, margin: 0)
        _ = engine.handle([.report(.profile(profile), from: address, receivedAt: told.start)])
        var record = TripRecord(done, passes: [])
        for fix in told {
            let effects = engine.handle([.report(.location([fix]), from: address, receivedAt: fix.time)])
            record.note(fix, effects, matched: nil) { _ in 0 }
        }
        let entry = try trial.drawing.edge("ef")
        #expect(evaluator.table.hazards.first?.entry == entry)
        let it = evaluator.judge.evaluation(of: record, number: 0)
        #expect([it.stops, it.wrongStops, it.falseAlerts] == [1, 1, 1])
        #expect(it.falseByStage == ["stop": 1])
        #expect(it.falseByCause == [.tookTheDetour: 1])
    }

    /// Seconds after the start, 20 m each; the bridge is at 4,320 m, and its low zone ends at 4,340 m.
    @Test(
        "An alert that begins beside another one of its structure, or soon after its end, and a pass that is cleared are counted",
        arguments: [
            ([(100, "a", .ahead), (217, "a", .passed)], [1, 0, 0, 0]),
            ([(100, "a", .ahead), (210, "a", .cleared)], [1, 0, 0, 0]),
            ([(100, "a", .ahead), (217, "a", .cleared)], [1, 0, 0, 1]),
            ([(100, "a", .ahead), (217, "a", .passed), (240, "b", .ahead)], [2, 1, 0, 0]),
            ([(100, "a", .ahead), (207, "a", .passed), (240, "b", .ahead)], [2, 0, 0, 0]),
            ([(10, "a", .ahead), (20, "a", .cleared), (100, "b", .ahead), (217, "b", .passed)], [2, 1, 0, 0]),
            ([(10, "a", .ahead), (100, "b", .ahead), (101, "a", .cleared), (217, "b", .passed)], [2, 0, 1, 0]),
        ] as [([(Int, String, AlertMessage.Stage)], [Int])])
    func order(said: [(second: Int, id: String, stage: AlertMessage.Stage)], counts: [Int]) throws {
        let trial = try EvaluationTrial(Drawing.bridge())
        let evaluator = trial.worker.evaluator
        let drive = Drive(try trial.trip("aj je ef fg gz"), .init(), from: Timestamp(milliseconds: 0), seed: 1)
        let alert = try #require(try Self.alert(evaluator, drive))
        var record = TripRecord(drive, passes: drive.trip.passes(evaluator.network, evaluator.table))
        for (second, id, stage) in said {
            let time = drive.start.adding(Seconds(second))
            var (message, effects) = (alert, Effects())
            (message.id, message.stage) = (id, stage)
            effects.envelopes = [Envelope(address: Dispatcher.truck, message: .alert(message))]
            record.note(Fix(position: drive.place(at: time).position, time: time), effects, matched: nil) { _ in 0 }
        }
        let it = evaluator.judge.evaluation(of: record, number: 0)
        #expect([it.raised, it.repeated, it.doubled, it.clearedPasses] == counts)
    }

    /// At 20 m/s the junction `j` is 200 s after the start.
    @Test(
        "A fix is matched right on the edge that is driven, and on either where two meet within the noise",
        arguments: [
            (100, "aj", true), (100, "ja", false), (100, "je", false), (205, "je", true), (205, "aj", false),
            (199.5, "je", true), (199.5, "jn", false),
        ])
    func matched(second: Seconds, edge: String, isRight: Bool) throws {
        let trial = try EvaluationTrial(Drawing.bridge()) { $0.noise = 5 }
        let drive = Drive(try trial.trip("aj je ef fg gz"), .init(), from: Timestamp(milliseconds: 0), seed: 1)
        var record = TripRecord(drive, passes: [])
        var effects = Effects()
        effects.fixesAccepted = 1
        let fix = Fix(position: drive.trip.place(at: second).position, time: drive.start.adding(second))
        record.note(fix, effects, matched: try trial.drawing.edge(edge)) { _ in nil }
        record.note(fix, effects, matched: nil) { _ in nil }
        let it = trial.worker.evaluator.judge.evaluation(of: record, number: 0)
        #expect([it.fixesAccepted, it.fixesMatched, it.fixesMatchedRight] == [2, 1, isRight ? 1 : 0])
    }

    /// The first that a drive leads to.
    private static func alert(_ evaluator: Evaluator, _ drive: Drive) throws -> AlertMessage? {
        let engine = Engine(evaluator.settings, network: evaluator.network)
        let profile = HeightProfile(height: EvaluationTrial.height, margin: 0)
        _ = engine.handle([.report(.profile(profile), from: Dispatcher.truck, receivedAt: drive.start)])
        for fix in drive {
            let effects = engine.handle([.report(.location([fix]), from: Dispatcher.truck, receivedAt: fix.time)])
            for case .alert(let message) in effects.envelopes.map(\.message) { return message }
        }
        return nil
    }

    @Test(
        "A circle of a mile alerts once each time it is entered, for nothing where its bridge is not passed",
        arguments: [
            // Through the circle and under the bridge.
            ("aj je ef fg gz", 1, 0),
            // Through the circle, round the bridge.
            ("aj jn nm my yz", 1, 1),
            // Out of the circle by Hill Road, two kilometres north, and in again from the east.
            ("aj jn ny yz zg", 2, 2),
            // It begins within the circle.
            ("je ef fg gz", 1, 0),
        ])
    func circles(trip: String, alerts: Int, false wrong: Int) throws {
        let it = try EvaluationTrial(Drawing.bridge()).evaluation(trip)
        #expect([it.circleAlerts, it.circleFalse] == [alerts, wrong])
        #expect(abs(it.circleFalsePer1000Kilometres - Double(wrong) * 1_000 / it.kilometres) < 1e-9)
    }

    @Test("No circle is drawn for a bridge over a service road, nor is one entered that lies a mile away")
    func noCircles() throws {
        let service = try EvaluationTrial(Drawing.bridge(below: "service")).evaluation("aj je ef fg gz")
        #expect(service.circleAlerts == 0)
        let far = try Drawing(
            """
            a 0 0
            z 5000 0
            b 2500 1700
            e 2600 1700
            f 2640 1700
            c 3000 1700
            n 2500 2000
            m 3000 2000
            az tertiary
            be tertiary
            ef tertiary maxheight=3.2
            fc tertiary
            bnmc tertiary
            """)
        #expect(try EvaluationTrial(far).evaluation("az").circleAlerts == 0)
    }
}
