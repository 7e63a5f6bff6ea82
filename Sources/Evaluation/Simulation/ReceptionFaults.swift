import Fleet
import func Foundation.cos
import func Foundation.sin
import Geo
import Hashing
import Messages

/// What goes wrong between satellites, device and radio: silence in tunnels and dead spots, and fixes that are far off.
///
/// Drawn apart from the noise, so that a drive without faults has the fixes that it has with them, and some more.
struct ReceptionFaults {
    /// How long a silence lasts: a tunnel, a dead spot, a device that was put to sleep.
    static let silences: ClosedRange<Seconds> = 20...90
    /// How far off an outlier is: multipath between houses at one end, a wrong radio mast or hot spot at the other.
    static let errors: ClosedRange<Metres> = 100...1_000
    /// The radii that phones report, satellites first, Wi-Fi last; an outlier claims one of them and is far outside.
    static let claims: [Metres] = [5, 10, 30, 65]

    private let gaps: Double
    private let outliers: Double
    private var random: SplitMix64
    /// Since the drive began; the device reports nothing before.
    private var silentUntil: Seconds = 0

    /// - Parameters:
    ///   - gaps: the chance at each fix that silence follows.
    ///   - outliers: the chance of each fix to be far off.
    /// - Precondition: chances are `0 ... 1`.
    init(gaps: Double, outliers: Double, seed: UInt64) {
        precondition((0...1).contains(gaps) && (0...1).contains(outliers), "chances are from 0 to 1")
        self.gaps = gaps
        self.outliers = outliers
        random = SplitMix64(seed: seed)
    }

    func isSilent(at elapsed: Seconds) -> Bool { elapsed < silentUntil }

    /// Displaces a reported fix at random, and decides whether silence follows.
    mutating func apply(to fix: Fix, at elapsed: Seconds) -> Fix {
        let isOutlier = outliers > 0 && random.fraction() < outliers
        let reported = isOutlier ? displaced(fix) : fix
        if gaps > 0 && random.fraction() < gaps { silentUntil = elapsed + random.number(in: Self.silences) }
        return reported
    }

    /// Speed and course stay the true ones: receivers take them from the Doppler shift, not from positions.
    private mutating func displaced(_ fix: Fix) -> Fix {
        let (bearing, error) = (2 * Double.pi * random.fraction(), random.number(in: Self.errors))
        var fix = fix
        fix.position = LocalPlane(latitude: fix.position.latitude).coordinate(
            Vector(east: error * sin(bearing), north: error * cos(bearing)), from: fix.position)
        fix.accuracy = Self.claims[random.index(below: Self.claims.count)]
        return fix
    }
}

extension SplitMix64 {
    fileprivate mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
    }
}
