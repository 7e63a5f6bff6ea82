import Fleet
import Geo
import Hashing
import Messages

/// What a comparison plays: which trips, which ways of reporting. Equal plans on equal roads give equal results.
package struct TrackingPlan: Hashable, Sendable {
    /// How long a truck stands at its destination and may still say what became of the trip: fences are left for good, alerts
    /// cleared.
    static let standing: Seconds = 120

    /// The trips with their seed, noise and faults, drawn as an evaluation draws them; a device's fixes come each second.
    package var trips: EvaluationPlan
    package var strategies: [TrackingStrategy]
    /// The chance at each wake that the system leaves a fence-only device under 30 s of background time; `0 ... 1`.
    package var shortBackground = 0.0
    /// The chance at each wake that the system then ends a fence-only device; `0 ... 1`.
    package var endings = 0.0

    package init(_ trips: EvaluationPlan, _ strategies: [TrackingStrategy]) {
        self.trips = trips
        self.strategies = strategies
    }

    func drive(_ trip: Trip, number: Int) -> Drive {
        var random = SplitMix64(seed: ~trips.seed, stream: number)
        return Drive(
            trip,
            Drive.Settings(
                interval: 1, noise: trips.noise, standing: Self.standing, gaps: trips.gaps, outliers: trips.outliers),
            from: Timestamp(milliseconds: 1_700_000_000_000), seed: random.next())
    }

    func background(_ number: Int) -> BackgroundGrants {
        let random = SplitMix64(seed: trips.seed ^ Self.backgroundSeed, stream: number)
        return BackgroundGrants(short: shortBackground, ending: endings, random: random)
    }

    /// What the system does to an application must have nothing to do with where its trip leads.
    private static let backgroundSeed: UInt64 = 0xB2C6_4A19_D3F7_5E08
}
