import MQTT

/// The publications that are under way, by id.
struct Window {
    /// Publications of QoS 1 and 2. libmosquitto keeps them through a reconnection and sends them again, by the same
    /// ids.
    private(set) var unacknowledged: Set<Int32> = []
    /// Publications of QoS 0 that are not yet written. They are gone with the connection.
    private var unwritten: Set<Int32> = []

    var isFull: Bool { unacknowledged.count + unwritten.count >= Limits.unacknowledged }

    mutating func open(_ id: Int32, _ qos: QoS) {
        if qos == .atMostOnce {
            unwritten.insert(id)
        } else {
            unacknowledged.insert(id)
        }
    }

    mutating func close(_ id: Int32) {
        if unacknowledged.remove(id) == nil { unwritten.remove(id) }
    }

    mutating func connectionEnded() { unwritten.removeAll() }
}
