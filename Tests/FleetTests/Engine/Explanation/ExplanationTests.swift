import Clearances
import FleetTestSupport
import Foundation
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

@Suite("An explanation names the rule that speaks, or the reason for silence")
struct ExplanationTests {
    /// Drives along the nodes up to a moment, and asks.
    private func explain(
        _ drawing: Drawing, _ names: String, until seconds: Seconds, offset: Metres = 7,
        route: Messages.Route? = nil, _ configure: (inout EngineSettings) -> Void = { _ in }
    ) throws -> Explanation {
        var settings = EngineSettings()
        settings.units = .metric
        configure(&settings)
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        if let route { dispatcher.tell(.route(route), at: -30) }
        let journey = Journey(line: try drawing.line(names), every: 5, offset: offset)
        for fix in journey.fixes where fix.time <= .at(seconds) { dispatcher.fix(fix) }
        return try #require(dispatcher.engine.explanation(of: Dispatcher.truck.vehicle, at: .at(seconds)))
    }

    /// The way into the first clearance from the west or north.
    private func hazard(_ explanation: Explanation) throws -> Explanation.Hazard {
        try #require(explanation.clearances.first { !$0.hazards.isEmpty }?.hazards.first)
    }

    @Test("Told by rule 1: on the path, with the last turn-off and the open alert")
    func onPath() throws {
        let explanation = try explain(try .bridge(), "az", until: 125)
        let hazard = try hazard(explanation)
        #expect(hazard.rule == .onPath)
        #expect(hazard.isDue && hazard.reason == nil)
        #expect(hazard.alert?.stage == .ahead)
        let turnOff = try #require(hazard.turnOff)
        #expect(turnOff.onto == "Bypass Road")
        #expect(abs(turnOff.distance - 1_493) < 2)
        #expect(abs(try #require(hazard.distance) - 1_793) < 2)
        #expect(try #require(hazard.probability) > 0.3)
        #expect(explanation.words.contains("warned: it is on the path, 1,793 m ahead"))
        #expect(explanation.words.contains("the last turn-off (Bypass Road) is 1,493 m ahead"))
    }

