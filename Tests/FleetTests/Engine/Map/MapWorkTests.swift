import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@Suite("Hazards and changed clearances that are worked out on another thread")
struct MapWorkTests {
    private let middle = Drawing.place(4_320, 0)

    /// A truck that is the first of 380 cm, half a second ago.
    private func awaiting(_ posted: String = "3.5", groups: [String] = []) throws -> Dispatcher {
        let engine = Engine(EngineSettings(), network: try Drawing.bridge(posted).network)
        engine.doMapWorkElsewhere(at: .at(-60))
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: nil)
        dispatcher.doMapWork(at: -59)
        dispatcher.tell(.profile(HeightProfile(height: 380, source: "driver", groups: groups)), at: -0.5)
        return dispatcher
    }

    /// A fix from which the bridge is near enough for an alert.
    private let near = Journey(line: [Drawing.place(2_600, 0), Drawing.place(3_000, 0)]).fixes[0]
    private let journey = Journey(line: [Drawing.place(2_000, 0), Drawing.place(2_600, 0)])

    private func change(_ id: String, _ posted: String?) -> ClearanceChange {
        ClearanceChange(id: id, clearance: posted.map { PointClearance(id: id, position: middle, posted: $0) })
    }

    @Test("A truck whose hazards are awaited says so, and is judged by its newest fix once they are there")
    func judgedLater() throws {
        let dispatcher = try awaiting()
        dispatcher.fix(near)
        #expect(dispatcher.alerts.isEmpty)
        #expect(dispatcher.states.last?.blind == [.tablesPending])
        dispatcher.doMapWork(at: 0.4)
        #expect(dispatcher.stages == [.ahead])
        #expect(dispatcher.alerts.map(\.certainty) == [.likely])
        #expect(dispatcher.states.last?.blind == [])
    }

    @Test("An alert has the id that it would have if nobody had to wait")
    func sameID() throws {
        let waiting = try awaiting()
        waiting.fix(near)
        waiting.doMapWork(at: 0.4)
        let other = Dispatcher(try Drawing.bridge("3.5").network, height: 380)
        other.fix(near)
        #expect(waiting.alerts.map(\.id) == other.alerts.map(\.id))
    }

    @Test("Who waits for more than a second is told of what lies straight ahead, and then of what lies on the road")
    func straightLine() throws {
        let dispatcher = try awaiting()
        dispatcher.drive(journey)
        #expect(dispatcher.stages == [.ahead])
        #expect(dispatcher.alerts.map(\.certainty) == [.possible])
        dispatcher.doMapWork(at: 31)
        #expect(dispatcher.stages == [.ahead, .cleared, .ahead])
        #expect(dispatcher.alerts[1].reason == .mapChanged)
        #expect(dispatcher.alerts.map(\.id) == [0, 0, 2].map { dispatcher.alerts[$0].id })
        #expect(dispatcher.alerts[2].certainty == .likely)
    }

    @Test("What is open stays open while the hazards for another height are awaited")
    func openAlert() throws {
        let dispatcher = try awaiting()
        dispatcher.doMapWork(at: -0.3)
        dispatcher.drive(journey)
        #expect(dispatcher.stages == [.ahead])
        dispatcher.tell(.profile(HeightProfile(height: 340)), at: 31)
        #expect(dispatcher.stages == [.ahead])
        dispatcher.doMapWork(at: 31.2)
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts[1].reason == .profileChanged)
    }

    @Test("A silent truck's alert ends when it is due, though hazards are awaited", arguments: [0.5, 5])
    func silent(waited: Seconds) throws {
        let dispatcher = try awaiting()
        dispatcher.doMapWork(at: -0.3)
        dispatcher.drive(journey)
        let due = try #require(journey.fixes.last).time.seconds + 600
        dispatcher.tell(.profile(HeightProfile(height: 340)), at: due - waited)
        dispatcher.tick(due + 0.1)
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts[1].reason == .positionLost)
    }

    @Test("An alert whose bridge is not on another road file ends because of that, once its hazards are there")
    func otherRoadFile() throws {
        let dispatcher = try awaiting()
        dispatcher.doMapWork(at: -0.3)
        dispatcher.drive(journey)
        dispatcher.replace(try Drawing.bridge("5").network, at: 31)
        dispatcher.fix(Fix(position: Drawing.place(2_620, 0), time: .at(31.5), accuracy: 5, speed: 20, course: 90))
        #expect(dispatcher.stages == [.ahead])
        dispatcher.doMapWork(at: 32)
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts[1].reason == .mapChanged)
    }

    @Test("A changed clearance is answered at once, and in force once its work is done")
    func changedClearance() throws {
        let dispatcher = try awaiting("5")
        dispatcher.doMapWork(at: -0.3)
        dispatcher.drive(journey)
        dispatcher.hear([.clearances([change("survey-12", "3.2")], at: .at(40))])
        #expect(dispatcher.registrations.map(\.id) == ["survey-12"])
        #expect(dispatcher.alerts.isEmpty)
        #expect(dispatcher.engine.isMapBehind)
        dispatcher.doMapWork(at: 40.5)
        #expect(dispatcher.stages == [.ahead])
        #expect(!dispatcher.engine.isMapBehind)
    }

    @Test("A change that comes while another is being worked out is in force with the next work")
    func changedMeanwhile() throws {
        let dispatcher = try awaiting("5")
        dispatcher.doMapWork(at: -0.3)
        dispatcher.drive(journey)
        dispatcher.hear([.clearances([change("survey-12", "3.2")], at: .at(40))])
        let work = try #require(dispatcher.engine.takeMapWork())
        dispatcher.hear([.clearances([change("survey-12", nil)], at: .at(40.1))])
        #expect(dispatcher.engine.takeMapWork() == nil)
        dispatcher.install(work.result(), at: 40.5)
        #expect(dispatcher.stages == [.ahead])
        #expect(dispatcher.engine.isMapBehind)
        dispatcher.doMapWork(at: 41)
        #expect(dispatcher.stages == [.ahead, .cleared])
    }

    @Test("What has changed meanwhile alone is still to be judged once the work is done")
    func changedElsewhere() throws {
        let dispatcher = try awaiting("5")
        dispatcher.doMapWork(at: -0.3)
        dispatcher.hear([.clearances([change("survey-12", "3.2")], at: .at(40))])
        let before = dispatcher.engine.changedPlaces
        let work = try #require(dispatcher.engine.takeMapWork())
        let far = PointClearance(id: "survey-13", position: Drawing.place(9_000, 9_000), posted: "3.2")
        dispatcher.hear([.clearances([ClearanceChange(id: far.id, clearance: far)], at: .at(40.1))])
        dispatcher.install(work.result(), at: 40.5)
        #expect(!before.isEmpty)
        #expect(dispatcher.engine.changedPlaces.text == "\(far.position.latitude),\(far.position.longitude)")
        dispatcher.doMapWork(at: 41)
        #expect(dispatcher.engine.changedPlaces.isEmpty)
    }

    @Test("A truck that says something before it is judged by a changed clearance is judged by that first")
    func saysSomethingFirst() throws {
        let dispatcher = try awaiting("5")
        dispatcher.doMapWork(at: -0.3)
        dispatcher.drive(journey)
        dispatcher.hear([.clearances([change("survey-12", "3.2")], at: .at(40))])
        dispatcher.doMapWork(at: 40.5)
        #expect(dispatcher.stages == [.ahead])
        dispatcher.hear([.clearances([change("survey-12", nil)], at: .at(41))])
        let work = try #require(dispatcher.engine.takeMapWork())
        #expect(dispatcher.engine.install(work.result(), at: .at(41.5)).envelopes.isEmpty)
        #expect(dispatcher.engine.hasUnjudged && !dispatcher.engine.isMapBehind)
        // Kept until everybody is judged: after a crash all are.
        #expect(!dispatcher.engine.changedPlaces.isEmpty)
        dispatcher.fix(Fix(position: Drawing.place(2_700, 0), time: .at(42), accuracy: 5, speed: 20, course: 90))
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts.last?.reason == .clearanceChanged)
        #expect(!dispatcher.engine.hasUnjudged && dispatcher.engine.changedPlaces.isEmpty)
    }

    @Test("Work that was begun for a former road file is dropped")
    func formerRoadFile() throws {
        let dispatcher = try awaiting()
        let work = try #require(dispatcher.engine.takeMapWork())
        dispatcher.replace(try Drawing.bridge("5").network, at: -50)
        dispatcher.drive(journey)
        dispatcher.install(work.result(), at: 31)
        dispatcher.doMapWork(at: 32)
        #expect(dispatcher.alerts.allSatisfy { $0.certainty == .possible })
        #expect(dispatcher.states.last?.blind == [])
    }

    @Test("Route, quiet circle and regions wait as well, and follow")
    func others() throws {
        let dispatcher = try awaiting(groups: ["tracking"])
        dispatcher.fix(near)
        dispatcher.tell(.route(.waypoints([Drawing.place(6_500, 0)])), at: 0.1)
        let told = dispatcher.envelopes.count
        #expect(dispatcher.regions.isEmpty)
        dispatcher.doMapWork(at: 0.4)
        #expect(dispatcher.regions.count == 1)
        let routeChecks = dispatcher.envelopes.dropFirst(told).filter {
            if case .routeCheck = $0.message { true } else { false }
        }
        #expect(routeChecks.count == 1)
    }

    @Test(
        "What lies near a truck is made first, and beside what is under way: it is judged by that, and the rest follows"
    )
    func nearbyFirst() throws {
        let dispatcher = try awaiting(groups: ["tracking"])
        let whole = try #require(dispatcher.engine.takeMapWork())
        dispatcher.fix(near)
        let soon = try #require(dispatcher.engine.takeMapWork())
        #expect(dispatcher.engine.takeMapWork() == nil)
        dispatcher.install(soon.result(), at: 0.1)
        #expect(dispatcher.alerts.map(\.certainty) == [.likely])
        #expect(dispatcher.states.last?.blind == [.tablesPending])
        let complete = try #require(dispatcher.engine.takeMapWork())
        dispatcher.install(complete.result(), at: 0.2)
        #expect(dispatcher.states.last?.blind == [])
        #expect(dispatcher.regions.isEmpty)
        #expect(dispatcher.engine.takeMapWork() == nil)
        dispatcher.install(whole.result(), at: 5)
        #expect(dispatcher.stages == [.ahead])
        #expect(dispatcher.regions.count == 1)
    }

    @Test("A truck of another height is judged by roads while a changed clearance is being worked out")
    func besideChange() throws {
        let dispatcher = try awaiting()
        dispatcher.hear([.clearances([change("survey-12", "3.2")], at: .at(-0.1))])
        let changed = try #require(dispatcher.engine.takeMapWork())
        #expect(dispatcher.engine.isMapBehind)
        dispatcher.fix(near)
        let soon = try #require(dispatcher.engine.takeMapWork())
        dispatcher.install(soon.result(), at: 0.1)
        #expect(dispatcher.alerts.map(\.certainty) == [.likely])
        dispatcher.install(changed.result(), at: 3)
        #expect(dispatcher.states.last?.blind == [])
    }

    @Test("What was made near a truck is made again where clearances have changed meanwhile")
    func changedWhileNearby() throws {
        let dispatcher = try awaiting("5")
        dispatcher.doMapWork(at: -0.4)
        dispatcher.hear([.clearances([change("survey-12", "3.2")], at: .at(-0.3))])
        let changed = try #require(dispatcher.engine.takeMapWork())
        dispatcher.tell(.profile(HeightProfile(height: 600, source: "driver")), at: -0.2)
        dispatcher.fix(near)
        let former = try #require(dispatcher.engine.takeMapWork())
        dispatcher.install(changed.result(), at: 0.1)
        dispatcher.install(former.result(), at: 0.2)
        let told = dispatcher.alerts.count
        dispatcher.doMapWork(at: 0.3)
        #expect(dispatcher.alerts.count > told)
        #expect(dispatcher.alerts.last?.clearance.id == "survey-12")
    }

    @Test("What is near a truck is dropped where there is another road file")
    func nearbyOfFormerRoadFile() throws {
        let dispatcher = try awaiting()
        dispatcher.fix(near)
        let soon = try #require(dispatcher.engine.takeMapWork())
        dispatcher.replace(try Drawing.bridge("5").network, at: 0.1)
        dispatcher.install(soon.result(), at: 0.2)
        dispatcher.doMapWork(at: 0.3)
        #expect(dispatcher.alerts.isEmpty)
        #expect(dispatcher.states.last?.blind == [])
    }
}
