import Evaluation
import Fleet
import FleetTestSupport
import func Foundation.exp
import Geo
import Hashing
import Messages
import Testing

/// Random numbers, trips along a line, and the fixes of a drive.
struct SimulationDriveTests {
    /// Half a kilometre north, then half a kilometre east, at 10 m/s.
    static let corner: Trip = {
        let plane = LocalPlane(latitude: 49)
        let start = Coordinate(latitude: 49, longitude: 8)
        let turn = plane.coordinate(Vector(east: 0, north: 500), from: start)
        let end = plane.coordinate(Vector(east: 500, north: 500), from: start)
        guard let trip = Trip(line: [start, start, turn, end], speed: 10) else {
            preconditionFailure("two different points")
        }
        return trip
    }()

    @Test("Random numbers are those of SplitMix64's reference implementation")
    func referenceValues() {
        var random = SplitMix64(seed: 0)
        #expect(random.next() == 0xE220_A839_7B1D_CDAF)
        #expect(random.next() == 0x6E78_9E6A_A1B9_65F4)
        #expect(random.next() == 0x06C4_5D18_8009_454F)
    }

    @Test("Drawing from few hits each of them equally often")
    func evenDraw() {
        var random = SplitMix64(seed: 7)
        var counts = Array(repeating: 0, count: 5)
        for _ in 0..<50_000 { counts[random.index(below: 5)] += 1 }
        // Five deviations of a binomial count round 10,000.
        for count in counts { #expect((9_550...10_450).contains(count)) }
    }

    @Test("A trip along a line has the line's length, and takes as long as its speed says")
    func lengthAndDuration() {
        let trip = Self.corner
        #expect(abs(trip.length - 1_000) < 0.5)
        #expect(abs(trip.duration - 100) < 0.05)
        #expect(abs(trip.time(at: 250) - 25) < 0.01)
        #expect(trip.time(at: -1) == 0)
        #expect(trip.time(at: 2_000) == trip.duration)
    }

    @Test("No line without two different points, and no speed of nothing, makes a trip")
    func noTrip() {
        let point = Coordinate(latitude: 49, longitude: 8)
        #expect(Trip(line: [point, point], speed: 10) == nil)
        #expect(Trip(line: [point, Coordinate(latitude: 49.1, longitude: 8)], speed: 0) == nil)
    }

    @Test(
        "A vehicle is where its speed has brought it, headed along the line",
        arguments: [
            (time: -1.0, distance: 0.0, speed: 0.0, course: nil),
            (time: 20.0, distance: 200.0, speed: 10.0, course: 0.0),
            (time: 80.0, distance: 800.0, speed: 10.0, course: 90.0),
            (time: 120.0, distance: 1_000.0, speed: 0.0, course: nil),
        ] as [(time: Double, distance: Double, speed: Double, course: Double?)])
    func places(_ expected: (time: Double, distance: Double, speed: Double, course: Double?)) throws {
        let place = Self.corner.place(at: expected.time)
        #expect(abs(place.distance - expected.distance) < 0.5)
        #expect(abs(place.speed - expected.speed) < 0.01)
        #expect((place.course == nil) == (expected.course == nil))
        if let course = place.course, let wanted = expected.course {
            #expect(angle(between: course, and: wanted) < 0.1)
        }
    }

    @Test("Fixes come every interval until the vehicle has stood for fifteen seconds")
    func fixTimes() throws {
        let fixes = Array(Drive(Self.corner, .init(interval: 8), from: Timestamp(milliseconds: 5_000), seed: 1))
        let times: [Int64] = Array(stride(from: 5_000, through: 125_000, by: 8_000))
        #expect(fixes.map(\.time.milliseconds) == times)
        let standing = fixes.filter { $0.speed == 0 }
        #expect(standing.count == 3)
        #expect(standing.allSatisfy { $0.course == nil && $0.position == fixes[fixes.count - 1].position })
    }

    @Test("A drive may set off farther on, and knows when it comes where")
    func startDistance() throws {
        let drive = Drive(Self.corner, .init(startDistance: 400), from: Timestamp(milliseconds: 0), seed: 1)
        #expect(abs(drive.duration - 60) < 0.05)
        #expect(abs(drive.time(at: 500).milliseconds - 10_000) < 50)
        let first = try #require(drive.first { _ in true })
        #expect(first.position.distance(to: Self.corner.place(at: 40).position) < 0.5)
    }

    @Test("Equal seeds give equal fixes, other seeds others")
    func seeds() {
        func positions(_ seed: UInt64) -> [Coordinate] {
            Drive(Self.corner, .init(noise: 5), from: Timestamp(milliseconds: 0), seed: seed).map(\.position)
        }
        #expect(positions(3) == positions(3))
        #expect(positions(3) != positions(4))
    }

    @Test("Noise has the deviation asked for on each axis, and 68 % of the fixes lie within the accuracy reported")
    func noise() throws {
        let errors = Self.errors(Drive.Settings(interval: 0.01, noise: 5, standing: 0), seed: 5)
        let count = Double(errors.count)
        for axis in [errors.map(\.east), errors.map(\.north)] {
            let deviation = (axis.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
            #expect(abs(axis.reduce(0, +) / count) < 0.25)
            #expect((4.8...5.2).contains(deviation))
        }
        let fixes = Drive(Self.corner, Drive.Settings(noise: 5), from: Timestamp(milliseconds: 0), seed: 5)
        let accuracy = try #require(fixes.first { _ in true }?.accuracy)
        let within = Double(errors.filter { $0.length <= accuracy }.count) / count
        #expect((0.66...0.70).contains(within))
    }

    @Test(
        "Correlated noise has the deviation asked for, from the first fix on, and an autocorrelation that falls to 1/e in that time",
        arguments: [1.0, 10.0])
    func correlatedNoise(interval: Seconds) {
        let settings = Drive.Settings(interval: interval, noise: 5, noiseCorrelation: 30, standing: 900)
        let drives = (0..<200).map { Self.errors(settings, seed: $0) }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        for axis in [\Vector.east, \Vector.north] {
            let errors = drives.map { $0.map { $0[keyPath: axis] } }
            // Two hundred independent values, and some seven thousand that are worth as much as independent ones.
            #expect((3.9...6.1).contains(mean(errors.map { $0[0] * $0[0] }).squareRoot()))
            #expect((4.8...5.2).contains(mean(errors.flatMap { $0.map { $0 * $0 } }).squareRoot()))
            for lag in [1, Int(30 / interval), Int(60 / interval)] {
                let products = errors.flatMap { zip($0, $0.dropFirst(lag)).map { $0 * $1 } }
                #expect(abs(mean(products) / 25 - exp(-Double(lag) * interval / 30)) < 0.05)
            }
        }
    }

    /// How far each fix of a drive along the corner is from where the vehicle is.
    private static func errors(_ settings: Drive.Settings, seed: UInt64) -> [Vector] {
        let fixes = Drive(corner, settings, from: Timestamp(milliseconds: 0), seed: seed)
        return fixes.enumerated().map { index, fix in
            let place = corner.place(at: Double(index) * settings.interval)
            return LocalPlane(latitude: 49).vector(from: place.position, to: fix.position)
        }
    }
}
