import Fleet
import Foundation
import Geo
import Messages
import PostgreSQLTestSupport
import Store
import Testing

/// A fleet that is divided into shards is told what one is that is not.
struct ShardEndToEndTests {
    private static let drive = BridgeDrive(vehicles: 200)

    /// How a gateway is ended under load, and where its store is.
    struct Case: Sendable, CustomTestStringConvertible {
        var shards: Int
        var isKilled = false
        var isInPostgreSQL = false

        var testDescription: String {
            "\(shards) shards\(isInPostgreSQL ? " in PostgreSQL" : "")\(isKilled ? ", killed three times" : "")"
        }
    }

    @Test(
        "Vehicles with fences and low bridges are told the same by as many shards as there may be, each in order",
        .timeLimit(.minutes(5)),
        arguments: [
            Case(shards: 2), Case(shards: 4, isKilled: true), Case(shards: 2, isKilled: true, isInPostgreSQL: true),
        ])
    func same(_ divided: Case) async throws {
        let address = divided.isInPostgreSQL ? try PostgreSQLServer.shared.get().newSchema() : nil
        let whole = try await DepotScene()
        let parts = try await DepotScene(
            store: address.map { #"{url: "\#($0.url)"}"# }, more: "engine: {shards: \(divided.shards)}")
        // Until the last are published the first are less than a minute old, and before that none is a minute ahead.
        let fixes = DepotScene.drive(60, age: -40)
        for scene in [whole, parts] { try await FleetSpeaker.publish(Self.drive.beginning(), port: scene.broker.port) }
        for (number, fix) in fixes.enumerated() {
            let messages = Self.drive.vehicles.map {
                FleetSpeaker.Message(topic: whole.topic($0, "location"), payload: fix.json)
            }
            for scene in [whole, parts] { try await FleetSpeaker.publish(messages, port: scene.broker.port) }
            guard divided.isKilled, [15, 30, 45].contains(number) else { continue }
            try await parts.gateway.stop(SIGKILL)
            try parts.gateway.launch()
        }
        let (expected, said) = (
            try await Self.drive.said(to: whole.listener), try await Self.drive.said(to: parts.listener)
        )
        #expect(Set(said.keys) == Set(expected.keys))
        for vehicle in Self.drive.vehicles {
            #expect(said[vehicle].map(Set.init) == expected[vehicle].map(Set.init), "\(vehicle)")
            #expect(BridgeDrive.isInOrder(said[vehicle] ?? []), "\(vehicle): \(said[vehicle] ?? [])")
        }
        // All but each tenth are too tall for the bridge.
        #expect(expected.values.joined().count { $0.kind == "alert" } >= Self.drive.vehicles.count / 10 * 9)
        #expect(expected.values.joined().count { $0.kind == "event" } >= 2 * Self.drive.vehicles.count)
        let began = ContinuousClock.now
        for scene in [whole, parts] { #expect(try await scene.gateway.stop().status == 0) }
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    @Test("A store that was made for another number of shards ends the start with exit 1 and what to set")
    func otherNumber() async throws {
        let scene = try await DepotScene(more: "engine: {shards: 2}")
        try await scene.enter("T1", "T2")
        #expect(try await scene.gateway.stop().status == 0)
        let other = try GatewayProcess(
            scene.scratch, broker: scene.broker.url, roads: nil, name: "other", store: "gateway.sqlite")
        try other.launch()
        #expect(try await other.end(within: .seconds(20)).status == 1)
        #expect(other.errors.contains("expected 1 shards, got 2; set `engine.shards: 2`"))
    }

    @Test("A part that is missing ends the start with exit 1 and its name; so does doctor, and neither makes it")
    func missingPart() async throws {
        let scene = try await DepotScene(more: "engine: {shards: 3}")
        #expect(try await scene.gateway.stop().status == 0)
        let part = StoreLocation.file(scene.store, shard: 2)
        try FileManager.default.moveItem(atPath: part, toPath: part + ".away")
        try scene.gateway.launch()
        #expect(try await scene.gateway.end(within: .seconds(20)).status == 1)
        #expect(scene.gateway.errors.contains("its part \(part) is missing"), "\(scene.gateway.errors)")
        let doctor = try await scene.headroom("doctor", "--listen", "0 s", "--timeout", "5 s")
        #expect(doctor.status == 1 && doctor.output.contains("its part \(part) is missing"), "\(doctor)")
        #expect(!FileManager.default.fileExists(atPath: part))
    }

    @Test("Console, history, track and forget know the vehicles of every shard")
    func wholeFleet() async throws {
        let scene = try await DepotScene(more: "engine: {shards: 2}\nprivacy: {keep_positions: 1 d}")
        let vehicles = ["T1", "T2", "T3", "T4"]
        for vehicle in vehicles { try await scene.upload(DepotScene.drive(), of: vehicle) }
        try await eventually(within: .seconds(20), "not all are inside") { vehicles.allSatisfy(scene.isInside) }
        let list = try await scene.gateway.get("/api/v1/vehicles").body
        let history = try await scene.gateway.get("/api/v1/events").body
        for vehicle in vehicles {
            #expect(list.contains("\"\(vehicle)\"") && history.contains("\"\(vehicle)\""))
            #expect(try await scene.gateway.get("/api/v1/vehicles/\(vehicle)/explain").status == 200)
            #expect(try await scene.headroom("track", vehicle).output.contains("42.28"))
        }
        #expect(try await scene.headroom("backup", scene.scratch.path("copy.sqlite")).status == 0)
        #expect(try StoreReader(path: scene.scratch.path("copy.sqlite")).parts().count == 2)
        try await scene.gateway.stop()
        for vehicle in vehicles {
            #expect(try await scene.headroom("forget", vehicle).status == 0)
            let left = try StoreReader(path: scene.store).storedData(of: VehicleID(vehicle)!) { _ in true }
            #expect(left.isNothing, "\(left)")
        }
    }
}
