import Fleet
import Geo
import Hashing
import Messages

/// How a phone's system treats an application that wakes in the background: drawn by seed, wake by wake.
struct BackgroundGrants {
    /// What it leaves an application that has woken.
    struct Grant: Equatable {
        /// How long it may run on.
        var time: Seconds
        /// Whether it is ended once it has done what it woke for.
        var isEnded: Bool
    }

    /// Three minutes, as iOS 7 to 12 granted.
    static let usual: Seconds = 180
    /// When the system is short of memory or battery.
    static let short: Seconds = 20

    private let chances: (short: Double, ending: Double)
    private var random: SplitMix64

    /// - Parameters:
    ///   - short: the chance at each wake of a short time.
    ///   - ending: the chance at each wake that the application is ended after it.
    /// - Precondition: chances are `0 ... 1`.
    init(short: Double = 0, ending: Double = 0, random: SplitMix64 = SplitMix64(seed: 0)) {
        precondition((0...1).contains(short) && (0...1).contains(ending), "chances are from 0 to 1")
        chances = (short, ending)
        self.random = random
    }

    mutating func next() -> Grant {
        let (short, ending) = (random.fraction() < chances.short, random.fraction() < chances.ending)
        return Grant(time: short ? Self.short : Self.usual, isEnded: ending)
    }
}
