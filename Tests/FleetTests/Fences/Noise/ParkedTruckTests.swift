import Foundation
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// Trucks whose receivers' errors are correlated over minutes, parked beside a border and crossing it.
///
/// Some trucks are drawn with every run of the tests. The whole fleet, and how long crossings take to be told:
/// `HEADROOM_PARKED_TRUCKS=1000 swift test --filter ParkedTruckTests`.
struct ParkedTruckTests {
    private static let wholeFleet = ProcessInfo.processInfo.environment["HEADROOM_PARKED_TRUCKS"].flatMap { Int($0) }

    /// What is said of eight hours beside a border.
    private struct Parked {
        var trial: NoiseTrial
        var distance: Metres
        var events: [FenceEventMessage]

        var pairs: Int { max(events.count { $0.event == .enter }, events.count { $0.event == .exit }) }
    }

    private func parked(_ count: Int, intervalMin: Seconds) -> [Parked] {
        (0..<count).compactMap { number in
            var random = SplitMix64(seed: 1, stream: number)
            let trial = NoiseTrial(&random)
            guard trial.receiver.interval >= intervalMin else { return nil }
            let distance = -30 + 60 * random.fraction()
            return Parked(trial: trial, distance: distance, events: trial.parked(distance, &random))
        }
    }

    @Test("Eight hours within 30 m of a border: at most one pair of events, of 99 trucks in a hundred")
    func parked() {
        let trucks = parked(Self.wholeFleet ?? 60, intervalMin: Self.wholeFleet == nil ? 10 : 1)
        let many = trucks.filter { $0.pairs > 1 }
        for truck in many { print("\(truck.pairs) pairs: \(truck.distance) m beside the border, \(truck.trial)") }
        #expect(many.count <= trucks.count / 100)
        // Parked on one side all the time, a truck is told of as changing sides because its first fix erred, and hardly else.
        #expect(trucks.reduce(0) { $0 + $1.events.count } <= trucks.count / 3)
        if Self.wholeFleet != nil {
            print(
                "\(trucks.count) trucks, \(trucks.reduce(0) { $0 + $1.events.count }) events, \(many.count) of more than a pair"
            )
        }
    }

    /// Before correlated errors were taken into account: median of 300 crossings each, drawn as here.
    private static let mediansBefore: [NoiseTrial.Crossing: Seconds] = [
        .stopsInside: 5.8, .drivesThrough: 6.0, .leavesAfterStop: 26.7, .crawlsIn: 24.1, .crawlsOut: 36.4,
    ]

    @Test(
        "A real crossing is told no later than five seconds after the former median, and hardly any is missed",
        arguments: NoiseTrial.Crossing.allCases)
    func crossing(_ crossing: NoiseTrial.Crossing) throws {
        let count = Self.wholeFleet ?? 150
        let place = try #require(NoiseTrial.Crossing.allCases.firstIndex(of: crossing))
        let delays = (0..<count).map { number in
            var random = SplitMix64(seed: 1001, stream: number * 10 + place)
            return NoiseTrial(&random).delay(crossing, &random) ?? .infinity
        }.sorted()
        let median = delays[count / 2]
        #expect(median <= Self.mediansBefore[crossing]! + 5)
        #expect(delays.count { $0 == .infinity } <= count / 20)
        if Self.wholeFleet != nil { print("\(crossing): \(count) crossings told after a median of \(median) s") }
    }

    @Test("A truck that was pushed 20 m over a border and stays is told of as inside, once", arguments: [8.0, 15])
    func pushed(radius: Metres) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var trial = NoiseTrial(&random)
            trial.receiver = trial.receiver.with(radius: radius, correlation: 60, interval: 10)
            let fixes = trial.receiver.fixes(for: 4 * 3600, &random) { time in
                let pushed = min(20, max(0, time - 3 * 3600) * 0.2)
                return NoisyReceiver.Motion(east: -10 + 1.5 * pushed, north: 0, speed: 0, course: 0)
            }
            let events = trial.events(of: fixes)
            #expect(events.last?.event == .enter && events.count <= 3, "\(trial) \(events.map(\.event))")
        }
    }

    @Test("A vehicle's own scatter tells its accuracy where the device does not, after some hours at one place")
    func learned() throws {
        for radius in NoisyReceiver.radii {
            var random = SplitMix64(seed: 4)
            var trial = NoiseTrial(&random)
            trial.receiver = trial.receiver.with(radius: radius, correlation: 60, interval: 10)
            var motion = MotionEvidence()
            for fix in trial.receiver.fixes(for: 6 * 3600, &random, of: { _ in .standing }) { motion.follow(fix) }
            let learned = try #require(motion.radius)
            #expect((learned / radius - 1).magnitude < 0.3, "\(learned) m for \(radius) m")
        }
    }
}
