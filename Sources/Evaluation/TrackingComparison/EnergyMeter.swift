import Fleet
import Geo

/// Adds up what a device's receiver and radio did, second by second.
struct EnergyMeter: Equatable {
    /// How long the receiver was on, searches for a first fix included.
    private(set) var receiverSeconds: Seconds = 0
    private(set) var messages = 0
    /// How often the radio was woken from idle.
    private(set) var promotions = 0
    /// How long the radio was connected.
    private(set) var connectedSeconds: Seconds = 0
    private var lastLook: Timestamp?
    private var connectedUntil: Timestamp?

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
        let end = time.adding(EnergyModel.tail)
        connectedSeconds += end.since(isConnected ? connectedUntil ?? time : time)
        connectedUntil = end
    }

    var joules: EnergyModel.Joules {
        receiverSeconds * EnergyModel.receiver + Double(promotions) * EnergyModel.promotion
            + Double(messages) * EnergyModel.transfer * EnergyModel.sending + connectedSeconds * EnergyModel.tailPower
    }
}
