import Geo
import Messages

/// The middle, the scatter and the autocorrelation of fixes at one place, from sums.
struct StandStatistics: Hashable, Sendable {
    /// The first fix; offsets are in metres from there.
    private var origin: Coordinate?
    private(set) var count = 0
    private var sumEast: Metres = 0
    private var sumNorth: Metres = 0
    /// The sum of the squared lengths of the offsets.
    private var squares = 0.0
    /// The sum of the products of each offset with the one before.
    private var products = 0.0
    private var lastEast: Metres = 0
    private var lastNorth: Metres = 0

    init() {}

    /// So many independent fixes tell the deviation within a fifth.
    private static let independentMin = 15.0
    /// A stand may not show over how long errors are correlated, where others that change faster lie over them.
    private static let correlationMin: Seconds = 30
    /// Where the stand is too short to show it.
    private static let correlationUnknown: Seconds = 120

    mutating func add(_ fix: Fix) {
        let origin = origin ?? fix.position
        self.origin = origin
        let offset = LocalPlane(latitude: origin.latitude).vector(from: origin, to: fix.position)
        count += 1
        sumEast += offset.east
        sumNorth += offset.north
        squares += offset.east * offset.east + offset.north * offset.north
        products += offset.east * lastEast + offset.north * lastNorth
        (lastEast, lastNorth) = (offset.east, offset.north)
    }

    /// The distance of a place from the middle; nil where there is no middle yet.
    func distance(to place: Coordinate) -> Metres? {
        guard let origin else { return nil }
        let offset = LocalPlane(latitude: origin.latitude).vector(from: origin, to: place)
        let middle = Vector(east: sumEast / Double(count), north: sumNorth / Double(count))
        return (offset - middle).length
    }

    /// The sum of the squared distances of the offsets from their middle.
    private var spread: Double {
        max(0, squares - (sumEast * sumEast + sumNorth * sumNorth) / Double(max(1, count)))
    }

    /// On one axis.
    var deviation: Metres { count > 1 ? (spread / Double(2 * (count - 1))).squareRoot() : 0 }

    /// The correlation of neighbours, corrected for its bias in short series: −(1 + 3ρ)/n (Kendall, Note on bias in the
    /// estimation of autocorrelation, Biometrika 41, 1954).
    private var correlation: Double {
        guard spread > 0, count > 1 else { return 0 }
        let number = Double(count)
        let middle = (east: sumEast / number, north: sumNorth / number)
        // Σ (x[i] − m)(x[i−1] − m), where the first offset is 0.
        let ends = middle.east * (2 * sumEast - lastEast) + middle.north * (2 * sumNorth - lastNorth)
        let squaredMiddle = middle.east * middle.east + middle.north * middle.north
        let seen = (products - ends + (number - 1) * squaredMiddle) / spread
        return seen + (1 + 3 * seen) / number
    }

    /// How many independent values a value of the series is worth, `0 ... 1`.
    private var worth: Double { min(1, max(0, (1 - correlation) / (1 + correlation))) }

    /// Whether it is long enough to tell how fixes scatter.
    var isTelling: Bool { Double(count) * worth >= Self.independentMin }

    /// How many independent fixes so many are worth that were taken in some time.
    func independent(_ count: Int, within duration: Seconds) -> Double {
        guard isTelling else { return 1 + duration / (2 * Self.correlationUnknown) }
        return min(Double(count) * worth, 1 + duration / (2 * Self.correlationMin))
    }
}

extension StandStatistics: BinaryRecord {
    static var placeholder: Self { StandStatistics() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&origin)
        try coder.code(&count)
        try coder.code(&sumEast)
        try coder.code(&sumNorth)
        try coder.code(&squares)
        try coder.code(&products)
        try coder.code(&lastEast)
        try coder.code(&lastNorth)
    }
}
