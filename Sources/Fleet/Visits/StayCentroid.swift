import Geo
import Messages

/// The mean of positions, each weighted with 1/accuracy², and how far they scatter round it.
struct StayCentroid: Hashable, Sendable {
    /// The accuracy of a fix that states none. More than `Fix.accuracyAssumed`: trucks stand beside buildings, which
    /// reflect.
    private static let accuracyAssumed: Metres = 10
    /// Receivers that claim to be better must not outvote all others.
    private static let accuracyMin: Metres = 5

    private(set) var mean: WeightedPosition
    /// Mean of those that are known, weighted alike.
    private(set) var altitude: Metres?
    private var count = 1
    private var altitudeWeight: Double
    /// Sum of weight · distance² from the middle.
    private var scatter = 0.0

    init(_ fix: Fix) {
        let accuracy = max(fix.accuracy ?? Self.accuracyAssumed, Self.accuracyMin)
        mean = WeightedPosition(fix.position, weight: 1 / (accuracy * accuracy))
        altitude = fix.altitude
        altitudeWeight = fix.altitude == nil ? 0 : mean.weight
    }

    var position: Coordinate { mean.position }

    /// √(s² + a²): s the weighted root mean square of the fixes' distances from the middle, a that of their own
    /// accuracies.
    ///
    /// The second part does not shrink with the number of fixes: what a receiver at rest errs by, it errs by for minutes.
    var accuracy: Metres { ((scatter + Double(count)) / mean.weight).squareRoot() }

    /// Takes in the positions of `other`; how they scatter adds up as in Chan, Golub and LeVeque, 1983.
    mutating func merge(_ other: StayCentroid) {
        let distance = distance(to: other)
        scatter += other.scatter + distance * distance * mean.weight * mean.share(of: other.mean)
        mean.merge(other.mean)
        mergeAltitude(other)
        count += other.count
    }

    private mutating func mergeAltitude(_ other: StayCentroid) {
        guard let theirs = other.altitude else { return }
        altitudeWeight += other.altitudeWeight
        let ours = altitude ?? theirs
        altitude = ours + (theirs - ours) * other.altitudeWeight / altitudeWeight
    }

    func distance(to other: StayCentroid) -> Metres { position.distance(to: other.position) }
}

extension StayCentroid: BinaryRecord {
    static var placeholder: Self { StayCentroid(Fix.placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&mean.position)
        try coder.code(&altitude)
        try coder.code(&count)
        try coder.code(&mean.weight)
        try coder.code(&altitudeWeight)
        try coder.code(&scatter)
    }
}
