import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

@Suite("Without roads an explanation tells of cone, approach and distance")
struct ExplanationStraightLineTests {
    /// Drives 7 km eastwards, 2 km north of the clearance or straight to it, 5 km ahead.
    private func explain(
        until seconds: Seconds, north: Metres = 0, approach: [Degrees] = [], detours: [Coordinate] = [],
        posted: String = "10'6\""
    ) throws -> (Explanation, Explanation.StraightLine) {
        let clearance = PointClearance(
            id: "survey-12", position: Drawing.place(5_000, 0), posted: posted, name: "W Washington St",
            approach: approach, detours: detours)
        var settings = EngineSettings()
        settings.units = .metric
        let dispatcher = Dispatcher(
            Engine(settings, network: nil, clearances: [clearance]), truck: Dispatcher.truck, height: 412)
        let journey = Journey(line: [Drawing.place(0, north), Drawing.place(7_000, north)], every: 5)
        for fix in journey.fixes where fix.time <= .at(seconds) { dispatcher.fix(fix) }
        let explanation = try #require(
            dispatcher.engine.explanation(of: Dispatcher.truck.vehicle, at: .at(seconds)))
        return (explanation, try #require(explanation.clearances.first?.straightLine))
    }

    @Test("Told straight ahead, not yet farther away")
    func ahead() throws {
        let (told, line) = try explain(until: 150)
        #expect(told.place.status == .noRoads)
        #expect(line.isDue && line.reason == nil && line.alert?.stage == .ahead)
        #expect(try #require(line.offCourse) < 1)
        #expect(told.words.contains("No road is known under it, so the straight line counts"))
        let (_, far) = try explain(until: 90)
        #expect(far.reason == .tooFar && far.alert == nil)
    }

    @Test("Silent outside the cone, for another approach, where it fits")
    func silent() throws {
        let (words, outside) = try explain(until: 150, north: 2_000)
        #expect(outside.reason == .outsideCone)
        #expect(words.words.contains("outside the cone of 30°"))
        let (_, other) = try explain(until: 150, approach: [180])
        #expect(other.reason == .otherApproach)
        let (fitting, fits) = try explain(until: 150, posted: "4.5")
        #expect(fits.reason == .notTold)
        #expect(fitting.words.contains("It fits under 1 of them."))
    }

    @Test("A known turn-off is what the distance counts to")
    func turnOff() throws {
        let (_, line) = try explain(until: 150, detours: [Drawing.place(4_500, 0)])
        #expect(abs(try #require(line.turnOff) - 1_493) < 5)
        #expect(line.isDue)
    }
}
