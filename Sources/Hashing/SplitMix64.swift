import func Foundation.log

/// SplitMix64 (Steele, Lea and Flood, 2014): the same seed gives the same numbers on every machine.
///
/// `fraction()`, `index(below:)` and `gaussian()` are defined here, since the standard library's ways of drawing may change
/// between versions.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// What each number adds to the state.
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    public init(seed: UInt64) { state = seed }

    /// One of many independent generators of one seed: it is seeded by the `stream`th number of that seed's sequence, which
    /// is found without drawing those before.
    public init(seed: UInt64, stream: Int) {
        var generator = SplitMix64(seed: seed &+ UInt64(bitPattern: Int64(stream)) &* Self.step)
        state = generator.next()
    }

    /// Sixty-four random bits.
    public mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mix(state)
    }

    /// The finalizer: each bit of `value` changes about half of the result's bits.
    public static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// `0 ..< 1`
    public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// `0 ..< count`; each as likely as any other to within 2⁻⁶⁴ · `count`.
    ///
    /// - Precondition: `count` is positive.
    public mutating func index(below count: Int) -> Int {
        precondition(count > 0, "count must be positive, got \(count)")
        return Int(next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// Normally distributed with mean 0 and deviation 1: Marsaglia's polar method, one of its two values.
    public mutating func gaussian() -> Double {
        while true {
            let (x, y) = (2 * fraction() - 1, 2 * fraction() - 1)
            let square = x * x + y * y
            if square > 0 && square < 1 { return x * (-2 * log(square) / square).squareRoot() }
        }
    }
}
