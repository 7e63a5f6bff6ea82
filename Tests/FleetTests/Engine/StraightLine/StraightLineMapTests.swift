import Clearances
import Geo
import Hashing
import Testing

@testable import Fleet

/// Clearances without a road, found by place and by id.
struct StraightLineMapTests {
    private static let (here, there) = (
        Coordinate(latitude: 42.28, longitude: -83.74), Coordinate(latitude: 42.4, longitude: -83.7)
    )

    private func map(_ clearances: (String, Coordinate, String)..., from former: StraightLineMap? = nil)
        -> StraightLineMap
    {
        StraightLineMap(clearances.map { Clearance(PointClearance(id: $0, position: $1, posted: $2)) }, from: former)
    }

    @Test("What clearances say, and where they stand, is said by the new ones, whatever they were before")
    func changed() {
        let former = map(("a", Self.here, "4.5 m"), ("b", Self.there, "5 m"))
        for map in [
            map(("a", Self.here, "3.2 m"), ("b", Self.there, "5 m"), from: former),
            map(("a", Self.here, "3.2 m"), from: former),
            map(("a", Self.here, "3.2 m"), ("b", Self.here, "5 m"), from: former),
        ] {
            #expect(map.clearance("a")?.reading == .limit(320))
            #expect(map.near(Self.here, within: 100).first?.reading == .limit(320))
        }
        let moved = map(("a", Self.there, "4.5 m"), ("b", Self.here, "5 m"), from: former)
        #expect(moved.near(Self.here, within: 100).map(\.id) == ["b"])
        #expect(moved.distance(from: Self.here, within: 100) == 0)
        #expect(map(("a", Self.here, "4.5 m"), from: former).clearance("b") == nil)
    }
}
