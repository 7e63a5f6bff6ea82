import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

@Suite("An explanation is the same wherever it is worked out")
struct ExplanationSourceTests {
    private static let truck = Dispatcher.truck.vehicle

    private func dispatcher(_ drawing: Drawing, route: Messages.Route? = nil) throws -> Dispatcher {
        var settings = EngineSettings()
        settings.units = .metric
        settings.countsTurns = false
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        if let route { dispatcher.tell(.route(route), at: -30) }
        return dispatcher
    }

    @Test("On another thread it is what the engine says, also while hazards are still being made")
    func elsewhere() async throws {
        let dispatcher = try dispatcher(try .bridge())
        for fix in Journey(line: try Drawing.bridge().line("az"), every: 5).fixes where fix.time <= .at(125) {
            dispatcher.fix(fix)
        }
        for isMadeElsewhere in [false, true] {
            if isMadeElsewhere { dispatcher.engine.doMapWorkElsewhere(at: .at(130)) }
            let source = try #require(dispatcher.engine.explanationSource(of: Self.truck))
            let explained = await Task.detached { source.explanation(at: .at(130)) }.value
            #expect(explained == dispatcher.engine.explanation(of: Self.truck, at: .at(130)))
        }
    }

    @Test("Of a vehicle that another engine has it is what that one says", arguments: [false, true])
    func stored(hasRoute: Bool) throws {
        let drawing = try Drawing.bridge()
        let owner = try dispatcher(drawing, route: hasRoute ? .line(try drawing.line("az")) : nil)
        for fix in Journey(line: try drawing.line("az"), every: 5).fixes where fix.time <= .at(125) { owner.fix(fix) }
        let vehicle = try #require(owner.engine.vehicle(Self.truck))
        let said = try #require(owner.engine.explanation(of: Self.truck, at: .at(130)))
        let other = try dispatcher(drawing).engine
        let stored = try Vehicle(encoded: vehicle.encoded())
        let source = try #require(other.explanationSource(ofStored: stored, route: vehicle.route))
        #expect(source.explanation(at: .at(130))?.words == said.words)
        let check = owner.engine.explanationSource(of: Self.truck)?.routeCheck(at: .at(130))
        #expect((check != nil) == hasRoute && source.routeCheck(at: .at(130))?.text == check?.text)
    }

    @Test("An earlier moment worked out again from the fixes is what was explained then", arguments: [false, true])
    func replayed(hasRoute: Bool) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = try dispatcher(drawing, route: hasRoute ? .line(try drawing.line("ajnmgz")) : nil)
        let fixes = Journey(line: try drawing.line("az"), every: 5).fixes
        var explained: [Timestamp: Explanation] = [:]
        for fix in fixes {
            dispatcher.fix(fix)
            explained[fix.time] = dispatcher.engine.explanation(of: Self.truck, at: fix.time)
        }
        let source = try #require(dispatcher.engine.explanationSource(of: Self.truck))
        for seconds in [5.0, 100, 125, 210] {
            let time = Timestamp.at(seconds)
            let again = source.explanation(at: time, replaying: fixes.filter { $0.time <= time })
            #expect(again != nil && again == explained[time], "at \(seconds) s")
        }
        #expect(source.explanation(at: .at(5), replaying: []) == nil)
    }

    @Test("Of a clearance with several ways into it those that a rule is about are told, and the others counted")
    func ways() throws {
        let dispatcher = try dispatcher(try .bridge())
        for fix in Journey(line: try Drawing.bridge().line("az"), every: 5).fixes where fix.time <= .at(125) {
            dispatcher.fix(fix)
        }
        let explanation = try #require(dispatcher.engine.explanation(of: Self.truck, at: .at(125)))
        let clearance = try #require(explanation.clearances.first { $0.hazards.count > 1 })
        #expect(clearance.text.matches(of: /From\ /).count == 1, "\(clearance.text)")
        #expect(clearance.text.hasSuffix("By 1 other way into it: not warned."), "\(clearance.text)")
    }

    @Test("An unknown speed is called unknown, and nothing is worked out from it")
    func unknownSpeed() throws {
        let dispatcher = try dispatcher(try .bridge())
        dispatcher.fix(Fix(position: Drawing.place(100, 0), time: .at(0), accuracy: 5))
        let words = try #require(dispatcher.engine.explanation(of: Self.truck, at: .at(0))).words
        #expect(words.contains("at a speed that is not known yet"))
        #expect(!words.contains("km/h") && !words.contains("until the next fix"), "\(words)")
    }

    @Test("The path ahead is a line that begins at the vehicle and is as long as its stretches")
    func line() throws {
        let dispatcher = try dispatcher(try .bridge())
        dispatcher.drive(Journey(line: [Drawing.place(200, 0), Drawing.place(300, 0)], every: 5))
        let path = try #require(dispatcher.engine.explanation(of: Self.truck, at: .at(10))?.path)
        let points = path.line.coordinates.map { Coordinate(latitude: $0[1], longitude: $0[0]) }
        let first = try #require(points.first)
        #expect(first.distance(to: try #require(dispatcher.kept?.lastFix).position) < 10)
        let length = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        #expect(abs(length - path.stretches.reduce(0) { $0 + $1.length }) < 5)
    }
}
