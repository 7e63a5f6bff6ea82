import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Evaluation
@testable import Fleet

/// What is counted of passes, on drawn roads where the truth is known by hand. In `Drawing.bridge` the last turn-off
/// lies at 4,000 m, the low edge at 4,300 m, the bridge at 4,320 m; at 20 m/s.
struct EvaluationPassTests {
    @Test("A pass that was told a mile before counts in every measure it ought to")
    func toldTheMile() throws {
        let it = try EvaluationTrial(Drawing.bridge()).evaluation("aj je ef fg gz")
        #expect(it.trips == 1)
        #expect(abs(it.kilometres - 6.5) < 0.01)
        // 325 s of driving, 15 s of standing, and the first fix.
        #expect(it.fixesReported == 341)
        #expect(it.fixesAccepted == 341)
        // Under way, without noise.
        #expect([it.fixesMatched, it.fixesMatchedRight] == [325, 325])
        #expect([it.passes, it.tellable, it.toldBefore] == [1, 1, 1])
        #expect([it.noticeable, it.toldWithNotice] == [1, 1])
        #expect([it.droveTheMile, it.droveAndToldAtTheMile, it.onPathForTheMile, it.toldAtTheMile] == [1, 1, 1, 1])
        #expect([it.silenced, it.silencedToldBefore] == [0, 0])
        #expect([it.alerts, it.stops, it.wrongStops, it.falseAlerts] == [1, 1, 0, 0])
        #expect(it.missed.isEmpty)
        let lead = try #require(it.leadMetres.first)
        #expect((Unit.mile...Unit.mile + 20 * 10 + 20).contains(lead))
        #expect(abs(it.leadSeconds[0] - lead / 20) < 0.01)
    }

    @Test("Round a corner the alarm comes late and the notice a full mile before: both are counted, and by structure")
    func notice() throws {
        let it = try EvaluationTrial(Drawing.sideStreet()).evaluation("as sb bc cd")
        #expect([it.tellable, it.toldBefore, it.noticedBefore] == [1, 1, 1])
        #expect([it.droveTheMile, it.droveAndToldAtTheMile, it.droveAndNoticedAtTheMile] == [1, 0, 1])
        #expect([it.alerts, it.notices, it.falseNotices, it.falseAlerts] == [1, 1, 0, 0])
        #expect(it.sites.count == 1)
        #expect(it.sites.values.first?.droveAndNoticedAtTheMile == 1)
        let passedBy = try EvaluationTrial(Drawing.sideStreet()).evaluation("as sw wz")
        #expect(passedBy.falseNotices == passedBy.notices && passedBy.notices > 0)
        #expect(passedBy.hours > 0)
    }

    @Test("A trip that others drew is driven along the roads beside its line")
    func given() throws {
        let drawing = try Drawing.bridge()
        let matcher = LineMatcher(drawing.network, FastestWay(drawing.network))
        let line = [(7.0, 4.0), (2_000, -3), (4_320, 5), (6_400, 2)].map { Drawing.place($0.0, $0.1) }
        let trip = try #require(Trip(drawing.network, along: line, matcher))
        #expect(try trip.edges == ["aj", "je", "ef", "fg", "gz"].map(drawing.edge))
        #expect(Trip(drawing.network, along: [Drawing.place(0, 9_000), Drawing.place(900, 9_000)], matcher) == nil)
    }

    @Test("A trip that begins less than a mile before the last turn-off cannot be told the full mile")
    func shortApproach() throws {
        let roads = try Drawing(
            """
            a 3000 0
            j 4000 0
            e 4300 0
            f 4340 0
            g 4700 0
            n 4000 300
            m 4700 300
            aj tertiary
            je tertiary
            ef tertiary maxheight=3.2
            fg tertiary
            jnmg residential
            """)
        let it = try EvaluationTrial(roads).evaluation("aj je ef fg")
        #expect([it.tellable, it.toldBefore, it.noticeable, it.toldWithNotice] == [1, 1, 1, 1])
        #expect([it.droveTheMile, it.onPathForTheMile] == [0, 0])
        #expect(abs(it.leadMetres[0] - 1_000) < 1)
    }

    @Test("A trip that begins behind the last turn-off passes, but could not be told; its stop is right")
    func beginsBehind() throws {
        let it = try EvaluationTrial(Drawing.bridge()).evaluation("je ef fg gz")
        #expect([it.passes, it.tellable, it.droveTheMile] == [1, 0, 0])
        #expect([it.alerts, it.stops, it.wrongStops, it.falseAlerts] == [1, 1, 0, 0])
    }

