import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Hashing
import Messages
import Store
import Testing

@testable import Gateway

struct IdleStoreTests {
    @Test(
        "A vehicle is forgotten in whichever shard has it, as RabbitMQ distributes by another hash", arguments: [0, 1])
    func forgotten(shard: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "idle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = try GatewayConfiguration.north(store: folder.appending(path: "headroom.sqlite").path)
        let vehicle = VehicleID("T42")!
        let stores = try Store.open(configuration.location, shards: 2)
        let route = "fleet/T42/route"
        _ = try stores[shard].commit(
            StoreBatch(
                time: Timestamp(milliseconds: 1_795_266_000_000), retained: [BytewiseText(route): Array("{}".utf8)]))
        let token = CabToken(
            id: 0, vehicle: vehicle, digest: [1], createdAt: .now, expiresAt: Timestamp.now.adding(3_600))
        _ = try stores[0].add(token, for: SpentCabCode(nonce: [1], expiresAt: token.expiresAt))
        for store in stores { try store.close() }

        let idle = try IdleStore(configuration)
        let storedData = try idle.forget(vehicle).storedData
        #expect(storedData.inputs == [route] && storedData.phones == 1)
        try idle.close()
        let reader = try StoreReader(configuration.location)
        #expect(try reader.storedData(of: vehicle) { $0 == route }.isNothing)
    }
}
