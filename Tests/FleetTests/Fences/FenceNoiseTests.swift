import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// A truck parked beside a border does not flap.
struct FenceNoiseTests {
    /// How far from the border the truck stands; over 0: outside.
    static let beside: [Metres] = [5, -5]
    /// 8 m is the radius of the 68 % circle of fixes that err by 5.3 m to each side (8 m / √(−2 ln 0.32)), and is often what
    /// a receiver calls an error of 8 m to each side.
    static let deviations: [Metres] = [5.3, 8]

    private func parked(_ distance: Metres, deviation: Metres, every: Seconds, seed: UInt64) -> [FenceEventMessage] {
        var random = SplitMix64(seed: seed)
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for time in stride(from: 0, through: 3600, by: every) {
            let (east, north) = (random.gaussian(), random.gaussian())
            dispatcher.fix(Yard.fix(-distance + east * deviation, 200 + north * deviation, at: time, accuracy: 8))
        }
        dispatcher.tick(3700)
        return dispatcher.events
    }

    @Test(
        "An hour parked 5 m beside a border at 8 m accuracy: at most one pair, in 40 hours of sparse fixes, in 6 of dense",
        arguments: beside, [1.0, 10, 30])
    func parked(distance: Metres, every: Seconds) {
        for deviation in Self.deviations {
            for seed in 1...(every > 1 ? 20 : 3) as ClosedRange<UInt64> {
                let events = parked(distance, deviation: deviation, every: every, seed: seed)
                let pairs = events.count { $0.event == .enter }
                #expect(pairs <= 1 && events.count { $0.event == .exit } <= 1, "σ \(deviation) m, seed \(seed)")
            }
        }
    }

    @Test("Fixes say in the end that a truck that came to stand 5 m inside is inside", arguments: [1.0, 10])
    func arrives(every: Seconds) {
        for seed in 1...(every > 1 ? 20 : 5) as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let dispatcher = Dispatcher(nil, fences: [Yard.fence])
            for time in stride(from: 0, through: 1200, by: every) {
                let (east, north) = (random.gaussian(), random.gaussian())
                let place = min(5, -300 + time * 5)
                dispatcher.fix(Yard.fix(place + east * 5.3, 200 + north * 5.3, at: time, accuracy: 8))
            }
            dispatcher.tick(1300)
            #expect(dispatcher.events.map(\.event) == [.enter], "seed \(seed)")
        }
    }
}
