import Fleet
import Geo
import Messages

/// Adds up what a device's receiver and radio did, second by second.
struct EnergyMeter: Equatable {
    let model: EnergyModel
    /// How long the receiver was on, searches for a first fix included.
    private(set) var receiverSeconds: Seconds = 0
    private(set) var messages = 0
    /// How often the radio was woken from idle.
    private(set) var promotions = 0
    /// How long the radio was connected.
    private(set) var connectedSeconds: Seconds = 0
    private var lastLook: Timestamp?
    private var connectedUntil: Timestamp?

    init(_ model: EnergyModel) { self.model = model }

    /// The device wants a fix at this moment, whether it gets one or not. Moments rise.
    mutating func look(at time: Timestamp) {
        let since = lastLook.map { time.since($0) } ?? .infinity
        receiverSeconds += since <= EnergyModel.keptOnFor ? since : EnergyModel.acquisition
        lastLook = time
    }

    /// The device sends a message. Moments rise.
    mutating func send(at time: Timestamp) {
        messages += 1
        let isConnected = connectedUntil.map { time <= $0 } ?? false
        if !isConnected { promotions += 1 }
        let end = time.adding(model.tail)
        connectedSeconds += end.since(isConnected ? connectedUntil ?? time : time)
        connectedUntil = end
    }

    var joules: EnergyModel.Joules {
        receiverSeconds * model.receiver + Double(promotions) * model.promotion + Double(messages) * model.message
            + connectedSeconds * model.tailPower
    }
}

/// The same by the low and by the high figures.
struct EnergyBounds: Equatable {
    private(set) var low = EnergyMeter(.low)
    private(set) var high = EnergyMeter(.high)

    mutating func look(at time: Timestamp) {
        low.look(at: time)
        high.look(at: time)
    }

    mutating func send(at time: Timestamp) {
        low.send(at: time)
        high.send(at: time)
    }
}
