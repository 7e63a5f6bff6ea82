import Fleet
import Foundation
import Messages
import PostgreSQLTestSupport
import Store
import Testing

/// A gateway whose store is in PostgreSQL.
struct PostgreSQLEndToEndTests {
    private static let vehicles = (1...20).map { "P\($0)" }

    @Test(
        "Killed again and again while a fleet reports, it says what an undisturbed gateway with a file says",
        .timeLimit(.minutes(5)))
    func killed() async throws {
        let fixes = DepotScene.drive(60)
        let whole = try await DepotScene()
        let expected = try await drive(fixes, in: whole)
        try await whole.gateway.stop()
        let address = try PostgreSQLServer.shared.get().newSchema()
        let cut = try await DepotScene(store: #"{url: "\#(address.url)"}"#)
        let said = try await drive(fixes, in: cut) { step in
            guard [15, 30, 45].contains(step) else { return }
            try await cut.gateway.stop(SIGKILL)
            try cut.gateway.launch()
        }
        #expect(said == expected)
        #expect(expected.count >= 2 * Self.vehicles.count)
        #expect(try await cut.gateway.stop().status == 0)
    }

    /// Every vehicle drives through the depot.
    ///
    /// - Returns: the ids and sequences of all events.
    private func drive(
        _ fixes: [Fix], in scene: DepotScene, after step: (Int) async throws -> Void = { _ in }
    ) async throws -> Set<String> {
        let speakers = try Self.vehicles.map { try scene.broker.speaker(scene.topic($0, "location")) }
        for (number, fix) in fixes.enumerated() {
            for speaker in speakers { try speaker.write(line: fix.json) }
            try await step(number)
        }
        func events(_ vehicle: String, _ kind: String) -> [[String: Any]] {
            scene.listener.heard(scene.topic(vehicle, "event")).compactMap(\.object)
                .filter { $0["event"] as? String == kind }
        }
        try await eventually(within: .seconds(90), "not all have left: \(scene.gateway.errors.suffix(800))") {
            Self.vehicles.allSatisfy { !events($0, "exit").isEmpty }
        }
        return Set(
            Self.vehicles.flatMap { vehicle in
                scene.listener.heard(scene.topic(vehicle, "event")).compactMap(\.object)
                    .map { "\($0["id"] ?? "") \($0["sequence"] ?? "") \($0["event"] ?? "")" }
            })
    }

    @Test(
        "While its database is down the gateway stays up and says why it is not ready; nothing is lost",
        .timeLimit(.minutes(3)))
    func crashedDatabase() async throws {
        let server = try PostgreSQLServer()
        let scene = try await DepotScene(store: #"{url: "\#(try server.newSchema().url)"}"#)
        try await scene.enter("T1")
        server.crash()
        try await scene.upload(DepotScene.drive(), of: "T2")
        try await eventually(within: .seconds(30), "it is ready without a store") {
            let answer = try await scene.gateway.get("/readyz")
            return answer.status == 503 && answer.body.contains("the store is not writable: it cannot be reached")
        }
        #expect(try await scene.gateway.get("/healthz").status == 200)
        #expect(!scene.isInside("T2"))
        try server.start()
        try await eventually(within: .seconds(20), "nothing is said about T2") { scene.isInside("T2") }
        try await scene.gateway.becomeReady(within: .seconds(10))
        #expect(try await scene.gateway.stop().status == 0)
    }

    @Test("A gateway whose store another one took over ends with exit 1 and says why", .timeLimit(.minutes(2)))
    func takenOver() async throws {
        let address = try PostgreSQLServer.shared.get().newSchema()
        let scene = try await DepotScene(store: #"{url: "\#(address.url)"}"#)
        try PostgreSQLServer.run("UPDATE shard SET epoch = epoch + 1", at: address)
        try await scene.upload(DepotScene.drive(), of: "T1")
        let ending = try await scene.gateway.end(within: .seconds(30))
        #expect(ending.status == 1)
        #expect(scene.gateway.errors.contains("another gateway took the store \(address) over"))
    }
}
