import Fleet
package import Geo
import Hashing
package import Messages

/// The fixes that a device aboard reports on a trip: one each interval, then some more from where the vehicle stands.
///
/// Speed and course are the true ones; positions carry noise, a first-order Gauss-Markov process on each axis. As wanted the
/// device falls silent now and then, or is far off: see `ReceptionFaults`. Equal seeds give equal fixes.
package struct Drive: Sequence, IteratorProtocol, Sendable {
    package struct Settings: Hashable, Sendable {
        /// Between two fixes; positive.
        package var interval: Seconds
        /// Standard deviation north and east.
        package var noise: Metres
        /// The time in which the noise's autocorrelation falls to 1/e; 0: each fix's noise is independent. Not negative.
        package var noiseCorrelation: Seconds
        /// Where along the trip the vehicle sets off.
        package var startDistance: Metres
        /// How long the vehicle goes on reporting after it has arrived: what an alert needs to be cleared, and more.
        package var standing: Seconds
        /// The chance, fix by fix, that the device then falls silent for a while; `0 ... 1`.
        package var gaps: Double
        /// The chance, fix by fix, that it is far off; `0 ... 1`.
        package var outliers: Double

        package init(
            interval: Seconds = 1, noise: Metres = 0, noiseCorrelation: Seconds = 0, startDistance: Metres = 0,
            standing: Seconds = 15, gaps: Double = 0, outliers: Double = 0
        ) {
            self.interval = interval
            self.noise = noise
            self.noiseCorrelation = noiseCorrelation
            self.startDistance = startDistance
            self.standing = standing
            self.gaps = gaps
            self.outliers = outliers
        }
    }

    /// The radius within which 68 % of fixes lie, by the deviation on each axis: √(−2 ln 0.32) (Rayleigh distribution).
    static let radius68 = 1.5096

    package let trip: Trip
    package let settings: Settings
    package let start: Timestamp
    private let setOff: Seconds
    private var random: SplitMix64
    /// The noise on each axis.
    private var east: GaussMarkovProcess
    private var north: GaussMarkovProcess
    private var faults: ReceptionFaults
    /// Fixes so far, those that a silent device did not report too.
    private var taken = 0
    private var isOver = false

    /// - Parameter start: when the first fix is taken.
    /// - Precondition: the interval is positive.
    package init(_ trip: Trip, _ settings: Settings, from start: Timestamp, seed: UInt64) {
        precondition(settings.interval > 0, "fixes that are no time apart never end")
        self.trip = trip
        self.settings = settings
        self.start = start
        setOff = trip.time(at: settings.startDistance)
        random = SplitMix64(seed: seed)
        let noise = GaussMarkovProcess(
            deviation: settings.noise, correlationTime: settings.noiseCorrelation, interval: settings.interval)
        (east, north) = (noise, noise)
        faults = ReceptionFaults(gaps: settings.gaps, outliers: settings.outliers, seed: ~seed)
    }

    /// Until the vehicle arrives.
    package var duration: Seconds { trip.duration - setOff }

    /// When the last fix is taken, whether a silent device reports it or not.
    package var end: Timestamp {
        start.adding(((duration + settings.standing) / settings.interval).rounded(.up) * settings.interval)
    }

    /// When the vehicle comes to a place along the trip, were it to keep to its speeds.
    package func time(at distance: Metres) -> Timestamp { start.adding(trip.time(at: distance) - setOff) }

    /// Where the vehicle truly is.
    package func place(at time: Timestamp) -> Trip.Place { trip.place(at: setOff + Swift.max(0, time.since(start))) }

    /// Nil once the vehicle has stood for as long as it should.
    package mutating func next() -> Fix? {
        while !isOver {
            let elapsed = Double(taken) * settings.interval
            taken += 1
            isOver = elapsed >= duration + settings.standing
            let place = trip.place(at: setOff + elapsed)
            // Drawn for silent fixes too: a gap takes fixes away and changes none.
            let position = noisy(place.position)
            guard !faults.isSilent(at: elapsed) else { continue }
            let fix = Fix(
                position: position, time: start.adding(elapsed), accuracy: Self.radius68 * settings.noise,
                speed: place.speed, course: place.course)
            return faults.apply(to: fix, at: elapsed)
        }
        return nil
    }

    private mutating func noisy(_ position: Coordinate) -> Coordinate {
        guard settings.noise > 0 else { return position }
        let error = Vector(east: east.next(&random), north: north.next(&random))
        return LocalPlane(latitude: position.latitude).coordinate(error, from: position)
    }
}
