import Clearances
import Geo
import Hashing
import RoadsTestSupport
import Testing

@testable import Roads

@Suite("Random changes of clearances that come and go while roads are in use")
struct LiveClearancesRandomTests {
    @Test("they are in the order of their ids, whatever came first and whatever is gone", arguments: UInt64(0)..<3)
    func order(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var live = LiveClearances(try SnappingDrawing(SnappingTests.road).network)
        var expected: [String: PointClearance] = [:]
        for number in 0..<6_000 {
            let id = "\(random.next() % 3_000)"
            if random.next() % 4 == 0 {
                #expect(live.remove(id) == (expected.removeValue(forKey: id) != nil))
            } else {
                let position = DrawnNetwork.place(0, 50_000)
                let clearance = PointClearance(id: id, position: position, posted: "\(3 + Double(number % 100) / 100)")
                _ = live.set(clearance)
                expected[id] = clearance
            }
        }
        #expect(live.inForce.inOrder.map(\.clearance) == expected.values.sorted { $0.id < $1.id })
    }

    @Test("a network that follows another one is the one that is made from nothing", arguments: UInt64(0)..<40)
    func successive(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Underpasses of the map and points of its files close to each other, and a second road beside the first.
        let roads = """
            a 0 0
            b 480 0
            c 520 0
            d 560 0
            g 600 0
            h 1000 0
            i 0 25
            j 1000 25
            ab residential name=Mill+Lane
            bc residential name=Mill+Lane maxheight=3.6
            cd residential name=Mill+Lane
            dg residential name=Mill+Lane maxheight:forward=3.4 maxheight:backward=3.7
            gh residential name=Mill+Lane
            ij residential name=Mill+Lane
            @f1 505 3 3.5
            @f2 530 0 3.9
            @f3 100 27 low
            @f4 700 60 3.2
            """
        let ids = ["osm:way:1002", "osm:way:1004", "f1", "f2", "f3", "f4", "a", "b", "c", "d", "e", "n", "p", "x"]
        var live = try LiveDrawing(roads)
        var present: [String: String] = [:]
        for step in 0..<60 {
            for _ in 0...random.next() % 3 {
                let id = ids[Int(random.next() % UInt64(ids.count))]
                if random.next() % 3 == 0 {
                    live.remove(id)
                    present[id] = nil
                } else {
                    let text = ["3.1", "3.6", "3.6", "4.2", "low"][Int(random.next() % 5)]
                    present[id] = "@\(id) \(440 + random.next() % 220) \(random.next() % 75) \(text)"
                    try live.set(present[id]!)
                }
            }
            var anew = try LiveDrawing(roads)
            for line in present.values { try anew.set(line) }
            #expect(description(of: live.drawn.network) == description(of: anew.drawn.network), "step \(step)")
        }
    }

    private func description(of network: RoadNetwork) -> [String] {
        (0..<network.clearanceCount).map {
            "\(network.clearance(ClearanceID($0))) \(network.reading(ClearanceID($0))) \(network.status(ClearanceID($0)))"
        } + network.limitedEdges.map { "\($0)" }
    }
}
