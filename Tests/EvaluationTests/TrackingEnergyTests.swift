import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Evaluation
@testable import Fleet

/// What receiver and radio cost, by the measurements that the model names.
struct TrackingEnergyTests {
    private func receiver(_ looks: [Seconds]) -> Seconds {
        var meter = EnergyMeter(.high)
        for look in looks { meter.look(at: .at(look)) }
        return meter.receiverSeconds
    }

    private func radio(_ messages: [Seconds]) -> EnergyMeter {
        var meter = EnergyMeter(.high)
        for message in messages { meter.send(at: .at(message)) }
        return meter
    }

    @Test(
        "The receiver stays on between fixes at most 10 s apart, else it searches 5 s for each",
        arguments: [
            ([], 0), ([0], 5), ((0...100).map { Seconds($0) }, 105),
            (Array(stride(from: 0, through: 100, by: 10)), 105),
            (Array(stride(from: 0, through: 110, by: 11)), 55), ([0, 1, 2, 60, 61], 13),
        ] as [([Seconds], Seconds)])
    func receiver(looks: [Seconds], on: Seconds) {
        #expect(receiver(looks) == on)
    }

    @Test(
        "The radio is woken once for all messages in one tail of 12 s, and stays connected until one tail after the last",
        arguments: [
            ([], 0, 0), ([0], 1, 12), ([0, 5], 1, 17), ([0, 60], 2, 24), ([0, 10, 20, 30], 1, 42), ([0, 12.5], 2, 24),
        ] as [([Seconds], Int, Seconds)])
    func radio(messages: [Seconds], promotions: Int, connected: Seconds) {
        let meter = radio(messages)
        #expect(meter.messages == messages.count)
        #expect(meter.promotions == promotions)
        #expect(abs(meter.connectedSeconds - connected) < 1e-9)
    }

    @Test("One message out of silence costs 2.65 to 15.2 J, most of it to stay connected")
    func message() {
        var energy = EnergyBounds()
        energy.send(at: .at(0))
        #expect(abs(energy.low.joules - (0.1 + 0.05 + 5 * 0.5)) < 1e-9)
        #expect(abs(energy.high.joules - (0.4 + 0.4 + 12 * 1.2)) < 1e-9)
    }

    @Test("An hour of a fix a second costs 4.6 to 12.2 % of 15 Wh")
    func hour() {
        var energy = EnergyBounds()
        for second in 0..<3600 {
            energy.look(at: .at(Seconds(second)))
            energy.send(at: .at(Seconds(second)))
        }
        #expect(abs(energy.low.joules - (3604 * 0.143 + 0.1 + 3600 * 0.05 + 3604 * 0.5)) < 0.01)
        #expect(abs(energy.high.joules - (3604 * 0.227 + 0.4 + 3600 * 0.4 + 3611 * 1.2)) < 0.01)
        let percent = [energy.low, energy.high].map { $0.joules / EnergyModel.battery * 100 }
        #expect(abs(percent[0] - 4.6) < 0.1 && abs(percent[1] - 12.2) < 0.1)
    }
}
