import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// The way to where a vehicle is bound is found again as it was, not anew from where the vehicle is by then.
struct StoredWayTests {
    enum Bound: CaseIterable {
        case destination, elsewhere, waypoints, line

        func route(_ drawing: Drawing) throws -> Messages.Route {
            switch self {
            case .destination: .waypoints([try drawing.line("d")[0]])
            case .elsewhere: .waypoints([try drawing.line("z")[0]])
            case .waypoints: .waypoints([try drawing.line("b")[0], try drawing.line("d")[0]])
            case .line: .line(try drawing.line("asbcd"))
            }
        }
    }

    @Test(
        "A gateway that is restarted after every fix has the ways of one that is not, and says the same",
        arguments: Bound.allCases, ["asbcd", "aswz"])
    func restarts(bound: Bound, driven: String) throws {
        let drawing = try Drawing.sideStreet()
        let journey = Journey(line: try drawing.line(driven), every: 5)
        let route = try bound.route(drawing)
        let steady = Dispatcher(drawing.network)
        steady.tell(.route(route), at: -30)
        var parts = [Dispatcher(drawing.network)]
        parts[0].tell(.route(route), at: -30)
        for fix in journey.fixes {
            steady.fix(fix)
            let part = try restarted(parts[parts.count - 1], route, drawing)
            part.fix(fix)
            parts.append(part)
            #expect(part.kept?.guidance.ways == steady.kept?.guidance.ways, "at \(fix.time)")
            #expect(part.kept?.guidance.search?.place == steady.kept?.guidance.search?.place)
        }
        #expect(parts.flatMap(\.alertsAndNotices) == steady.alertsAndNotices)
        #expect(!steady.alertsAndNotices.isEmpty)
    }

    @Test("A vehicle that goes on from what was written keeps the ways that it has")
    func written() throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(try Bound.destination.route(drawing)), at: -30)
        for fix in Journey(line: try drawing.line("asb"), every: 5).fixes {
            dispatcher.fix(fix)
            let kept = try #require(dispatcher.kept)
            dispatcher.engine.resume(kept.id, storedAs: kept.state())
            #expect(dispatcher.kept?.guidance.ways == kept.guidance.ways)
            #expect(dispatcher.kept?.guidance.hasStoredWays == false)
        }
    }

    private func restarted(_ dispatcher: Dispatcher, _ route: Messages.Route, _ drawing: Drawing) throws -> Dispatcher {
        let stored = try #require(dispatcher.kept).encoded()
        let engine = Engine(EngineSettings(), network: drawing.network)
        engine.restore(try Vehicle(encoded: stored))
        engine.restore(.report(.route(route), from: Dispatcher.truck, receivedAt: .at(-30)))
        engine.prepare()
        return Dispatcher(engine, truck: Dispatcher.truck, height: nil)
    }
}
