import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// Fences that are small, that have holes, that share a border; and ways past them of every kind.
struct FenceShapeTests {
    private func said(_ fences: [Fence], _ fixes: [Fix]) -> [String] {
        let dispatcher = Dispatcher(nil, fences: fences)
        for fix in fixes { dispatcher.fix(fix) }
        dispatcher.tick((fixes.last?.time.seconds ?? 0) + 120)
        return dispatcher.events.filter { $0.event != .determined }.map { "\($0.event.rawValue) \($0.fence)" }
    }

    // MARK: Small fences

    /// Eastwards past (0, 200), off it by `aside`, so that the fix nearest to it is `phase` of a step before it.
    private func past(_ speed: MetresPerSecond, _ every: Seconds, phase: Double, aside: Metres, accuracy: Metres)
        -> [Fix]
    {
        let step = speed * every
        let count = Int((400 / step).rounded(.up))
        return (-count...count).map { index in
            Yard.fix(
                (Double(index) - phase) * step, 200 + aside, at: Seconds(index + count) * every, accuracy: accuracy)
        }
    }

    @Test(
        "A small fence that is passed is told of, at any speed at which 18 s bring a truck clear of noise",
        arguments: ["circle of 10 m", "circle of 20 m", "corridor of 8 m"], [1.0, 10])
    func small(kind: String, every: Seconds) {
        let shape: Shape =
            switch kind {
            case "circle of 10 m": .circle(Circle(center: Yard.place(0, 200), radius: 10))
            case "circle of 20 m": .circle(Circle(center: Yard.place(0, 200), radius: 20))
            default: .corridor(Corridor(line: [Yard.place(0, 0), Yard.place(0, 400)], width: 8))
            }
        for speed in [2.0, 5, 10, 14, 20, 25, 30] {
            for phase in stride(from: 0.0, to: 1, by: 0.125) {
                for accuracy in [3.0, 5, 8, 12] where speed * 18 >= 6 * accuracy {
                    let fixes = past(speed, every, phase: phase, aside: 1, accuracy: accuracy)
                    let said = said([Fence(id: "f", shape: shape)], fixes)
                    #expect(said == ["enter f", "exit f"], "\(speed) m/s, phase \(phase), accuracy \(accuracy) m")
                }
            }
        }
    }

    @Test("Times of a small fence that is passed at a fix a second are right to the second")
    func smallTimes() {
        let fence = Fence(id: "f", shape: .corridor(Corridor(line: [Yard.place(0, 0), Yard.place(0, 400)], width: 8)))
        let dispatcher = Dispatcher(nil, fences: [fence])
        for fix in past(14, 1, phase: 0.5, aside: 0, accuracy: 5) { dispatcher.fix(fix) }
        dispatcher.tick(200)
        let middle = 29.5
        #expect(dispatcher.events.map(\.event) == [.enter, .exit])
        #expect(dispatcher.events.allSatisfy { ($0.crossedAt.seconds - middle).magnitude < 0.5 })
        #expect(dispatcher.events.allSatisfy { $0.isThrough && $0.isInterpolated })
    }

    @Test("A truck parked beside a small fence, or in it, does not flap", arguments: [5.0, 10, -4])
    func smallNoise(distance: Metres) {
        let shapes: [Shape] = [
            .circle(Circle(center: Yard.place(0, 200), radius: 15)),
            .corridor(Corridor(line: [Yard.place(0, 0), Yard.place(0, 400)], width: 8)),
        ]
        for seed in 1...3 as ClosedRange<UInt64> {
            for (shape, half) in zip(shapes, [15.0, 4]) {
                var random = SplitMix64(seed: seed)
                let fixes = (0...3600).map { second in
                    let (east, north) = (random.gaussian() * 5.3, random.gaussian() * 5.3)
                    return Yard.fix(half + distance + east, 200 + north, at: Seconds(second), accuracy: 8)
                }
                let said = said([Fence(id: "f", shape: shape)], fixes)
                #expect(said.count { $0.hasPrefix("enter") } <= 1 && said.count <= 2, "seed \(seed): \(said)")
            }
        }
    }

    // MARK: Ways

    @Test("One fix hardly inside, the next far beyond: the way led through")
    func hardlyInside() {
        let fixes = stride(from: -997.0, through: 1100, by: 500).enumerated().map { index, east in
            Yard.fix(east, at: Seconds(index) * 20)
        }
        #expect(said([Yard.fence], fixes) == ["enter yard", "exit yard"])
    }

    @Test("Entered at walking pace")
    func walking() {
        #expect(said([Yard.fence], Yard.drive(from: -60, to: 60, speed: 1)) == ["enter yard"])
    }

    @Test("A truck that comes to stop 3 m inside is inside, from when it came")
    func stops() {
        let fixes = Yard.drive(from: -300, to: 3, speed: 10.1) + (31...200).map { Yard.fix(3, at: Seconds($0)) }
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for fix in fixes { dispatcher.fix(fix) }
        dispatcher.tick(300)
        #expect(dispatcher.fenceLog == ["30 enter yard"])
        #expect(dispatcher.states.last?.fences.map(\.fence) == ["yard"])
    }

