import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Hashing
import Messages
import Store
import Testing
import Wire

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

    private func history(_ rows: String) throws -> HazardHistory {
        try HazardHistory(text: "place,clearance,passes,besides\n\(rows)\n")
    }

    @Test("What is imported is in force in every part of a store, and counts once in the sum of what they counted")
    func imported() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "idle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = try GatewayConfiguration.north(store: folder.appending(path: "headroom.sqlite").path)
        var stores = try Store.open(configuration.location, shards: 2)
        for (store, rows) in zip(stores, ["1f,0,4,0", "1f,0,2,0\n2f,0,1,0"]) {
            let counts = try history(rows).encoded()
            _ = try store.commit(StoreBatch(time: .now, passages: [.inForce: counts]))
            try store.close()
        }

        let idle = try IdleStore(configuration)
        #expect(try idle.add(HazardHistory()).text == history("1f,0,6,0\n2f,0,1,0").text)
        let sum = try history("1f,0,14,0\n2f,0,1,0").text
        #expect(try idle.add(history("1f,0,8,0")).text == sum)
        #expect(try idle.add(HazardHistory()).text == sum)
        try idle.close()

        stores = try Store.open(configuration.location, shards: 2)
        for (store, rows) in zip(stores, ["1f,0,12,0", "1f,0,10,0\n2f,0,1,0"]) {
            let counts = try #require(try store.loadPassages(.inForce))
            #expect(try HazardHistory(encoded: counts).text == history(rows).text)
            try store.close()
        }
    }

    @Test("A vehicle is forgotten under each pattern that the store knows of")
    func formerPatterns() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "idle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = try GatewayConfiguration.north(store: folder.appending(path: "headroom.sqlite").path)
        configuration.pattern = try TopicPattern("acme/{region}/{v}")
        let profile = "fleet/T42/profile"
        let store = try Store(configuration.location)
        _ = try store.commit(
            StoreBatch(
                time: Timestamp(milliseconds: 1_795_266_000_000),
                retained: [BytewiseText(profile): Array(#"{"height": 4}"#.utf8)],
                meta: [TopicPatterns.storeKey: "fleet/{v}"]))
        try store.close()

        let idle = try IdleStore(configuration)
        let (storedData, topics) = try idle.forget(try #require(VehicleID("T42")))
        try idle.close()
        #expect(storedData.inputs == [profile])
        let topicSuffixes = ["state", "regions", "tracking", "handling", "profile", "route", "presence"]
        #expect(topics.sorted() == topicSuffixes.map { "fleet/T42/\($0)" }.sorted())
        let reader = try StoreReader(configuration.location)
        #expect(try TopicPatterns(configuration.pattern, in: reader).former == [.standard])
        #expect(try Store(configuration.location).retainedTopics().isEmpty)
    }
}
