import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

struct MovedAddressTests {
    private let engine = Engine(EngineSettings(), network: nil, fences: RegionTests.row(3))

    private func fix(_ region: String, at seconds: Seconds) -> Effects {
        let address = VehicleAddress(vehicle: Dispatcher.truck.vehicle, levels: [region])
        let report = Report.location([Yard.fix(8_900, 0, at: seconds)])
        return engine.handle([.report(report, from: address, receivedAt: .at(seconds))])
    }

    @Test("A vehicle that reports on other levels is told its regions there, all of them, and its state repeats there")
    func told() {
        #expect(fix("north", at: 0).left.isEmpty && fix("north", at: 10).left.isEmpty)
        let before = engine.vehicle(Dispatcher.truck.vehicle)?.published
        let effects = fix("south", at: 20)
        #expect(effects.left.map(\.levels) == [["north"]])
        #expect(effects.envelopes.allSatisfy { $0.address.levels == ["south"] })
        let regions = effects.envelopes.compactMap { envelope in
            if case .regions(let message) = envelope.message { message } else { nil }
        }
        #expect(regions.map(\.version) == [2] && regions.first?.added.count == 3)
        #expect(effects.envelopes.first.map(\.message) == before.map(Message.state))
    }
}
