import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Evaluation
@testable import Fleet

/// Fence-only tracking, sentence by sentence.
struct TrackingFenceOnlyTests {
    private func road(_ background: BackgroundGrants = BackgroundGrants()) -> TrackingRoad<FenceOnlyDevice> {
        TrackingRoad(FenceOnlyDevice(background))
    }

    @Test("On launch and on leaving its fence it looks for a fix, and nowhere else")
    func launchAndExit() {
        var road = road()
        // A fence of 455 m, which is left 460 m on.
        road.drive(100, speed: 10)
        #expect(road.reports == [0, 46, 92])
        #expect(road.looks == road.reports)
    }

    @Test(
        "A fix makes a new fence of radius max(accuracy + 450 m, 2 × accuracy)",
        arguments: [(0, 450), (5, 455), (65, 515), (100, 550), (450, 900), (451, 902), (1000, 2000)]
            as [(Metres, Metres)])
    func radius(accuracy: Metres, radius: Metres) {
        #expect(FenceOnlyDevice.radius(accuracy: accuracy) == radius)
    }

    @Test("The new fence lies round the fix")
    func center() {
        var road = road()
        road.drive(1, accuracy: 80)
        #expect(road.device.fence == Circle(center: Drawing.place(0, 0), radius: 530))
    }

    @Test(
        "Worse than 100 m is no fix: the search goes on", arguments: [(100, [0]), (101, [7])] as [(Metres, [Seconds])])
    func accuracy(accuracy: Metres, reports: [Seconds]) {
        var road = road()
        road.drive(7, accuracy: accuracy)
        road.drive(10)
        #expect(road.reports == reports)
    }

    @Test("Older than 5 s is no fix: the search goes on", arguments: [(5, [0, 5]), (6, [0])] as [(Int, [Seconds])])
    func age(age: Int, reports: [Seconds]) {
        var road = road()
        road.drive(1, speed: 0)
        road.drive(age - 1, speed: 0, accuracy: nil)
        road.jump(1000)
        road.drive(1, speed: 0, accuracy: nil)
        #expect(road.reports == reports)
        #expect(road.looks.last == Seconds(age))
    }

    @Test("It looks for 45 s; no fix by then adds 32 km to the present radius, and the fence stays where it is")
    func noFix() {
        var road = road()
        road.drive(46, speed: 10)
        #expect(road.device.fence?.radius == 455)
        // Left at 46 s, in a tunnel.
        road.drive(100, speed: 10, accuracy: nil)
        let everySecond = (46..<91).map { Seconds($0) }
        #expect(road.looks == [0] + everySecond)
        #expect(road.reports == [0])
        #expect(road.device.fence == Circle(center: Drawing.place(0, 0), radius: 32_455))
    }

    @Test("No fix on launch: the fence is 32 km round where the cells have it")
    func noFixOnLaunch() {
        var road = road()
        road.drive(60, speed: 0, accuracy: nil)
        #expect(road.device.fence == Circle(center: Drawing.place(0, 0), radius: 32_000))
        road.drive(100)
        #expect(road.reports.isEmpty)
    }

    @Test("Left under 30 s of background time it takes max(2 × radius, 5 km) instead, and does not look")
    func shortBackground() {
        var road = road(BackgroundGrants(short: 1))
        var radii: [Metres?] = []
        for _ in 0..<3 {
            road.drive(1, speed: 0)
            radii.append(road.device.fence?.radius)
            road.jump((radii.last ?? 0) ?? 0)
            road.drive(1, speed: 1)
        }
        #expect(radii == [5_000, 10_000, 20_000])
        #expect(road.looks.isEmpty)
    }

    @Test("A significant change of 500 m wakes it after it was ended; leaving its fence does not")
    func ended() {
        var road = road(BackgroundGrants(ending: 1))
        road.drive(120, speed: 11)
        // 455 m would be left at 42 s.
        #expect(road.reports == [0, 46, 92])
    }

    @Test("What the system does is drawn wake by wake, as often as its chance says; equal seeds give equal whims")
    func grants() {
        var grants = BackgroundGrants(short: 0.25, ending: 0.5, random: SplitMix64(seed: 7))
        var again = BackgroundGrants(short: 0.25, ending: 0.5, random: SplitMix64(seed: 7))
        let drawn = (0..<4000).map { _ in grants.next() }
        #expect(drawn == (0..<4000).map { _ in again.next() })
        #expect((900...1100).contains(drawn.count { $0.time < FenceOnlyDevice.backgroundMin }))
        #expect((1900...2100).contains(drawn.count { $0.isEnded }))
    }
}
