import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// Rules 1 and 2 where it is known what vehicles did before.
struct ObservedBehaviourTests {
    /// What a truck is told on its way, where vehicles have driven trips before.
    private func dispatcher(
        _ drawing: Drawing, _ nodes: String, after trips: (edges: [String], count: Int)...,
        change: (inout EngineSettings) -> Void = { _ in }
    ) throws -> Dispatcher {
        var observation = TripObservation(drawing.network, height: nil, EngineSettings())
        for trip in trips {
            for _ in 0..<trip.count { observation.add(try trip.edges.map(drawing.edge)) }
        }
        var settings = EngineSettings()
        change(&settings)
        let engine = Engine(settings, network: drawing.network)
        engine.restore(observation.finish())
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.drive(Journey(line: try drawing.line(nodes), every: 5))
        return dispatcher
    }

    private let under = ["as", "sb", "bc", "cd"]
    private let past = ["as", "sw", "wz"]

    @Test("Where most vehicles drove under there is an alarm a mile before, however unlikely the turn looks")
    func likely() throws {
        let drawing = try Drawing.sideStreet()
        #expect(try #require(try dispatcher(drawing, "asb").alerts.first?.detour).distance < 500)
        let alert = try #require(try dispatcher(drawing, "asb", after: (under, 10)).alerts.first)
        #expect((1_609...1_720).contains(try #require(alert.detour).distance))
        #expect(alert.stage == .ahead && !alert.sideRoad)
        #expect((0.7..<0.9).contains(alert.probability))
    }

    @Test("The more vehicles there were, the more they count against the look of the roads", arguments: [0, 1, 4, 40])
    func weight(count: Int) throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = try dispatcher(drawing, "asb", after: (under, count), (past, count))
        let first = try #require(dispatcher.alertsAndNotices.first)
        #expect(first.attention == (count < 4 ? .notice : .alarm))
        #expect(first.probability < 0.5)
        #expect(first.sideRoad)
    }

    @Test("Where hardly anybody drove under, rule 1 raises no alarm, however likely the way looks; rule 2 still does")
    func unlikely() throws {
        let drawing = try Drawing.bridge()
        let detour = ["aj", "jn", "nm"]
        #expect(try #require(try dispatcher(drawing, "az").alerts.first?.detour).distance > 1_600)
        let dispatcher = try dispatcher(drawing, "az", after: (detour, 20))
        #expect(dispatcher.alertsAndNotices.first?.attention == .notice)
        let alarm = try #require(dispatcher.alerts.first)
        #expect(alarm.sideRoad)
        #expect((200...450).contains(try #require(alarm.detour).distance))
    }

    @Test("Where thirty came by and fewer than two in a hundred drove under, the notice does, unless told otherwise")
    func exception() throws {
        let drawing = try Drawing.sideStreet()
        func attentions(_ past: Int, _ under: Int = 0, rate: Double = 0.02, notices: Double = 0) throws -> Set<String> {
            let dispatcher = try dispatcher(drawing, "az", after: (self.past, past), (self.under, under)) {
                $0.alerts.history.rate = rate
                $0.alerts.noticeProbability = notices
            }
            return Set(dispatcher.alertsAndNotices.map { $0.attention.rawValue })
        }
        #expect(try attentions(29) == ["notice", "alarm"])
        #expect(try attentions(30) == ["notice"])
        #expect(try attentions(49, 1) == ["notice", "alarm"])
        #expect(try attentions(50, 1) == ["notice"])
        #expect(try attentions(100, rate: 0) == ["notice", "alarm"])
        // Told by the notice at least: there is one even where the operator wants none so improbable.
        #expect(try attentions(100, notices: 0.9) == ["notice"])
        #expect(try attentions(29, notices: 0.9) == ["alarm"])
    }

    @Test("Who drives under there all the same has had the notice before the last turn-off, and an alarm then")
    func told() throws {
        let dispatcher = try dispatcher(Drawing.sideStreet(), "asbcdv", after: (past, 100))
        let all = dispatcher.alertsAndNotices
        #expect(all.first?.attention == .notice)
        #expect((1_609...1_720).contains(try #require(all.first?.detour).distance))
        #expect(all.contains { $0.stage == .stop && $0.attention == .alarm })
    }

    @Test("Where a vehicle came from tells more than where it is")
    func earlier() throws {
        // From a by the side street, from e straight on: they meet at m, 1,700 m before the corner.
        let drawing = try Drawing(
            """
            a -700 0
            e -650 400
            m 1000 0
            s 2700 0
            w 3200 0
            z 5000 0
            b 2700 -200
            c 2700 -230
            d 2700 -1500
            am primary name=Main+Street
            em primary name=North+Street
            mswz primary name=Main+Street
            sb residential name=Mill+Lane
            bc residential name=Mill+Lane maxheight=3.2
            cd residential name=Mill+Lane
            dw residential name=South+Road
            """)
        func first(_ nodes: String) throws -> AlertMessage? {
            let trips = (["am", "ms", "sb", "bc", "cd"], 20)
            return try dispatcher(drawing, nodes, after: trips, (["em", "ms", "sw", "wz"], 20)).alerts.first
        }
        let fromWest = try #require(try first("amsb"))
        #expect(fromWest.probability > 0.7)
        let fromNorth = try #require(try first("emsw"))
        #expect(fromNorth.probability < 0.6)
    }
}
