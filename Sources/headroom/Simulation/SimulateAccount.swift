import Broker
import Fleet
import Geo
import Messages
import MQTT

/// What became of the fixes of simulated trucks.
struct SimulateAccount {
    let qos: QoS
    private(set) var sent = 0
    /// With QoS 0 written to the connection, which is all that is known of them.
    private(set) var acknowledged = 0
    /// Due by the end, and never sent: there was no connection to send them over.
    var unsent = 0
    /// How long after it was taken a fix was sent at the latest.
    private(set) var lateness: Seconds = 0
    private var outstanding: Set<Int32> = []

    init(qos: QoS) { self.qos = qos }

    /// Sent, and neither acknowledged nor refused.
    var lost: Int { sent - acknowledged }
    var isComplete: Bool { lost == 0 && unsent == 0 }
    var isSettled: Bool { outstanding.isEmpty }

    /// - Parameter late: how long after it was taken.
    mutating func send(_ id: Int32, late: Seconds) {
        sent += 1
        lateness = max(lateness, late)
        outstanding.insert(id)
    }

    /// The broker has a publication, which may be none of a fix.
    mutating func acknowledge(_ id: Int32) {
        if outstanding.remove(id) != nil { acknowledged += 1 }
    }

    /// What was not yet written at QoS 0 is gone; libmosquitto keeps the rest and sends it again.
    mutating func connectionEnded() {
        if qos == .atMostOnce { outstanding = [] }
    }

    func summary(of trucks: Int, after seconds: Seconds) -> String {
        let rate = seconds > 0 ? Double(sent) / seconds : 0
        let answered = qos == .atMostOnce ? "written (QoS 0 is not acknowledged)" : "acknowledged"
        return """
            \(trucks) trucks, \(sent) fixes in \(Int(seconds.rounded())) s: \(decimal(rate)) a second, \
            \(acknowledged) \(answered), \(lost) lost, \(unsent) not sent; at most \(decimal(lateness)) s late
            """
    }
}

/// With a decimal where it says something.
func decimal(_ value: Double) -> String {
    value >= 100 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
}
