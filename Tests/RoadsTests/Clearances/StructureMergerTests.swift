import Clearances
import Geo
import Hashing
import Testing

@testable import Roads

@Suite("Clearances of one structure")
struct StructureMergerTests {
    private struct Member {
        var clearance: Int
        var position: Coordinate
        var road: Int
        var isPoint: Bool
        var reading: ClearanceReading
    }

    @Test("Those found are those that a look at every pair finds, wherever the cells of the grid end", arguments: 0..<8)
    func asEveryPair(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let plane = LocalPlane(latitude: 49.4)
        let readings: [ClearanceReading] = [.limit(320), .limit(380), .unknown, .legalDefault]
        // 600 m along a side: some four cells.
        let members = (0..<120).map { number in
            let place = Vector(east: 600 * random.fraction(), north: 600 * random.fraction())
            return Member(
                // Some clearances limit two roads.
                clearance: number * 9 / 10,
                position: plane.coordinate(place, from: Coordinate(latitude: 49.4, longitude: 8.6)),
                road: Int(random.next() % 2), isPoint: random.next() % 3 > 0, reading: readings[Int(random.next() % 4)])
        }
        var merger = StructureMerger { $0 == $1 }
        for member in members {
            merger.add(
                member.clearance, at: member.position, road: member.road, isPoint: member.isPoint,
                reading: member.reading)
        }
        let found = merger.structures()
        #expect(found == structures(members))
        #expect(found.count > 5)
    }

    private func structures(_ members: [Member]) -> [[Int]] {
        var structures = Set(members.map(\.clearance)).map { Set([$0]) }
        for a in members {
            for b in members where a.road == b.road && a.position.distance(to: b.position) <= StructureMerger.reach {
                let areEqual = a.reading == b.reading && [.limit(320), .limit(380)].contains(a.reading)
                guard a.isPoint || b.isPoint || areEqual else { continue }
                let joined = structures.filter { $0.contains(a.clearance) || $0.contains(b.clearance) }
                structures.removeAll { joined.contains($0) }
                structures.append(joined.reduce([]) { $0.union($1) })
            }
        }
        return structures.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }
}
