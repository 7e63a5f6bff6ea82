import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@Suite("Clearances that dispatch enters while trucks drive")
struct LiveClearanceTests {
    private func change(_ id: String, _ posted: String?, at position: Coordinate) -> ClearanceChange {
        ClearanceChange(id: id, clearance: posted.map { PointClearance(id: id, position: position, posted: $0) })
    }

    /// A truck of 412 cm that stands 2 km before the middle of the low edge.
    private func waiting(_ posted: String) throws -> (Dispatcher, Drawing) {
        let drawing = try Drawing.bridge(posted)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: [Drawing.place(2_000, 0), Drawing.place(2_600, 0)]))
        return (dispatcher, drawing)
    }

    private let middle = Drawing.place(4_320, 0)

    @Test("A new low one is told of at once, without another fix")
    func added() throws {
        let (dispatcher, _) = try waiting("5")
        #expect(dispatcher.alerts.isEmpty)
        dispatcher.hear([.clearances([change("survey-12", "10'6\"", at: middle)], at: .at(40))])
        #expect(dispatcher.stages == [.ahead])
        #expect(dispatcher.alerts[0].clearance.id == "survey-12")
        #expect(dispatcher.registrations == [Registration(.clearance, id: "survey-12", .monitoring(note: nil))])
    }

    @Test("One that is taken back ends its alert")
    func removed() throws {
        let (dispatcher, _) = try waiting("5")
        dispatcher.hear([.clearances([change("survey-12", "10'6\"", at: middle)], at: .at(40))])
        dispatcher.hear([.clearances([change("survey-12", nil, at: middle)], at: .at(41))])
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts[1].reason == .clearanceChanged)
    }

    @Test(
        "One that is taken back ends the alert of a truck that has not been heard for minutes, with roads and without")
    func removedInSilence() throws {
        for network in [try Drawing.bridge("5").network, nil] {
            let dispatcher = Dispatcher(network)
            dispatcher.drive(Journey(line: [Drawing.place(2_000, 0), Drawing.place(2_600, 0)]))
            dispatcher.hear([.clearances([change("survey-12", "10'6\"", at: middle)], at: .at(40))])
            dispatcher.hear([.clearances([change("survey-12", nil, at: middle)], at: .at(200))])
            #expect(dispatcher.log == ["40 ahead", "200 cleared"])
            #expect(dispatcher.alerts.last?.reason == .clearanceChanged)
        }
    }

    @Test("One under an `osm:` id takes the place of the map's, and gives it back when it is taken away")
    func override() throws {
        let (dispatcher, _) = try waiting("10'6\"")
        #expect(dispatcher.stages == [.ahead])
        dispatcher.hear([.clearances([change("osm:way:1003", "15'", at: middle)], at: .at(40))])
        #expect(dispatcher.stages == [.ahead, .cleared])
        dispatcher.hear([.clearances([change("osm:way:1003", nil, at: middle)], at: .at(41))])
        #expect(dispatcher.stages == [.ahead, .cleared, .ahead])
    }

    @Test(
        "What is taken back and entered again between two fixes begins another alert each time, with roads and without")
    func undone() throws {
        for network in [try Drawing.bridge("5").network, nil] {
            let dispatcher = Dispatcher(network)
            dispatcher.drive(Journey(line: [Drawing.place(2_000, 0), Drawing.place(2_600, 0)]))
            for second in 40..<46 {
                let posted = second.isMultiple(of: 2) ? "10'6\"" : nil
                dispatcher.hear([
                    .clearances([change("survey-12", posted, at: middle)], at: .at(Double(second)))
                ])
            }
            #expect(dispatcher.stages == [.ahead, .cleared, .ahead, .cleared, .ahead, .cleared])
            #expect(dispatcher.alertCount == 3)
        }
    }

    @Test("One with an end holds until that moment, which is the next thing to fall due; then the map's holds again")
    func end() throws {
        let (dispatcher, _) = try waiting("10'6\"")
        var raised = PointClearance(id: "osm:way:1003", position: middle, posted: "15'", author: "Desk 2")
        raised.expiry = .at(50)
        let change = ClearanceChange(id: raised.id, clearance: raised)
        dispatcher.hear([.clearances([change], at: .at(40))])
        #expect(dispatcher.stages == [.ahead, .cleared])
        dispatcher.hear([.tick(.at(49.999))])
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(try #require(dispatcher.engine.nextDeadline) <= .at(50))
        dispatcher.hear([.tick(.at(50))])
        #expect(dispatcher.stages == [.ahead, .cleared, .ahead])
        // Who says it again later has nothing in force: the broker retains it still.
        dispatcher.hear([.clearances([change], at: .at(51)), .tick(.at(51))])
        #expect(dispatcher.stages == [.ahead, .cleared, .ahead])
    }

    @Test("An end that is put off, or taken away, is none")
    func endPutOff() throws {
        let (dispatcher, _) = try waiting("5")
        var low = PointClearance(id: "survey-12", position: middle, posted: "10'6\"")
        for (second, end) in [(40.0, 60.0), (41, nil)] {
            low.expiry = end.map { .at($0) }
            dispatcher.hear([.clearances([ClearanceChange(id: low.id, clearance: low)], at: .at(second))])
        }
        dispatcher.hear([.tick(.at(61))])
        #expect(dispatcher.stages == [.ahead])
    }

    @Test("The same once more changes nothing and is not answered again")
    func unchanged() throws {
        let (dispatcher, _) = try waiting("5")
        for second in [40.0, 41] {
            dispatcher.hear([.clearances([change("survey-12", "10'6\"", at: middle)], at: .at(second))])
        }
        #expect(dispatcher.registrations.count == 1)
        #expect(dispatcher.stages == [.ahead])
    }

    @Test("One that is far from every road is in force, by straight line, and says so")
    func far() throws {
        let (dispatcher, _) = try waiting("5")
        dispatcher.hear([.clearances([change("survey-12", "3", at: Drawing.place(3_500, 100))], at: .at(40))])
        #expect(
            dispatcher.registrations.map(\.outcome)
                == [.monitoring(note: "no road found (none is near enough): judged by straight line")])
        #expect(dispatcher.alerts.map(\.certainty) == [.possible])
    }

    @Test("One that is moved onto a road is cleared where it was before it is told of there")
    func movedOntoRoad() throws {
        let (dispatcher, _) = try waiting("5")
        dispatcher.hear([.clearances([change("survey-12", "3", at: Drawing.place(3_500, 100))], at: .at(40))])
        dispatcher.hear([.clearances([change("survey-12", "3", at: middle)], at: .at(41))])
        #expect(dispatcher.stages == [.ahead, .cleared, .ahead])
        #expect(dispatcher.alerts.map(\.certainty) == [.possible, .possible, .likely])
        #expect(dispatcher.alertCount == 2)
    }

    @Test("One that raises or lifts what is known of its id says what that was: by map, by file, by topic")
    func was() throws {
        let drawing = try Drawing.bridge("10'6\"")
        let file = PointClearance(id: "a", position: middle, posted: "3.5")
        let dispatcher = Dispatcher(
            Engine(EngineSettings(), network: drawing.network, clearances: [file]), truck: Dispatcher.truck, height: 412
        )
        let steps: [(id: String, posted: String?, was: Centimetres?)] = [
            ("osm:way:1003", "3.1", nil), ("osm:way:1003", "3.6", 310), ("osm:way:1003", "none", 360),
            ("osm:way:1003", "4", nil), ("osm:way:1003", nil, nil), ("osm:way:1003", "none", 320), ("a", "3.5 m", nil),
            ("a", "3.6", 350), ("b", "3", nil), ("b", "3.01", 300),
        ]
        for (second, step) in steps.enumerated() {
            dispatcher.hear([.clearances([change(step.id, step.posted, at: middle)], at: .at(Double(second)))])
        }
        #expect(
            dispatcher.registrations.map(\.outcome)
                == steps.filter { $0.posted != nil }.map { .monitoring(note: nil, was: $0.was) })
    }

    @Test("A change is judged before and after it in one batch as it came")
    func batch() throws {
        let (dispatcher, _) = try waiting("5")
        dispatcher.hear([
            .clearances([change("a", "3", at: middle)], at: .at(40)),
            .clearances([change("a", nil, at: middle)], at: .at(40)),
        ])
        #expect(dispatcher.alerts.isEmpty)
        #expect(dispatcher.registrations.map(\.id) == ["a"])
    }

    @Test("Changes between the fixes of one batch lead to what they lead to one by one, with roads and without")
    func amongFixes() throws {
        func heard(inBatches: Bool, _ inputs: (Drawing) throws -> (RoadNetwork?, [Input])) throws -> [String] {
            let (network, inputs) = try inputs(try Drawing.bridge("5"))
            let dispatcher = Dispatcher(network)
            dispatcher.drive(Journey(line: [Drawing.place(2_000, 0), Drawing.place(2_600, 0)]))
            if inBatches { dispatcher.hear(inputs) } else { inputs.forEach { dispatcher.hear([$0]) } }
            return dispatcher.alertsAndNotices.map { "\($0.id) \($0.sequence) \($0.stage) \($0.time.seconds)" }
        }
        let middle = middle
        func fix(_ seconds: Seconds) -> Input {
            let fix = Fix(
                position: Drawing.place(2_600 + 20 * (seconds - 30), 0), time: .at(seconds), accuracy: 5, speed: 20,
                course: 90)
            return .report(.location([fix]), from: Dispatcher.truck, receivedAt: .at(seconds))
        }
        for hasRoads in [true, false] {
            let inputs = { (drawing: Drawing) -> (RoadNetwork?, [Input]) in
                let changes: [Input] = ["3", "3.2", nil, "3.1"].enumerated().map { number, posted in
                    .clearances([change("a", posted, at: middle)], at: .at(40.5 + Double(number)))
                }
                return (hasRoads ? drawing.network : nil, changes.enumerated().flatMap { [$1, fix(41 + Double($0))] })
            }
            let (together, apart) = (try heard(inBatches: true, inputs), try heard(inBatches: false, inputs))
            #expect(apart.count >= 3)
            #expect(together == apart)
        }
    }

    @Test("A topic wins over a file of the same id; taken back, the file's holds again, and a new file leaves it alone")
    func fileAndTopic() throws {
        let drawing = try Drawing.bridge("5")
        let low = PointClearance(id: "a", position: middle, posted: "3")
        let engine = Engine(EngineSettings(), network: drawing.network, clearances: [low])
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.drive(Journey(line: [Drawing.place(2_000, 0), Drawing.place(2_600, 0)]))
        #expect(dispatcher.stages == [.ahead])
        dispatcher.hear([.clearances([change("a", "5", at: middle)], at: .at(40))])
        #expect(dispatcher.stages == [.ahead, .cleared])
        dispatcher.replace(drawing.network, clearances: [low], at: 41)
        #expect(dispatcher.stages == [.ahead, .cleared])
        dispatcher.hear([.clearances([change("a", nil, at: middle)], at: .at(42))])
        #expect(dispatcher.stages == [.ahead, .cleared, .ahead])
    }
}
