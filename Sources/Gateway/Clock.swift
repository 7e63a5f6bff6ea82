import Fleet
import Foundation
package import Messages

extension Timestamp {
    /// The wall clock. Only adapters read it; the engine is told the time.
    package static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
    }
}

/// Where the gateway takes the time from; a simulation has a time of its own.
package struct GatewayClock {
    /// The time of day, which may be set forward and back.
    package var time: () -> Timestamp
    /// What pauses and turns are measured by.
    package var elapsed: () -> ContinuousClock.Instant

    package init(
        time: @escaping () -> Timestamp = { .now }, elapsed: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.time, self.elapsed) = (time, elapsed)
    }

    func callAsFunction() -> Timestamp { time() }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
