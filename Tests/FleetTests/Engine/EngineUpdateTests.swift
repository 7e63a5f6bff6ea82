import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// Which steps react to which change, and in which order: seen on a vehicle at which every step has something to do.
struct EngineUpdateTests {
    private static let circle = Circle(center: Drawing.place(3_000, 0), radius: 1_000)

    private let drawing: Drawing
    private let engine: Engine

    init() throws {
        drawing = try Drawing.bridge()
        engine = Engine(
            EngineSettings(), network: drawing.network, fences: [Yard.circle("depot", 0, 0, radius: 300)])
    }

    private func fix(_ east: Metres, at seconds: Seconds) -> Fix {
        Fix(position: Drawing.place(east, 0), time: .at(seconds), accuracy: 5, speed: 20, course: 90)
    }

    /// A truck of unknown height, a kilometre before the last turn-off before the bridge. Its road is not known, its route
    /// not answered, its first fix not followed past the depot, and its device silent in a circle that it may not have. It
    /// was told of no regions, as there were none.
    private func truck() throws -> Vehicle {
        var truck = Vehicle(address: Dispatcher.truck)
        (truck.firstFix, truck.lastFix, truck.speed, truck.course) = (.at(0), fix(3_000, at: 100), 20, 90)
        for fix in [fix(10, at: 0), fix(3_000, at: 100)] { _ = truck.ordered.insert(fix, receivedAt: fix.time) }
        truck.guidance.set(.waypoints(try drawing.line("z")))
        truck.quiet.quiet = QuietCircle(circle: Self.circle, validUntil: .at(3_600))
        truck.quiet.hasPassedOver = true
        truck.quiet.published = TrackingMessage(
            id: "t", version: 1, time: .at(0), quiet: Self.circle, reportInterval: 10, validUntil: .at(3_600))
        _ = truck.regions.publish(
            RegionChoice(regions: [], reach: .infinity), RegionState.Difference(), at: Drawing.place(3_000, 0),
            RegionState.Basis(height: 420, groups: [], revision: 0, quiet: nil), limit: 20, of: truck.address,
            at: .at(0))
        return truck
    }

    /// The step that sends a message, by its name.
    private func step(_ envelope: Envelope) -> String {
        switch envelope.message {
        case .routeCheck: "guide"
        case .alert: "judge"
        case .request: "request"
        case .event, .visit: "follow"
        case .tracking: "quiet"
        case .regions: "regions"
        case .state: "publish"
        }
    }

    // MARK: Changes

    struct Row: CustomTestStringConvertible, Sendable {
        var change: Change
        var steps: String

        init(_ change: Change, _ steps: String) { (self.change, self.steps) = (change, steps) }

        var testDescription: String { "\(change)" }
    }

    @Test(
        "A change is followed by the steps that depend on it, and by no others",
        arguments: [
            Row(.fix(after: nil, isLate: false), "locate guide judge request"),
            Row(.fix(after: nil, isLate: true), "locate guide request"),
            Row(.upload(used: .at(100)), "follow quiet regions publish"),
            Row(.profile, "locate judge quiet regions publish"),
            Row(.route, "locate guide judge quiet regions publish"),
            Row(.consent, "regions publish"), Row(.presence, "publish"), Row(.acknowledgement, "publish"),
            Row(.refusal, "publish"),
            Row(.clearance, "locate judge quiet publish"),
            Row(.fence, "quiet publish"),
            Row(.regionCandidates, "regions publish"),
            Row(.map, "locate guide judge quiet regions publish"),
            Row(.hazards(.leftPath), "locate guide judge quiet regions publish"),
            Row(.deadline(foundAt: .at(0)), "locate judge request follow quiet regions publish"),
            Row(.timelineDeadline, "follow publish"),
        ])
    func change(_ row: Row) throws {
        let kept = KeptVehicle(try truck())
        var effects = Effects()
        engine.update(kept, after: row.change, at: .at(101), &effects)
        let located = kept.awake.vehicle.quiet.hasPassedOver ? [] : ["locate"]
        #expect((located + effects.envelopes.map(step)).joined(separator: " ") == row.steps)
        let isPublished = row.steps.hasSuffix("publish")
        #expect(effects.changed == (isPublished ? [kept.id] : []))
        #expect((kept.deadline != nil) == isPublished)
    }

