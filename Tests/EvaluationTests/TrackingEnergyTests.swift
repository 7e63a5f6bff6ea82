import FleetTestSupport
import Geo
import Testing

@testable import Evaluation
@testable import Fleet

/// What receiver and radio cost, by the measurements that the model names.
struct TrackingEnergyTests {
    private func receiver(_ looks: [Seconds]) -> Seconds {
        var meter = EnergyMeter()
        for look in looks { meter.look(at: .at(look)) }
        return meter.receiverSeconds
    }

    private func radio(_ messages: [Seconds]) -> EnergyMeter {
        var meter = EnergyMeter()
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
        "The radio is woken once for all messages in one tail of 11.6 s, and stays connected until one tail after the last",
        arguments: [
            ([], 0, 0), ([0], 1, 11.576), ([0, 5], 1, 16.576), ([0, 60], 2, 23.152), ([0, 10, 20, 30], 1, 41.576),
            ([0, 12], 2, 23.152),
        ] as [([Seconds], Int, Seconds)])
    func radio(messages: [Seconds], promotions: Int, connected: Seconds) {
        let meter = radio(messages)
        #expect(meter.messages == messages.count)
        #expect(meter.promotions == promotions)
        #expect(abs(meter.connectedSeconds - connected) < 1e-9)
    }

    @Test("One message out of silence costs 12.7 J: 0.315 to connect, 0.129 to send, 12.27 to stay")
    func message() { #expect(abs(radio([0]).joules - 12.7142) < 0.0001) }

    @Test("An hour of a fix a second costs 515 J of GPS and 4,281 J of radio: 8.9 % of 15 Wh")
    func hour() {
        var meter = EnergyMeter()
        for second in 0..<3600 {
            meter.look(at: .at(Seconds(second)))
            meter.send(at: .at(Seconds(second)))
        }
        #expect(abs(meter.joules - (3604 * 0.1431 + 0.3149 + 3600 * 0.128804 + 3610.576 * 1.06)) < 0.01)
        #expect(abs(meter.joules / EnergyModel.battery - 0.089) < 0.001)
    }
}
