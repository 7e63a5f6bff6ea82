import Broker

/// Tells from the events that a publication may be why the broker ends connections.
///
/// Under MQTT 3.1.1 a broker refuses a publication by ending the connection. libmosquitto sends what is under way again ahead of
/// anything else, so that from then on the broker ends each connection before it answers the subscriptions.
struct UnansweredConnections {
    /// So many in a row are the work of a publication. A broker that starts may end one or two.
    static let limit = 3

    private var isAnswered = false
    private var count = 0

    /// Takes in an event.
    ///
    /// - Parameters:
    ///   - underWay: how many publications are.
    ///   - isAlone: whether one at a time is sent, so that this one may be it, however far the connection had come.
    mutating func isReason(for event: BrokerEvent, underWay: Int, isAlone: Bool) -> Bool {
        switch event {
        case .connected: isAnswered = false
        case .subscribed: isAnswered = true
        // Who writes while the broker closes is told otherwise than who reads.
        case .lost(let error) where error.code != .keepAlive: return ended(underWay, isAlone)
        case .disconnected(let reason) where reason != .sessionTakenOver: return ended(underWay, isAlone)
        case .lost, .disconnected, .refused, .unreachable: count = 0
        case .published, .retainedRead: break
        }
        return false
    }

    private mutating func ended(_ underWay: Int, _ isAlone: Bool) -> Bool {
        count = underWay > 0 && !isAnswered ? count + 1 : 0
        guard underWay > 0, isAlone || count >= Self.limit else { return false }
        count = 0
        return true
    }
}