    @Test("Not told yet: on the path, and the last turn-off is farther than alerts begin")
    func tooFar() throws {
        let explanation = try explain(try .bridge(), "az", until: 100)
        let hazard = try hazard(explanation)
        #expect(hazard.reason == .tooFar)
        #expect(hazard.rule == nil && !hazard.isDue && hazard.alert == nil)
        #expect(
            explanation.words.contains(
                "it is on the path, but the last turn-off (Bypass Road) is 1,993 m ahead, and alerts begin at 1,709 m"))
    }

    @Test("Told by rule 2: off the path, a wrong turn within the notice")
    func lastDecision() throws {
        let hazard = try hazard(try explain(try .sideStreet(), "az", until: 90))
        #expect(hazard.rule == .lastDecision && hazard.isDue)
        #expect(hazard.turnOff?.wrongTurn == "Mill Lane")
        #expect(abs(try #require(hazard.turnOff).distance - 193) < 2)
        #expect(hazard.alert?.stage == .ahead)
    }

    @Test("Not warned: the path leads elsewhere, and the wrong turn is not near yet")
    func elsewhere() throws {
        let explanation = try explain(try .sideStreet(), "az", until: 50)
        let hazard = try hazard(explanation)
        #expect(hazard.reason == .notYet)
        #expect(try #require(hazard.probability) < 0.3)
        #expect(try #require(hazard.turnOff?.seconds) > 15)
        #expect(explanation.words.contains("the path leads elsewhere (probability "))
        #expect(explanation.words.contains(" %, under 30 %)"))
        #expect(explanation.words.contains("a warning comes 15 s before that turn"))
    }

    @Test("Not told: only a service road leads there; told with the setting")
    func serviceRoad() throws {
        let silent = try hazard(try explain(try .sideStreet("service"), "az", until: 90))
        #expect(silent.reason == .serviceRoad && !silent.isPublic)
        let told = try hazard(
            try explain(try .sideStreet("service"), "az", until: 90) { $0.alerts.serviceRoads = true })
        #expect(told.rule == .lastDecision && told.isDue)
    }

    @Test("Not told: the vehicle fits, and those are only counted")
    func fits() throws {
        let explanation = try explain(try .bridge("4.5"), "az", until: 150)
        #expect(explanation.clearances.map(\.verdict) == [.fits])
        #expect(explanation.words.contains("It fits under 1 of them."))
        #expect(!explanation.words.contains("osm:way:1003"))
    }

    @Test("Nobody knows the height: told or not as the setting says")
    func unknown() throws {
        let silent = try explain(try .bridge("abc"), "az", until: 150)
        #expect(silent.clearances.map(\.verdict) == [.unknown])
        #expect(silent.clearances.map(\.isTold) == [false])
        #expect(silent.words.contains("Not warned: `alerts.unknown` is below_default, so nobody is warned of this"))
        let told = try explain(try .bridge("below_default"), "az", until: 150)
        #expect(told.clearances.map(\.isTold) == [true])
        #expect(try hazard(told).rule == .onPath)
        #expect(try hazard(told).alert != nil)
    }

    @Test("Too late: the last turn-off is behind, then on the low road itself, then behind the bridge")
    func tooLate() throws {
        let late = try explain(try .bridge(), "az", until: 210)
        #expect(try hazard(late).rule == .tooLate)
        #expect(try hazard(late).alert?.stage == .stop)
        #expect(late.words.contains("it is on the path, 93 m ahead, and the last turn-off is behind."))
        let inside = try hazard(try explain(try .bridge(), "ez", until: 0, offset: 18))
        #expect(inside.rule == .insideZone && inside.isDue)
    }

    @Test("A known route is the path: told where it leads under, not told where it leads past")
    func knownRoute() throws {
        let drawing = try Drawing.sideStreet()
        let under = try explain(drawing, "asbcd", until: 40, route: .line(try drawing.line("asbcd")))
        #expect(under.path?.kind == .knownRoute)
        #expect(under.path?.stretches.map(\.road) == ["Main Street", "Mill Lane"])
        #expect(try hazard(under).rule == .onPath)
        let past = try explain(drawing, "az", until: 40, route: .line(try drawing.line("aswz")))
        #expect(try hazard(past).reason == .notYet)
        #expect(past.words.contains("the known way leads elsewhere"))
        let left = try explain(try .bridge(), "az", until: 225, route: .line(try Drawing.bridge().line("ajn")))
        #expect(left.path?.kind == .mostProbable && left.path?.hasLeftRoute == true)
    }

    @Test("The path is told by road, with the turn probabilities where there was a choice")
    func path() throws {
        let path = try #require(try explain(try .bridge(), "az", until: 125).path)
        #expect(path.kind == .mostProbable && !path.hasLeftRoute)
        #expect(path.stretches.first?.road == "Main Street")
        #expect(path.stretches.first?.turnProbability == nil)
        #expect(path.stretches.allSatisfy { $0.probability > 0 && $0.probability <= 1 })
    }

    @Test("Only the other direction is limited")
    func otherDirection() throws {
        let drawing = try Drawing(
            """
            a 0 0
            j 1000 0
            e 1300 0
            f 1340 0
            z 4000 0
            y 8000 0
            q 4000 500
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight:backward=3.2
            fzy tertiary name=Main+Street
            zq residential name=North+Road
            """)
        #expect(try hazard(try explain(drawing, "az", until: 40)).reason == .otherDirection)
    }

    @Test("What is encoded is decoded as it was")
    func roundTrip() throws {
        for seconds in [50.0, 125, 210] {
            let explanation = try explain(try .bridge(), "az", until: seconds)
            let decoded = try JSONDecoder().decode(Explanation.self, from: JSONEncoder().encode(explanation))
            #expect(decoded == explanation)
        }
    }
}