    @Test("Where a change leaves the regions as they are, the vehicle is kept, and neither published nor stored")
    func noRegions() throws {
        let kept = KeptVehicle(try truck())
        var effects = Effects()
        engine.update(kept, after: .regionCandidates, at: .at(101), &effects)
        effects = Effects()
        kept.awake.vehicle.regions.forgetBasis()
        engine.update(kept, after: .regionCandidates, at: .at(102), &effects)
        #expect(effects.envelopes.isEmpty)
        #expect(effects.changed.isEmpty)
        #expect(kept.awake.vehicle.regions.basis != nil)
    }

    // MARK: Inputs

    struct Told: CustomTestStringConvertible, Sendable {
        var report: Report
        var steps: String

        init(_ report: Report, _ steps: String) { (self.report, self.steps) = (report, steps) }

        var testDescription: String { "\(report)".prefix(40).description }
    }

    private func heard(_ inputs: [Input]) -> String { engine.handle(inputs).envelopes.map(step).joined(separator: " ") }

    @Test(
        "What a vehicle says leads to the messages of its steps, in their order",
        arguments: [
            Told(
                .location([
                    Fix(position: Drawing.place(3_020, 0), time: .at(101), accuracy: 5, speed: 20, course: 90)
                ]), "guide judge request follow quiet regions publish"),
            Told(.profile(HeightProfile(height: 412, groups: ["north"])), "judge quiet regions publish"),
            Told(.route(.waypoints([Drawing.place(6_500, 300)])), "guide judge quiet regions publish"),
            Told(.consent(Consent(.whenInUse, isInUse: true)), "regions publish"),
            Told(.presence(.online), "publish"), Told(.acknowledgement(.request(id: "r")), "publish"),
            Told(.refused(RefusedReport(.profile, problem: "expected a length, got \"high\"")), "request publish"),
            Told(.profile(nil), ""), Told(.presence(nil), ""), Told(.consent(nil), ""),
            Told(.acknowledgement(.alert(id: "a", sequence: 1)), ""),
        ])
    func report(_ told: Told) throws {
        engine.keep(try truck())
        #expect(heard([.report(told.report, from: Dispatcher.truck, receivedAt: .at(101))]) == told.steps)
    }

    @Test("A route that waited for consent is answered with it")
    func release() throws {
        let address = Dispatcher.truck
        let line = Report.route(.line(try drawing.line("ajefgz")))
        let reports = [Report.consent(Consent(.denied)), line, .consent(Consent(.always))]
        #expect(heard(reports.map { .report($0, from: address, receivedAt: .at(0)) }) == "guide publish")
    }

    @Test("A fence near the vehicle's circle ends it, and regions follow for all who may be told of the fence")
    func fence() throws {
        engine.keep(try truck())
        let fence = Yard.circle("near", 3_000, 1_500, radius: 100)
        #expect(
            heard([.fences([FenceChange(id: "near", fence: fence)], at: .at(101))]) == "quiet publish regions publish")
    }

    @Test("A clearance near the vehicle is judged at once, and regions follow for all vehicles")
    func clearance() throws {
        engine.keep(try truck())
        let place = Drawing.place(4_650, 0)
        let change = ClearanceChange(id: "c", clearance: PointClearance(id: "c", position: place, posted: "3.0"))
        #expect(heard([.clearances([change], at: .at(101))]) == "judge quiet publish regions publish")
    }

    @Test("On another road file everything is looked at that depends on roads")
    func map() throws {
        engine.keep(try truck())
        let effects = engine.replace(drawing.network, at: .at(101))
        #expect(effects.envelopes.map(step).joined(separator: " ") == "guide judge quiet regions publish")
    }

    @Test("What waits for earlier fixes is followed when none can come any more, and alerts are left as they are")
    func tick() throws {
        var truck = try truck()
        _ = truck.requests.admit(.heightRequired, at: .at(40))
        engine.keep(truck)
        #expect(heard([.tick(.at(120))]) == "follow publish")
    }
}
