import Evaluation
import Geo
import Hashing
import Messages
import Roads

/// A fix, and whose it is.
struct VehicleFix {
    var address: VehicleAddress
    var fix: Fix
}

/// How vehicles move: round by round, a fix of each that is under way.
protocol Ways {
    mutating func next() -> [VehicleFix]
}

/// When the first fixes are taken: 2026-01-01T00:00:00Z.
private let start = Timestamp(milliseconds: 1_767_225_600_000)

private func vehicleAddresses(_ count: Int) -> [VehicleAddress] {
    (0..<count).map { VehicleAddress(vehicle: VehicleID("truck-\($0)")!) }
}

/// Without roads: at a steady speed through a square, in slight bends; back to its middle from its border.
struct OpenWays: Ways {
    private struct Walk {
        var position: Coordinate
        var course: Degrees
    }

    /// Per step.
    private static let bendMax: Degrees = 5

    private let square: Square
    private let step: Metres
    private let interval: Seconds
    private let addresses: [VehicleAddress]
    private var walks: [Walk]
    private var random: SplitMix64
    private var round = 0

    init(_ square: Square, vehicles: Int, step: Metres, interval: Seconds, seed: UInt64) {
        self.square = square
        self.step = step
        self.interval = interval
        var random = SplitMix64(seed: seed, stream: 1)
        addresses = vehicleAddresses(vehicles)
        walks = (0..<vehicles).map { _ in
            Walk(position: square.place(&random), course: 360 * random.fraction())
        }
        self.random = random
    }

    mutating func next() -> [VehicleFix] {
        let time = start.adding(Double(round) * interval)
        round += 1
        return walks.indices.map { index in
            walks[index] = moved(walks[index])
            let fix = Fix(
                position: walks[index].position, time: time, accuracy: 5, speed: step / interval,
                course: walks[index].course)
            return VehicleFix(address: addresses[index], fix: fix)
        }
    }

    private mutating func moved(_ walk: Walk) -> Walk {
        let bend = Self.bendMax * (2 * random.fraction() - 1)
        let isOutside = !square.contains(walk.position)
        let course = isOutside ? walk.position.bearing(to: square.center) : walk.course + bend + 360
        return Walk(
            position: walk.position.moved(step, towards: course), course: course.truncatingRemainder(dividingBy: 360))
    }
}

/// Along the roads of a map, as fast as is usual there.
struct RoadWays: Ways {
    /// Standard deviation of fixes north and east.
    private static let noise: Metres = 5
    /// Metres a second: no trip ends before the last round.
    private static let speedMost = 15.0

    private let addresses: [VehicleAddress]
    private var drives: [Drive]

    /// Trips are as long as that many rounds take, where the map is large enough.
    init(
        _ network: RoadNetwork, vehicles: Int, trips count: Int, interval: Seconds, rounds: Int, seed: UInt64
    ) {
        var sampler = TripSampler(network, seed: seed)
        let length = max(2_000, 2 * Self.speedMost * interval * Double(rounds))
        let trips = (0..<count).compactMap { _ in sampler.anywhere(lengthMin: length) ?? sampler.anywhere() }
        addresses = vehicleAddresses(vehicles)
        drives = (0..<vehicles).map { vehicle in
            let trip = trips[vehicle % trips.count]
            var random = SplitMix64(seed: seed, stream: vehicle)
            let settings = Drive.Settings(
                interval: interval, noise: Self.noise, startDistance: random.fraction() * trip.length / 2)
            return Drive(trip, settings, from: start, seed: random.next())
        }
    }

    mutating func next() -> [VehicleFix] {
        drives.indices.compactMap { index in
            drives[index].next().map { VehicleFix(address: addresses[index], fix: $0) }
        }
    }
}
