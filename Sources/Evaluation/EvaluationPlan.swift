import Fleet
package import Geo
import Hashing
import Messages
import Roads

/// Which trips are driven, and how. Equal plans on equal roads give equal results, however many threads share the work.
package struct EvaluationPlan: Hashable, Sendable {
    /// Trips from anywhere to anywhere; they have the first numbers.
    package var natural = 2_000
    /// Further trips, drawn so that they pass under a low edge.
    package var passing = 300
    /// The seed of trips, noise and faults.
    package var seed: UInt64 = 1
    /// Between fixes: every trip is driven once for each.
    package var intervals: [Seconds] = [1, 10]
    /// Standard deviation of fixes north and east.
    package var noise: Metres = 5
    /// The time in which the noise's autocorrelation falls to 1/e; 0: each fix's noise is independent.
    package var noiseCorrelation: Seconds = 0
    /// The chance, fix by fix, that the device then falls silent for 20 to 90 s.
    package var gaps = 0.0
    /// The chance, fix by fix, that it is 100 to 1,000 m off.
    package var outliers = 0.0

    /// Whether each trip's destination is told before it begins.
    package var knowsDestinations = false
    /// Whether each driver goes the way that is fastest as he sees the roads, not as they usually are.
    package var variesWays = false
    /// From how many further natural trips, none of which is driven, the turns at junctions are known.
    package var learned = 0
    /// From how many further natural trips, none of which is driven, it is known what vehicles do at low bridges.
    package var observed = 0
    /// Between how many places all natural trips go; nil: from anywhere to anywhere.
    package var places: Int?

    package init() {}

    /// The numbers of all trips.
    package var numbers: Range<Int> { 0..<(natural + passing) }

    /// Draws trips between the places of this plan's fleet.
    func sampler(_ network: RoadNetwork) -> TripSampler {
        var draw = TripSampler(network, seed: seed)
        if let places { draw.drawPlaces(places) }
        return draw
    }

    func isNatural(_ number: Int) -> Bool { number < natural }

    func drive(_ trip: Trip, number: Int, interval: Seconds) -> Drive {
        var random = SplitMix64(seed: ~seed, stream: number)
        return Drive(
            trip,
            Drive.Settings(
                interval: interval, noise: noise, noiseCorrelation: noiseCorrelation, gaps: gaps, outliers: outliers),
            from: Timestamp(milliseconds: 1_700_000_000_000), seed: random.next())
    }
}
