import Clearances
import FleetTestSupport
import Geo
import Hashing
import Messages
import Roads
import RoadsTestSupport
import Testing

@testable import Fleet

@Suite("Who is far from changed clearances is not looked at, and is told the same as if all were")
struct MapDifferenceTests {
    private static let villages = 12
    private static let apart: Metres = 12_000

    /// Villages along a road, each with a low bridge and a street round it.
    private static func network() throws -> RoadNetwork {
        var nodes: [String] = []
        var ways: [String] = []
        for village in 0..<villages {
            let east = Int(apart) * village
            let names = ["s", "j", "a", "b", "k", "u", "v"].map { "\($0)\(village)" }
            let places = ["0 0", "1000 0", "1300 0", "1400 0", "1700 0", "1000 200", "1700 200"]
            for (name, place) in zip(names, places) {
                let parts = place.split(separator: " ").compactMap { Int($0) }
                nodes.append("\(name) \(east + parts[0]) \(parts[1])")
            }
            let (s, j, a, b, k, u, v) = (names[0], names[1], names[2], names[3], names[4], names[5], names[6])
            ways += ["\(s)-\(j)-\(a) secondary", "\(a)-\(b) secondary maxheight=\(village % 3 == 0 ? "3.6" : "4.6")"]
            ways += ["\(b)-\(k) secondary", "\(j)-\(u)-\(v)-\(k) residential"]
            if village + 1 < villages { ways.append("\(k)-s\(village + 1) secondary") }
        }
        return try DrawnNetwork((nodes + ways).joined(separator: "\n")).network
    }

    private static func place(_ east: Metres, _ north: Metres) -> Coordinate { DrawnNetwork.place(east, north) }

    private static let settings: EngineSettings = {
        var settings = EngineSettings()
        settings.regions.limit = 5
        settings.trackingGroups = ["tracking"]
        return settings
    }()

    private static let epoch = Timestamp(milliseconds: 1_795_269_600_000)

    /// What trucks of some heights report in a step of ten seconds: some drive along the road, others stand beside it and report once
    /// a minute.
    private static func inputs(_ step: Int) -> [Input] {
        (0..<24).flatMap { number -> [Input] in
            let address = VehicleAddress(vehicle: VehicleID("T\(number)")!)
            let time = epoch.adding(Seconds(10 * step))
            let start = Metres(number) * 5_900
            let drives = number % 3 == 0
            let place =
                drives ? place(start + Metres(step) * 150, 0) : place(start, Metres(number % 5) * 1_500)
            let fix = Fix(position: place, time: time, accuracy: 5, speed: drives ? 15 : 0, course: drives ? 90 : nil)
            let profile = HeightProfile(
                height: [340, 380, 400, 420][number % 4], source: "driver", groups: number % 2 == 0 ? ["tracking"] : [])
            guard drives || (step + number) % 6 == 0 || step == 0 else { return [] }
            let told: [Input] = step == 0 ? [.report(.profile(profile), from: address, receivedAt: time)] : []
            return told + [.report(.location([fix]), from: address, receivedAt: time)]
        }
    }

    @Test("Whatever changes", arguments: UInt64(1)...6)
    func same(seed: UInt64) throws {
        let network = try Self.network()
        let engines = [0, 1].map { _ in Engine(Self.settings, network: network) }
        for engine in engines { engine.doMapWorkElsewhere(at: Self.epoch.adding(-100)) }
        var random = SplitMix64(seed: seed)
        var (told, stored) = (0, [0, 0])
        for step in 0..<60 {
            let time = Self.epoch.adding(Seconds(10 * step) + 1)
            let change = Self.change(&random)
            let effects = engines.enumerated().map { number, engine in
                var effects = engine.handle(Self.inputs(step) + [.tick(time)]).envelopes
                if step > 3, step % 3 == 0 {
                    effects += engine.handle([.clearances([change], at: time)]).envelopes
                    // The second engine does not know where hazards are others.
                    engine.hasRestoredPlaces = number == 1
                }
                while let work = engine.takeMapWork() {
                    effects += engine.install(work.result(), at: time.adding(0.1)).envelopes
                    let judged = engine.judgeByChanges(at: time.adding(0.1))
                    effects += judged.envelopes
                    stored[number] += judged.changed.count
                }
                return effects.map { "\($0)" }.sorted()
            }
            let differing = zip(effects[0], effects[1]).first { $0 != $1 }
            #expect(differing == nil && effects[0].count == effects[1].count, "step \(step)")
            told += effects[0].count
        }
        #expect(told > 100 && stored[0] < stored[1], "\(told) \(stored)")
    }

    private static func change(_ random: inout SplitMix64) -> ClearanceChange {
        let village = random.index(below: villages)
        let place = place(Metres(village) * apart + 1_350, random.index(below: 4) == 0 ? 600 : 0)
        let posted = ["2.9", "3.5", "3.9", "4.5", nil][random.index(below: 5)]
        let id = "c\(random.index(below: 8))"
        return ClearanceChange(id: id, clearance: posted.map { PointClearance(id: id, position: place, posted: $0) })
    }
}
