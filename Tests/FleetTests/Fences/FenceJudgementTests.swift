import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

@Suite("Vehicles to which changed fences may matter are judged by them in several turns where they are many")
struct FenceJudgementTests {
    private static let vehicles = 24

    private static func engine(judgedAtOnce: Int) -> Engine {
        var settings = EngineSettings()
        settings.judgedAtOnce = judgedAtOnce
        settings.regions.limit = 5
        settings.trackingGroups = ["tracking"]
        return Engine(settings, network: nil)
    }

    /// Some drive past the fences, others stand among them and report once a minute.
    private static func inputs(_ step: Int) -> [Input] {
        (0..<vehicles).flatMap { number -> [Input] in
            let time = Timestamp.at(Seconds(10 * step))
            let address = VehicleAddress(vehicle: VehicleID("T\(number)")!)
            let drives = number % 3 == 0
            guard drives || (step + number) % 6 == 0 || step == 0 else { return [] }
            let place =
                drives ? (Metres(150 * step), Metres(number) * 100) : (Metres(number) * 400, Metres(number % 5) * 700)
            let fix = Fix(
                position: Drawing.place(place.0, place.1), time: time, accuracy: 5, speed: drives ? 15 : 0,
                course: drives ? 90 : nil)
            let profile = HeightProfile(height: 400, source: "driver", groups: number % 2 == 0 ? ["tracking"] : [])
            let told: [Input] = step == 0 ? [.report(.profile(profile), from: address, receivedAt: time)] : []
            return told + [.report(.location([fix]), from: address, receivedAt: time)]
        }
    }

    private static func change(_ random: inout SplitMix64) -> FenceChange {
        let id = "f\(random.index(below: 30))"
        guard random.index(below: 4) > 0 else { return FenceChange(id: id, fence: nil) }
        let (east, north) = (Metres(random.index(below: 100)) * 100, Metres(random.index(below: 30)) * 100)
        var fence = Yard.circle(id, east, north, radius: Metres(100 + random.index(below: 10) * 80))
        if random.index(below: 5) == 0 { fence.groups = ["tracking"] }
        return FenceChange(id: id, fence: fence)
    }

    @Test("Each is told what it would be told at once", arguments: UInt64(1)...6)
    func same(seed: UInt64) {
        let engines = [Self.engine(judgedAtOnce: .max), Self.engine(judgedAtOnce: 0)]
        var random = SplitMix64(seed: seed)
        var (told, later) = (0, 0)
        for step in 0..<60 {
            let time = Timestamp.at(Seconds(10 * step) + 1)
            // Now and then more than are looked at one by one.
            let changes = (0..<(step % 20 == 19 ? 70 : 1 + random.index(below: 3))).map { _ in Self.change(&random) }
            let effects = engines.map { engine in
                var envelopes = engine.handle(Self.inputs(step) + [.tick(time)]).envelopes
                envelopes += engine.handle([.fences(changes, at: time)]).envelopes
                if engine.hasUnjudged { later += 1 }
                envelopes += engine.judgeByChanges(at: time).envelopes
                return envelopes.map { "\($0)" }.sorted()
            }
            let differing = zip(effects[0], effects[1]).first { $0 != $1 }
            #expect(differing == nil && effects[0].count == effects[1].count, "step \(step): \(differing as Any)")
            told += effects[0].count
        }
        #expect(told > 500 && later > 40, "\(told) \(later)")
    }

    @Test(
        "Who says something before is judged first, and whoever is told late comes to the same",
        arguments: UInt64(1)...6)
    func late(seed: UInt64) {
        let engines = [Self.engine(judgedAtOnce: .max), Self.engine(judgedAtOnce: 0)]
        var random = SplitMix64(seed: seed)
        for step in 0..<60 {
            let time = Timestamp.at(Seconds(10 * step) + 1)
            let changes = (0..<2).map { _ in Self.change(&random) }
            let judged = random.index(below: 4)
            for (number, engine) in engines.enumerated() {
                _ = engine.handle(Self.inputs(step) + [.tick(time)])
                _ = engine.handle([.fences(changes, at: time)])
                var batch = engine.begin()
                var rest = judged
                while number == 1, rest > 0, let next = engine.unjudged.next() {
                    engine.judgeByChanges(next, at: time, &batch.effects)
                    rest -= 1
                }
                _ = engine.end(batch)
            }
        }
        _ = engines[1].judgeByChanges(at: .at(700))
        for number in 0..<Self.vehicles {
            let kept = engines.map { $0.vehicle(VehicleID("T\(number)")!) }
            #expect(kept[0]?.fences.stays == kept[1]?.fences.stays)
            #expect(kept[0]?.regions.regions == kept[1]?.regions.regions)
        }
    }

    @Test("After a restart in between all are judged, and told that a fence is no more")
    func restarted() throws {
        let (before, after) = (Self.engine(judgedAtOnce: 0), Self.engine(judgedAtOnce: 0))
        let fence = Yard.circle("yard", 0, 0, radius: 3_000)
        let change = FenceChange(id: "yard", fence: fence)
        _ = before.handle([.fences([change], at: .at(-10))])
        for step in 0..<2 { _ = before.handle(Self.inputs(step) + [.tick(.at(Seconds(10 * step) + 1))]) }
        let inside = before.addresses.filter { before.vehicle($0.vehicle)?.published?.fences.isEmpty == false }
        #expect(inside.count > 5)
        _ = before.handle([.fences([FenceChange(id: "yard", fence: nil)], at: .at(12))])
        #expect(before.hasUnjudgedFences)
        for address in before.addresses {
            let vehicle = try #require(before.vehicle(address.vehicle))
            after.restore(vehicle, state: vehicle.encoded())
        }
        after.prepare()
        after.restoreUnjudgedFences()
        let told = after.judgeByChanges(at: .at(20)).envelopes.filter { envelope in
            if case .state(let state) = envelope.message { state.fences.isEmpty } else { false }
        }
        #expect(Set(inside.map(\.vehicle)).isSubset(of: told.map(\.address.vehicle)))
        #expect(!after.hasUnjudgedFences)
    }
}
