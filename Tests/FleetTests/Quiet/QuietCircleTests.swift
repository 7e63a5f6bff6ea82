import Clearances
import Evaluation
import FleetTestSupport
import Geo
import Messages
import RoadImport
import Roads
import Testing

@testable import Fleet

/// Reporting by quiet circle costs no event.
struct QuietCircleTests {
    private static let settings: EngineSettings = {
        var settings = QuietTown.settings
        settings.fixes.reportInterval = 1
        settings.trackingGroups = ["quiet"]
        return settings
    }()

    private func dispatcher(_ town: QuietTown, groups: [String]) -> Dispatcher {
        let dispatcher = Dispatcher(town.network, height: nil, settings: Self.settings, fences: town.fences)
        dispatcher.tell(.profile(HeightProfile(height: 380, source: "driver", groups: groups)), at: -60)
        return dispatcher
    }

    /// What was said, in terms of what happened: stage or event, about what.
    private func groundTruth(_ dispatcher: Dispatcher) -> [(what: String, at: Timestamp)] {
        let alerts = dispatcher.alerts.map { (what: "\($0.stage.rawValue) \($0.clearance.id)", at: $0.time) }
        let events = dispatcher.events.map { (what: "\($0.event.rawValue) \($0.fence)", at: $0.crossedAt) }
        return (alerts + events).sorted { ($0.what, $0.at) < ($1.what, $1.at) }
    }

    @Test(
        "200 random trips by quiet circle: the same stages and events as at a fix a second, within a second of each other",
        arguments: 1...4 as ClosedRange<UInt64>)
    func guarantee(seed: UInt64) throws {
        let town = try QuietTown(seed: seed)
        var draw = TripSampler(town.network, seed: seed)
        var (taken, sent, said) = (0, 0, 0)
        for number in 0..<50 as Range<UInt64> {
            guard let trip = draw.anywhere(lengthMin: 2_000) else { continue }
            let drive = Drive(trip, Drive.Settings(noise: 3, standing: 30), from: .at(0), seed: seed << 32 + number)
            let (every, quiet) = (dispatcher(town, groups: []), dispatcher(town, groups: ["quiet"]))
            for fix in drive {
                every.fix(fix)
                taken += 1
                quiet.tick(fix.time.seconds)
                guard QuietDevice(quiet.trackings.last).reports(fix) else { continue }
                quiet.fix(fix)
                sent += 1
            }
            let end = drive.duration + 200
            every.tick(end)
            quiet.tick(end)
            let (a, b) = (groundTruth(every), groundTruth(quiet))
            #expect(a.map(\.what) == b.map(\.what), "trip \(number)")
            for (a, b) in zip(a, b) {
                #expect(
                    a.at.since(b.at).magnitude <= 1, "trip \(number): \(a.what) at \(a.at.seconds), \(b.at.seconds)")
            }
            said += a.count
        }
        // Else there was nothing to miss, or nothing was saved.
        #expect(said > 100)
        #expect(Double(sent) < 0.8 * Double(taken), "\(sent) of \(taken)")
    }

    @Test(
        "A gateway that is restarted every minute says the same stages and events to devices that report by quiet circle"
    )
    func restarts() throws {
        let town = try QuietTown(seed: 5)
        var draw = TripSampler(town.network, seed: 5)
        var said = 0
        for number in 0..<5 as Range<UInt64> {
            guard let trip = draw.anywhere(lengthMin: 3_000) else { continue }
            let drive = Drive(trip, Drive.Settings(noise: 3, standing: 60), from: .at(0), seed: 5 << 32 + number)
            let through = dispatcher(town, groups: ["quiet"])
            var parts = [dispatcher(town, groups: ["quiet"])]
            for fix in drive {
                if Int(fix.time.seconds) % 60 == 59 { parts.append(try restarted(parts[parts.count - 1], town)) }
                for (dispatcher, trackings) in [
                    (through, through.trackings), (parts[parts.count - 1], parts.flatMap(\.trackings)),
                ] {
                    dispatcher.tick(fix.time.seconds)
                    if QuietDevice(trackings.last).reports(fix) { dispatcher.fix(fix) }
                }
            }
            through.tick(drive.duration + 200)
            parts[parts.count - 1].tick(drive.duration + 200)
            let (a, b) = (
                groundTruth(through), parts.flatMap(groundTruth).sorted { ($0.what, $0.at) < ($1.what, $1.at) }
            )
            #expect(a.map(\.what) == b.map(\.what), "trip \(number)")
            for (a, b) in zip(a, b) { #expect(a.at.since(b.at).magnitude <= 1, "trip \(number): \(a.what)") }
            said += a.count
        }
        #expect(said > 20)
    }

    @Test(
        "A restart with a file's fence in a circle takes that back without a fix; one with the same files says nothing",
        arguments: [false, true], [false, true])
    func otherFiles(isAtRest: Bool, isMapMadeElsewhere: Bool) throws {
        let network = try Drawing.bridge("13'0\"").network
        let before = Dispatcher(network, height: nil, settings: Self.settings)
        before.tell(.profile(HeightProfile(height: 380, source: "driver", groups: ["quiet"])), at: -60)
        before.fix(Fix(position: Yard.place(0, 0), time: .at(0), accuracy: 5, speed: 0))
        before.tick(60)
        #expect(try #require(before.trackings.last?.quiet).radius > 1_500)
        let kept = try #require(before.kept)
        let files: [[Fence]] = [[], [Yard.circle("new", 1_100, 0, radius: 100)]]
        for fences in files {
            let engine = Engine(Self.settings, network: network, fences: fences)
            engine.restore(try kept.roundTripped(), state: isAtRest ? kept.encoded() : nil)
            engine.prepare()
            if isMapMadeElsewhere { engine.doMapWorkElsewhere(at: .at(100)) }
            let after = Dispatcher(engine, truck: Dispatcher.truck, height: nil)
            after.tick(100)
            if isMapMadeElsewhere { after.doMapWork(at: 100) }
            after.tick(101)
            #expect(after.trackings.map { $0.quiet == nil } == (fences.isEmpty ? [] : [true]))
            #expect(after.trackings.allSatisfy { $0.time == .at(100) })
            #expect(after.regions.map(\.removed) == (fences.isEmpty ? [] : [["quiet"]]))
            #expect((after.kept?.quiet.published?.quiet == nil) == !fences.isEmpty)
        }
    }

    private func restarted(_ dispatcher: Dispatcher, _ town: QuietTown) throws -> Dispatcher {
        let kept = try #require(dispatcher.kept)
        let engine = Engine(Self.settings, network: town.network, fences: town.fences)
        engine.restore(engine.handle([]).fences)
        engine.restore(try kept.roundTripped())
        engine.prepare()
        return Dispatcher(engine, truck: Dispatcher.truck, height: nil)
    }
}

/// A device that reports by the gateway's last order.
private struct QuietDevice {
    let tracking: TrackingMessage?

    init(_ tracking: TrackingMessage?) { self.tracking = tracking }

    func reports(_ fix: Fix) -> Bool {
        guard let tracking, let quiet = tracking.quiet, fix.time < tracking.validUntil else { return true }
        return quiet.center.distance(to: fix.position) >= quiet.radius
    }
}
