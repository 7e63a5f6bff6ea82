import Geo
import Testing

@Suite struct BoxIndexTests {
    /// Boxes of several sizes all over the map, many of them about and across the antimeridian; every third is the second
    /// box of an item.
    private static func entries(_ count: Int) -> [(box: Bounds, item: Int)] {
        var shapes = RandomShapes(seed: UInt64(count))
        return (0..<count).map { index in
            let center =
                index % 2 == 0
                ? shapes.point(around: PlanePoint(180, -17), within: PlanePoint(10, 10))
                : shapes.point(around: .zero, within: PlanePoint(180, 85))
            let half = Degrees.random(in: 0...(index % 10 == 0 ? 4 : 0.05), using: &shapes.random)
            let west = Coordinate(plane: center - PlanePoint(half, half))
            let east = Coordinate(plane: center + PlanePoint(half, half))
            let box = Bounds(south: west.latitude, west: west.longitude, north: east.latitude, east: east.longitude)
            return (box, index - index % 3 / 2)
        }
    }

    @Test("Every box that meets another is found, across the antimeridian too", arguments: [0, 1, 16, 17, 300, 5000])
    func search(count: Int) {
        let entries = Self.entries(count)
        let index = BoxIndex(entries)
        let queries =
            Self.entries(50).map(\.box) + [
                Bounds(south: -90, west: -180, north: 90, east: 180),
                Bounds(south: -20, west: 175, north: -10, east: -175),
                Bounds(south: -90, west: 1, north: 90, east: 0), Bounds(south: -17, west: 180, north: -17, east: 180),
            ]
        for query in queries {
            var found: Set<Int> = []
            index.search(query) { found.insert($0) }
            #expect(found == Set(entries.filter { $0.box.meets(query) }.map(\.item)))
        }
    }

    @Test("A box that does not cross the antimeridian is told once")
    func once() {
        let entries = (0..<1000).map { (box: Bounds(south: 0, west: Double($0) / 10, north: 1, east: 150), item: $0) }
        var found: [Int] = []
        BoxIndex(entries).search(Bounds(south: -5, west: 140, north: 5, east: 20)) { found.append($0) }
        #expect(found.sorted() == Array(0..<1000))
    }

    @Test(
        "Boxes come nearest first, all within the distance, and no point of them is nearer", arguments: [0, 1, 17, 700])
    func nearest(count: Int) {
        let entries = Self.entries(count)
        let index = BoxIndex(entries)
        var shapes = RandomShapes(seed: 2)
        for (limit, center) in [
            (Metres.infinity, PlanePoint(0, 40)), (300_000, PlanePoint(180, -17)), (50_000, PlanePoint(180, -10)),
            (0, PlanePoint(180, -17)),
        ] {
            for _ in 0..<20 {
                let place = Coordinate(plane: shapes.point(around: center, within: PlanePoint(8, 8)))
                var visited: [(item: Int, distance: Metres)] = []
                index.nearest(to: place, within: limit) { item, distance in
                    visited.append((item, distance))
                    return limit
                }
                #expect(
                    zip(visited, visited.dropFirst()).allSatisfy { ($0.distance, $0.item) <= ($1.distance, $1.item) })
                let least = Dictionary(visited.map { ($0.item, $0.distance) }, uniquingKeysWith: min)
                for entry in entries {
                    let exact = Self.distance(place, to: entry.box)
                    if let distance = least[entry.item] {
                        #expect(distance <= exact, "item \(entry.item) from \(place)")
                    } else {
                        #expect(exact > limit, "item \(entry.item) from \(place)")
                    }
                }
            }
        }
    }

    @Test("The bound is within one per cent for boxes nearby")
    func tightness() {
        let box = Bounds(south: 48, west: -180, north: 48.1, east: -179.9)
        for place in [Coordinate(47.5, -179.95), Coordinate(48, 179.2), Coordinate(48.8, 179.5)] {
            BoxIndex([(box, 7)]).nearest(to: place, within: .infinity) { item, distance in
                #expect(item == 7)
                #expect(distance > 0.99 * Self.distance(place, to: box))
                return .infinity
            }
        }
    }

    @Test("Of equally near ones the lower item comes first, and a distance below 0 ends the search")
    func tiesAndEnd() {
        let box = Bounds(south: 0, west: 0, north: 1, east: 1)
        let index = BoxIndex((0..<100).map { (box, ($0 * 37) % 100) })
        var visited: [Int] = []
        index.nearest(to: Coordinate(0.5, 0.5), within: .infinity) { item, _ in
            visited.append(item)
            return visited.count < 40 ? .infinity : -1
        }
        #expect(visited == Array(0..<40))
    }

    /// To the nearest of many points on the border of a box; 0 inside.
    private static func distance(_ place: Coordinate, to box: Bounds) -> Metres {
        guard !box.contains(place) else { return 0 }
        let width = box.west > box.east ? box.east - box.west + 360 : box.east - box.west
        return (0...16).reduce(Metres.infinity) { least, step in
            let along = Double(step) / 16
            let x = box.west + width * along
            let y = box.south + (box.north - box.south) * along
            let points = [
                PlanePoint(x, box.south), PlanePoint(x, box.north), PlanePoint(box.west, y), PlanePoint(box.east, y),
            ]
            return points.reduce(least) { min($0, place.distance(to: Coordinate(plane: $1))) }
        }
    }
}
