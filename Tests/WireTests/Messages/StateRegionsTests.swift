import Fleet
import Messages
import MQTT
import Testing

@testable import Wire

@Suite("How a device stands to its regions, in the state")
struct StateRegionsTests {
    private func text(_ regions: StateMessage.Regions?) throws -> String {
        var state = StateMessage.example
        state.regions = regions
        let envelope = Envelope(
            address: VehicleAddress(vehicle: try #require(VehicleID("T42"))), message: .state(state))
        let message = WireEncoder().encode(envelope, publishedAt: state.time)
        return String(decoding: try #require(message).payload, as: UTF8.self)
    }

    @Test("A vehicle that was never sent any has no such member")
    func absent() throws {
        #expect(try !text(nil).contains(#""regions""#))
    }

    @Test("What is not confirmed is null, and what could not be watched has its reason")
    func present() throws {
        #expect(
            try text(StateMessage.Regions(version: 7)).hasSuffix(
                #","regions":{"version":7,"acknowledged":null,"failed":[]}}"#))
        let failed = [StateMessage.Regions.Failure(id: "depot-7", reason: "too \"many\"")]
        #expect(
            try text(StateMessage.Regions(version: 8, acknowledged: 7, failed: failed)).hasSuffix(
                #","regions":{"version":8,"acknowledged":7,"failed":[{"id":"depot-7","reason":"too \"many\""}]}}"#))
    }
}