    @Test("In, and out again at once: both, in this order")
    func turnsRound() throws {
        let fixes =
            Yard.drive(from: -100, to: 40)
            + Yard.drive(from: 0, to: 300, at: 15).map { fix in
                Yard.fix(30 - (fix.time.seconds - 15) * 10, at: fix.time.seconds)
            }
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for fix in fixes { dispatcher.fix(fix) }
        dispatcher.tick(200)
        #expect(dispatcher.fenceLog == ["10 enter yard", "18 exit yard"])
    }

    @Test("Two fences with one border: out of the one and into the other at one moment")
    func neighbours() {
        let east = [(400.0, 0.0), (800, 0), (800, 400), (400, 400)].map { Yard.place($0.0, $0.1) }
        let neighbour = Fence(id: "east", shape: .polygons([Polygon(outer: east)]))
        let dispatcher = Dispatcher(nil, fences: [Yard.fence, neighbour])
        for fix in Yard.drive(from: 195, to: 600) { dispatcher.fix(fix) }
        dispatcher.tick(100)
        #expect(dispatcher.fenceLog.dropFirst().sorted() == ["21 enter east", "21 exit yard"])
        let times = dispatcher.events.dropFirst().map(\.crossedAt)
        #expect(times[0] == times[1])
        #expect(dispatcher.states.last?.fences.map(\.fence) == ["east"])
    }

