/// Tells from the events that another client uses the same id, where the broker does not say so.
///
/// MQTT 5 has a reason code for it (`ReasonCode.sessionTakenOver`), but Mosquitto 2.0.11 closes the older connection
/// without a word, as it must under MQTT 3.1.1. Two clients that connect again then throw each other out in turn: each
/// connection is accepted, and ends when the other client's first pause (`Backoff`) is over, after about a second. A network that cuts
/// connections does so at times of its own: five in a row within five seconds each are hardly ever its work.
package struct SessionTakeover: Sendable {
    private let short: Duration
    private let limit: Int
    private var connectedAt: ContinuousClock.Instant?
    private var shortConnections = 0

    /// Suspects a rival after `limit` connections in a row that the broker closed within `short` of accepting them.
    package init(short: Duration = .seconds(5), limit: Int = 5) {
        precondition(limit > 0, "expected a limit over 0")
        self.short = short
        self.limit = limit
    }

    /// Takes in an event; true once there must be a rival, so that to connect again would be of no use.
    package mutating func isCertain(after event: BrokerEvent, at time: ContinuousClock.Instant) -> Bool {
        switch event {
        case .disconnected(.sessionTakenOver): return true
        case .connected: connectedAt = time
        case .lost(let error) where error.code == .connectionLost && connectedAt.map { time - $0 < short } == true:
            shortConnections += 1
        case .lost, .disconnected, .refused, .unreachable: shortConnections = 0
        case .subscribed, .published, .retainedRead: break
        }
        return shortConnections >= limit
    }
}
