import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// A vehicle at rest is kept as what was stored of it, and says what it would have said.
struct RestingVehicleTests {
    private static let id = Dispatcher.truck.vehicle

    private typealias Step = (seconds: Seconds, input: Input)

    private func fix(_ seconds: Seconds, _ speed: MetresPerSecond = 0, east: Metres) -> Step {
        let fix = Fix(position: Drawing.place(east, 0), time: .at(seconds), accuracy: 5, speed: speed, course: 90)
        return (seconds, .report(.location([fix]), from: Dispatcher.truck, receivedAt: fix.time))
    }

    private func yard(_ seconds: Seconds, radius: Metres?) -> Step {
        let fence = radius.map {
            Fence(id: "yard", shape: .circle(Circle(center: Drawing.place(2_500, 0), radius: $0)))
        }
        return (seconds, .fences([FenceChange(id: "yard", fence: fence)], at: .at(seconds)))
    }

    private func say(_ report: Report, _ seconds: Seconds) -> Step {
        (seconds, .report(report, from: Dispatcher.truck, receivedAt: .at(seconds)))
    }

    /// A drive, an hour beside the road with a fix in ten minutes, and a drive on; meanwhile dispatch changes what is there.
    private var steps: [Step] {
        let drives = stride(from: 0.0, through: 100, by: 5).map { fix($0, 20, east: 500 + 20 * $0) }
        let stands = stride(from: 110.0, through: 4_000, by: 600).map { fix($0, east: 2_500) }
        let drivesOn = stride(from: 4_100.0, through: 4_200, by: 5).map { fix($0, 20, east: 2_500 + 20 * ($0 - 4_100)) }
        let changes = [
            say(.profile(HeightProfile(height: 412, validFor: 5_000, groups: ["quiet"])), -60),
            yard(900, radius: 200), yard(1_500, radius: 5_000), yard(2_200, radius: 150),
            say(.presence(.offline), 2_500),
            yard(3_000, radius: nil),
        ]
        return (drives + stands + drivesOn + changes).sorted { $0.seconds < $1.seconds }
    }

    private struct Run {
        var envelopes: [Envelope] = []
        var states: [[UInt8]?] = []
        var rests = 0
    }

    /// - Parameter isPutToRest: else the vehicle goes on from the same, and is woken before anything concerns it.
    private func run(isPutToRest: Bool) throws -> Run {
        var settings = EngineSettings()
        settings.trackingGroups = ["quiet"]
        let engine = Engine(settings, network: try Drawing.bridge().network)
        var run = Run()
        for step in steps {
            run.envelopes += engine.handle([.tick(.at(step.seconds)), step.input]).envelopes
            let state = engine.vehicle(Self.id)?.state()
            run.states.append(state)
            guard let state else { continue }
            engine.resume(Self.id, storedAs: state)
            if !isPutToRest { _ = engine.vehicles[Self.id]?.awake }
            run.rests += engine.vehicles[Self.id]?.isAtRest == true ? 1 : 0
        }
        return run
    }

    @Test(
        "What is said and stored is the same, message by message, whether a vehicle was put to rest in between or not")
    func same() throws {
        let (resting, awake) = (try run(isPutToRest: true), try run(isPutToRest: false))
        #expect(resting.rests > 10 && awake.rests == 0)
        #expect(resting.envelopes == awake.envelopes)
        #expect(resting.states == awake.states)
        #expect(resting.envelopes.count > 10)
    }

    @Test("Who looks on wakes no vehicle, a fix does; a change that leads to nothing lets it rest on")
    func woken() throws {
        let engine = Engine(EngineSettings(), network: nil)
        _ = engine.handle([fix(0, east: 2_500).input])
        let state = try #require(engine.vehicle(Self.id)?.state())
        engine.resume(Self.id, storedAs: state)
        let kept = try #require(engine.vehicles[Self.id])
        #expect(kept.isAtRest)
        #expect(engine.snapshot(of: Self.id, at: .at(1))?.fix?.position == Drawing.place(2_500, 0))
        #expect(engine.vehicle(Self.id)?.state() == state && kept.isAtRest)
        var effects = Effects()
        engine.update(kept, after: .regionCandidates, at: .at(2), &effects)
        #expect(effects.changed.isEmpty && kept.isAtRest)
        _ = engine.handle([fix(5, east: 2_500).input])
        #expect(!kept.isAtRest)
    }

    @Test("A vehicle that moves, has a route or an open alert is not put to rest")
    func moving() throws {
        var vehicle = Vehicle(address: Dispatcher.truck)
        #expect(vehicle.mayRest)
        vehicle.guidance.set(.waypoints([Drawing.place(0, 0)]))
        #expect(!vehicle.mayRest)
        vehicle.guidance.set(nil)
        vehicle.speed = 10
        #expect(!vehicle.mayRest)
    }
}