    @Test("A hole is outside: passing it is an exit and an entry, beginning in it is outside")
    func hole() {
        let outer = [(0.0, 0.0), (1200, 0), (1200, 400), (0, 400)].map { Yard.place($0.0, $0.1) }
        let hole = [(400.0, 100.0), (800, 100), (800, 300), (400, 300)].map { Yard.place($0.0, $0.1) }
        let fence = Fence(id: "ring", shape: .polygons([Polygon(outer: outer, holes: [hole])]))
        let dispatcher = Dispatcher(nil, fences: [fence])
        for fix in Yard.drive(from: -100, to: 1300) { dispatcher.fix(fix) }
        dispatcher.tick(300)
        #expect(
            dispatcher.fenceLog == [
                "10 enter ring", "50 exit ring", "90 enter ring", "130 exit ring",
            ])
        var settings = EngineSettings()
        settings.determined = .all
        let inHole = Dispatcher(nil, settings: settings, fences: [fence])
        inHole.fix(Yard.fix(600, at: 0))
        inHole.tick(20)
        #expect(inHole.events.map(\.state) == [.outside])
    }

    @Test("A fence of two parts is one: from the one into the other is an exit and an entry")
    func twoParts() {
        let parts = [0.0, 800].map { east in
            Polygon(outer: [(0.0, 0.0), (400, 0), (400, 400), (0, 400)].map { Yard.place(east + $0.0, $0.1) })
        }
        let dispatcher = Dispatcher(nil, fences: [Fence(id: "two", shape: .polygons(parts))])
        for fix in Yard.drive(from: -100, to: 1000) { dispatcher.fix(fix) }
        dispatcher.tick(200)
        #expect(
            dispatcher.fenceLog == ["10 enter two", "50 exit two", "90 enter two"])
    }

    @Test("Across the antimeridian as anywhere", arguments: [1.0, 30])
    func antimeridian(every: Seconds) {
        func place(_ east: Metres) -> Coordinate {
            let longitude = 179.999 + east / 111_320
            return Coordinate(latitude: 0.01, longitude: longitude > 180 ? longitude - 360 : longitude)
        }
        let fence = Fence(id: "date", shape: .circle(Circle(center: place(150), radius: 100)))
        let dispatcher = Dispatcher(nil, fences: [fence])
        for time in stride(from: 0.0, through: 90, by: every) {
            dispatcher.fix(Fix(position: place(-455 + 20 * time), time: .at(time), accuracy: 5))
        }
        dispatcher.tick(200)
        #expect(dispatcher.fenceLog == ["25 enter date", "35 exit date"])
    }

    // MARK: Hysteresis

    private func wide(_ places: [(east: Metres, at: Seconds)]) -> [String] {
        said([Yard.fence("yard") { $0.hysteresis = 100 }], places.map { Yard.fix($0.east, at: $0.at) })
    }

    /// From the middle to so far beyond the eastern border, and stand there.
    private func out(to beyond: Metres, for duration: Seconds) -> [(east: Metres, at: Seconds)] {
        let drive = Yard.drive(from: 200, to: 400 + beyond).map { ($0.position, $0.time.seconds) }.indices.map {
            (east: min(200 + Metres($0) * 10, 400 + beyond), at: Seconds($0))
        }
        return drive + stride(from: 1, through: duration, by: 1).map { (400 + beyond, drive.last!.at + $0) }
    }

    @Test("With a hysteresis of 100 m leaving takes 100 m, for however long", arguments: [3.0, 50, 90])
    func leaving(beyond: Metres) {
        #expect(wide(out(to: beyond, for: 1800)) == [])
    }

    @Test("Beyond the hysteresis it has left, from when it crossed the border")
    func left() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence("yard") { $0.hysteresis = 100 }])
        for place in out(to: 110, for: 60) { dispatcher.fix(Yard.fix(place.east, at: place.at)) }
        dispatcher.tick(200)
        #expect(dispatcher.fenceLog == ["0 determined yard", "20 exit yard"])
        #expect(dispatcher.events[1].time.since(dispatcher.events[1].crossedAt) >= 20)
    }

    @Test("Entering takes no hysteresis")
    func entering() {
        #expect(
            wide(Yard.drive(from: -200, to: 30).indices.map { (-200 + Metres($0) * 10, Seconds($0)) }) == ["enter yard"]
        )
    }

    @Test("Passed between two fixes to within the hysteresis: in, and not out yet")
    func throughToWithin() {
        #expect(wide([(-500, 0), (450, 30), (455, 60), (455, 400)]) == ["enter yard"])
        #expect(wide([(-500, 0), (550, 30), (560, 60)]) == ["enter yard", "exit yard"])
    }

    @Test("Outside within the hysteresis, back inside, then off: it left when it went the last time")
    func peeked() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence("yard") { $0.hysteresis = 100 }])
        let peek = out(to: 50, for: 600)
        let (turned, left) = (peek.last!.at, peek.last!.at + 100)
        let back = stride(from: 1.0, through: 100, by: 1).map { (east: 360.0, at: turned + $0) }
        let off = stride(from: 1.0, through: 40, by: 1).map { (east: 360 + $0 * 10, at: left + $0) }
        for place in peek + back + off { dispatcher.fix(Yard.fix(place.east, at: place.at)) }
        dispatcher.tick(1200)
        #expect(dispatcher.events.map(\.event) == [.determined, .exit])
        #expect((dispatcher.events[1].crossedAt.since(.at(left)) - 4).magnitude < 0.1)
    }

    // MARK: Several passes between two fixes

    /// Two yards of 400 m, with 1,000 m between them, which are one fence.
    private static let twoParts: Fence = {
        let polygons = [0.0, 1_400].map { west in
            let corners = [(0.0, 0.0), (400, 0), (400, 400), (0, 400)]
            return Polygon(outer: corners.map { Yard.place(west + $0.0, $0.1) })
        }
        return Fence(id: "f", shape: .polygons(polygons), dwell: 60)
    }()

    @Test(
        "Each part of a fence that is passed between two fixes is told of, and nothing of the way between them",
        arguments: [
            // Past both of them.
            (
                [(-700, 0), (-500, 10), (-300, 20), (2_100, 140), (2_300, 150), (2_500, 160)],
                ["35 enter", "55 exit", "105 enter", "125 exit"]
            ),
            // From the first one past the second; the silence was taken for a stay.
            (
                [(-200, 0), (0, 10), (200, 20), (2_200, 120), (2_400, 130), (2_600, 140)],
                ["10 enter", "70 dwell", "30 exit", "80 enter", "100 exit"]
            ),
            // Past the first one into the second.
            ([(-700, 0), (-500, 10), (-300, 20), (1_600, 115), (1_605, 145)], ["35 enter", "55 exit", "105 enter"]),
        ] as [([(Metres, Seconds)], [String])])
    func parts(places: [(east: Metres, at: Seconds)], expected: [String]) {
        let dispatcher = Dispatcher(nil, fences: [Self.twoParts])
        for place in places { dispatcher.fix(Yard.fix(place.east, at: place.at)) }
        dispatcher.tick(160)
        let log = dispatcher.events.map { "\(Int($0.crossedAt.seconds.rounded())) \($0.event.rawValue)" }
        #expect(log == expected)
        let crossings = dispatcher.events.filter { $0.event != .dwell }
        #expect(crossings.allSatisfy { event in places.contains { .at($0.at) == event.time } })
    }

    @Test("A fence beyond the antimeridian is passed like any other, at longitudes within 180 degrees")
    func antimeridian() {
        func place(_ longitude: Degrees, _ latitude: Degrees = 10) -> Coordinate {
            Coordinate(latitude: latitude, longitude: longitude)
        }
        let corners = [(-179.996, 9.99), (-179.9945, 9.99), (-179.9945, 10.01), (-179.996, 10.01)]
        let fence = Fence(id: "f", shape: .polygons([Polygon(outer: corners.map { place($0.0, $0.1) })]))
        let dispatcher = Dispatcher(nil, fences: [fence])
        var way: [(Degrees, Seconds)] = []
        for step in 0...9 { way.append((179.99 + 0.0009 * Double(step), 10 * Double(step))) }
        way += [(179.9995, 110), (-179.9915, 140), (-179.99, 150), (-179.985, 200)]
        for (longitude, seconds) in way {
            dispatcher.fix(Fix(position: place(longitude), time: .at(seconds), accuracy: 5))
        }
        dispatcher.tick(300)
        #expect(dispatcher.events.map(\.event) == [.enter, .exit])
        #expect(dispatcher.events.allSatisfy { $0.position.isValid })
    }
}
