import Fleet
import Foundation
import Messages

extension Timestamp {
    /// The wall clock. Only adapters read it; the engine is told the time.
    static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
