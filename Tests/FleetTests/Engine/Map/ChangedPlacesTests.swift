import Geo
import Testing

@testable import Fleet

/// Where clearances have changed, as it is kept.
struct ChangedPlacesTests {
    private let place = Coordinate(latitude: 42.280597, longitude: -83.751891)

    @Test("It is read as it was written")
    func text() {
        var places = ChangedPlaces()
        #expect(ChangedPlaces(text: places.text) == places)
        places.add([place, Coordinate(latitude: 0.1 + 0.2, longitude: -1e-9)])
        #expect(ChangedPlaces(text: places.text) == places)
    }

    @Test("Beyond a thousand places, and where the text cannot be read, it is everywhere")
    func everywhere() {
        let far = Coordinate(latitude: 0, longitude: 0)
        var places = ChangedPlaces(Array(repeating: place, count: 1_000))
        #expect(places.contains(within: 100, of: place) && !places.contains(within: 100, of: far))
        places.add([place])
        #expect(places.contains(within: 100, of: far))
        #expect(ChangedPlaces(text: places.text) == places)
        #expect(ChangedPlaces(text: "42.28,-83.75 42.28").contains(within: 100, of: far))
        #expect(!places.isEmpty && ChangedPlaces().isEmpty)
    }

    @Test("Those that have been added since are known, unless there are too many")
    func added() {
        let other = Coordinate(latitude: 1, longitude: 2)
        let former = ChangedPlaces([place, place])
        var places = former
        #expect(places.added(since: former).isEmpty)
        places.add([other])
        #expect(places.added(since: former) == ChangedPlaces([other]))
        places.add(Array(repeating: place, count: 1_000))
        #expect(places.added(since: former).contains(within: 100, of: Coordinate(latitude: 0, longitude: 0)))
    }
}
