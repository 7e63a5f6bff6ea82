import Fleet
import Foundation
import Geo
import Hashing
import Messages
import MQTT
import Store
import Testing

@Suite(.eachDatabase) struct StoredDataTests {
    @Test("What is held about a vehicle is counted, by the gateway and beside it; what only looks like it is not")
    func storedData() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let kept = try ["T4", "T42"].map { try vehicle($0, levels: ["north"]) }
        let id = kept[1].address.vehicle
        let messages = ["acme/north/T42/alert", "acme/north/T42/alert", "acme/south/T42/state", "acme/T42/T4/alert"]
        _ = try store.commit(
            StoreBatch(
                time: noon, changed: kept, outbox: messages.map { OutboxMessage(topic: $0, payload: [1]) },
                retained: ["acme/south/T42/route": [1], "acme/north/T4/route": [1], "headroom/fences/T42": [1]],
                history: [entry("a", of: "T42", .alert, at: 0), entry("b", of: "T4", .alert, at: 0)],
                positions: (0..<3).map { second in
                    TrackPoint(
                        vehicle: id,
                        fix: Fix(position: Coordinate(latitude: 1, longitude: 1), time: noon.adding(Double(second))))
                }))
        _ = try store.add(
            CabToken(id: 0, vehicle: id, digest: [1], createdAt: noon, expiresAt: noon.adding(60)),
            for: SpentCabCode(nonce: [1], expiresAt: noon.adding(60)))
        let concerns = { (topic: String) in topic.hasPrefix("acme/") && topic.split(separator: "/")[2] == "T42" }
        let held = try store.storedData(of: id, where: concerns)
        #expect(held == (try StoreReader(place.location).storedData(of: id, where: concerns)))
        #expect(held.state == kept[1])
        #expect(held.history == 1 && held.positions == 3)
        #expect(held.unsent == ["acme/north/T42/alert": 2, "acme/south/T42/state": 1])
        #expect(held.inputs == ["acme/south/T42/route"])
        #expect(held.phones == 1 && held.untaken == 0)
        #expect(!held.isNothing && !StoredDataSummary(phones: 1).isNothing && !StoredDataSummary(untaken: 1).isNothing)
        #expect(try store.storedData(of: try #require(VehicleID("T9"))) { _ in true }.isNothing)
    }

    @Test("Topics that differ in the bytes of another level alone are counted apart")
    func spellings() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let topics = ["acme/K\u{FC}hl/T42/state", "acme/Ku\u{308}hl/T42/state"]
        _ = try store.commit(
            StoreBatch(
                time: noon, outbox: topics.map { OutboxMessage(topic: $0, payload: [1]) },
                retained: [BytewiseText(topics[0]): [1], BytewiseText(topics[1]): [2]]))
        let held = try StoreReader(place.location).storedData(of: try #require(VehicleID("T42"))) { _ in true }
        #expect(held.unsent == [BytewiseText(topics[0]): 1, BytewiseText(topics[1]): 1])
        #expect(held.inputs.count == 2)
    }
}
