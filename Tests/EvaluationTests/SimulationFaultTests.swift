import Evaluation
import Fleet
import Geo
import Hashing
import Messages
import Testing

/// Gaps and outliers: what a device does not report, and what it reports wrongly.
struct SimulationFaultTests {
    private static let start = Timestamp(milliseconds: 0)

    /// Fifty minutes straight east at 10 m/s.
    private static let road: Trip = {
        let start = Coordinate(latitude: 49, longitude: 8)
        let end = LocalPlane(latitude: 49).coordinate(Vector(east: 30_000, north: 0), from: start)
        guard let trip = Trip(line: [start, end], speed: 10) else { preconditionFailure("two different points") }
        return trip
    }()

    private func fixes(gaps: Double = 0, outliers: Double = 0, seed: UInt64 = 3) -> [Fix] {
        let settings = Drive.Settings(noise: 5, gaps: gaps, outliers: outliers)
        return Array(Drive(Self.road, settings, from: Self.start, seed: seed))
    }

    @Test("Without faults a seed gives the fixes that it has always given")
    func asBefore() {
        let fixes = Array(
            Drive(SimulationDriveTests.corner, .init(interval: 8, noise: 5), from: Self.start, seed: 3))
        let known = [
            (0, 49.000008086876925, 7.9999548521782575), (1, 49.00071832314039, 7.999916144960067),
            (2, 49.00142735988753, 8.000068885281433), (7, 49.00448161926875, 8.000796217788457),
            (15, 49.00448908290554, 8.00694947438644),
        ]
        #expect(fixes.count == 16)
        for (index, latitude, longitude) in known {
            #expect(abs(fixes[index].position.latitude - latitude) < 1e-12)
            #expect(abs(fixes[index].position.longitude - longitude) < 1e-12)
        }
    }

    @Test("A gap takes fixes away and changes none of the others")
    func gapsOnlyTake() {
        let all = fixes()
        let left = fixes(gaps: 0.01)
        #expect(Set(left).isSubset(of: all))
        #expect(left.count < all.count * 9 / 10)
    }

    @Test("Silence lasts 20 to 90 s, and comes as often as asked")
    func silences() {
        var (silences, chances) = ([Seconds](), 0)
        for seed in UInt64(1)...20 {
            let fixes = fixes(gaps: 0.01, seed: seed)
            chances += fixes.count
            silences += zip(fixes, fixes.dropFirst()).map { $1.time.since($0.time) }.filter { $0 > 1 }
        }
        // Fixes come on whole seconds: the first after a silence of 89.5 s comes 90 s after the last before it.
        #expect(silences.allSatisfy { (20...90).contains($0) })
        #expect((silences.min() ?? 0) < 22 && (silences.max() ?? 0) > 88)
        // Four deviations of a binomial count.
        let expected = Double(chances) * 0.01
        #expect(abs(Double(silences.count) - expected) < 4 * expected.squareRoot())
    }

    @Test("An outlier is 100 to 1,000 m off whichever way, claims what a phone would, and is right in all else")
    func outliers() {
        let plain = fixes()
        let displaced = fixes(outliers: 0.1)
        #expect(displaced.map(\.time) == plain.map(\.time))
        #expect(displaced.map(\.speed) == plain.map(\.speed))
        #expect(displaced.map(\.course) == plain.map(\.course))
        let moved = zip(plain, displaced).filter { $0 != $1 }
        let errors = moved.map { LocalPlane(latitude: 49).vector(from: $0.position, to: $1.position) }
        #expect(errors.allSatisfy { (99.9...1_000.1).contains($0.length) })
        #expect(Set(moved.map { $1.accuracy }) == [5, 10, 30, 65])
        #expect(Set(errors.map { Int($0.bearing / 90) }) == [0, 1, 2, 3])
        let expected = Double(plain.count) * 0.1
        #expect(abs(Double(moved.count) - expected) < 4 * expected.squareRoot())
    }

    @Test("Equal seeds give equal faults, other seeds others")
    func seeds() {
        #expect(fixes(gaps: 0.02, outliers: 0.02, seed: 5) == fixes(gaps: 0.02, outliers: 0.02, seed: 5))
        #expect(
            fixes(gaps: 0.02, outliers: 0.02, seed: 5).map(\.time)
                != fixes(gaps: 0.02, outliers: 0.02, seed: 6).map(\.time))
    }

    @Test("A device that falls silent after every fix still reports")
    func alwaysSilent() {
        let fixes = fixes(gaps: 1)
        #expect(fixes.first?.time == Self.start)
        #expect((3_000 / 90...3_000 / 20).contains(fixes.count))
    }

    @Test("Each stream of a seed is seeded by one number of the seed's own sequence")
    func streams() {
        var sequence = SplitMix64(seed: 42)
        for stream in 0..<5 {
            var expected = SplitMix64(seed: sequence.next())
            var found = SplitMix64(seed: 42, stream: stream)
            #expect(found.next() == expected.next())
        }
    }
}