    @Test("A low edge of a service road is passed, but nobody need be told")
    func serviceRoad() throws {
        let it = try EvaluationTrial(Drawing.bridge(below: "service")).evaluation("aj je ef fg gz")
        #expect([it.passes, it.tellable] == [1, 0])
    }

    @Test("A low edge without a detour is passed, but there is no last turn-off to be told before")
    func noDetour() throws {
        let roads = try Drawing(
            "a 0 0\ne 3000 0\nf 3040 0\nz 5000 0\nae tertiary\nef tertiary maxheight=3.2\nfz tertiary")
        let it = try EvaluationTrial(roads).evaluation("ae ef fz")
        #expect([it.passes, it.tellable] == [1, 0])
    }

    @Test("Who takes the detour passes nothing")
    func takesDetour() throws {
        let it = try EvaluationTrial(Drawing.bridge()).evaluation("aj jn nm my yz")
        #expect([it.passes, it.tellable, it.toldBefore] == [0, 0, 0])
        #expect(it.leadMetres.isEmpty)
    }

    @Test("A pass is tellable from two accepted fixes before the detour point on")
    func seenTwice() throws {
        // 4,000 m at 20 m/s: fixes at 0 and 150 s lie before it, of those at 0 and 250 s only the first.
        let sparse = try EvaluationTrial(Drawing.bridge()) { $0.intervals = [150, 250] }
        let evaluations = try sparse.account("aj je ef fg gz").evaluations
        #expect(evaluations.map(\.tellable) == [1, 0])
    }

    @Test("A pass whose device was silent while rule 2 could have spoken is counted apart, told or not")
    func silenced() throws {
        // Off the path only rule 2 speaks: within notice and interval, 11 s, of the corner that comes after 100 s.
        let trial = try EvaluationTrial(Drawing.sideStreet()) { $0.gaps = 0.02 }
        let trip = try trial.trip("as sb bc cd")
        var sum = Evaluation(interval: 1)
        for number in 0..<150 {
            let drive = trial.worker.evaluator.plan.drive(trip, number: number, interval: 1)
            let times = drive.map { $0.time.since(drive.start) }.filter { $0 < 100 }
            let isSilent = !times.contains { $0 > 89 }
            let it = try trial.evaluation("as sb bc cd", number: number)
            #expect(it.tellable == (times.count >= 2 ? 1 : 0))
            #expect(it.silenced == (isSilent ? it.tellable : 0))
            #expect(it.silencedToldBefore == it.silenced * it.toldBefore)
            #expect(it.missed == (it.toldBefore < it.tellable ? [number] : []))
            // Whoever was heard in that time was told.
            if it.silenced == 0 { #expect(it.toldBefore == it.tellable, "\(times.suffix(6))") }
            sum += it
        }
        #expect(sum.silenced > 20)
        #expect(sum.silenced > sum.silencedToldBefore && sum.silencedToldBefore > 0)
        #expect(sum.missed.count == sum.silenced - sum.silencedToldBefore)
    }

    @Test("An alert is right as long as the truck is in the low zone, however long that is")
    func longZone() throws {
        let roads = try Drawing(
            """
            a 0 0
            j 1000 0
            e 1200 0
            f 2200 0
            z 4000 0
            n 1000 500
            m 4000 500
            y 8000 0
            aj tertiary
            je tertiary
            ef tertiary maxheight=3.2
            fz tertiary
            zy tertiary
            jnmz residential
            """)
        let trial = EvaluationTrial(roads)
        let trip = try trial.trip("aj je ef fz")
        let pass = try #require(trip.passes(roads.network, trial.worker.evaluator.table).first)
        #expect(abs(pass.entryDistance - 1_200) < 1)
        #expect(abs(pass.zoneEnd - 2_200) < 1)
        let settings = Drive.Settings(startDistance: 1_400)
        let record = trial.worker.record(
            of: Drive(trip, settings, from: Timestamp(milliseconds: 0), seed: 1), number: 0)
        let it = trial.worker.evaluator.judge.evaluation(of: record, number: 0)
        let alert = try #require(record.alarms.first)
        #expect(abs(alert.raisedAt - 1_400) < 1)
        #expect(record.wasRight(alert))
        #expect([it.stops, it.wrongStops] == [1, 0])
    }

    @Test("Only a trip that was told every stage, on a path under a low bridge, has all stages to show")
    func allStages() throws {
        let trial = try EvaluationTrial(Drawing.bridge())
        #expect(try trial.account("aj je ef fg gz").hasAllStages)
        #expect(try !trial.account("aj jn nm my yz").hasAllStages)
        #expect(try !trial.account("je ef fg gz").hasAllStages)
    }
}
