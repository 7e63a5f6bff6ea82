import func Foundation.exp
import Geo
import Hashing

/// A first-order Gauss-Markov process, sampled at even intervals: normally distributed with mean 0, each value correlated with the one
/// before by exp(−interval / correlation time).
struct GaussMarkovProcess {
    private let deviation: Double
    /// Of two successive values.
    private let correlation: Double
    /// Nil before the first.
    private var value: Double?

    /// - Parameter correlationTime: in which the autocorrelation falls to 1/e; 0: all values are independent.
    /// - Precondition: `interval` is positive, and `correlationTime` is not negative.
    init(deviation: Double, correlationTime: Seconds, interval: Seconds) {
        self.deviation = deviation
        correlation = exp(-interval / correlationTime)
    }

    mutating func next(_ random: inout SplitMix64) -> Double {
        let drawn = deviation * random.gaussian()
        // The first value has the deviation of all others.
        let next = value.map { correlation * $0 + (1 - correlation * correlation).squareRoot() * drawn } ?? drawn
        value = next
        return next
    }
}
