import Fleet
import Foundation
import Geo
import Messages
import Store
import Testing

/// `headroom backup`: a gateway that starts on the copy goes on where the copy was made.
struct BackupEndToEndTests {
    private func entries(_ path: String, before time: Timestamp? = nil) throws -> [HistoryEntry] {
        let page = try StoreReader(path: path).history(to: time, limit: 100_000)
        #expect(page.next == nil)
        return page.entries
    }

    @Test(
        "A copy made under load has the open alerts, the fences and the history of the gateway",
        .timeLimit(.minutes(6)))
    func underLoad() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        let drive = Array(try DemoTruck().drive(from: Timestamp.now.adding(-43)))
        let here = drive[40].position
        let fence = """
            {"type": "Feature", "id": "here", "properties": {"radius": 5000},
             "geometry": {"type": "Point", "coordinates": [\(here.longitude), \(here.latitude)]}}
            """
        let more = "fixes: {reorder: 1 s}"
        let first = try GatewayProcess(scratch, broker: broker.url, roads: roads, name: "first", more: more)
        let listener = try await broker.listener(["fleet/T42/#", "headroom/fences/here/result"])
        try await first.start()
        try await broker.publish("headroom/fences/here", fence, retain: true)
        try await broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        for fix in drive[38...41] { try await broker.publish("fleet/T42/location", fix.json) }
        try await eventually(within: .seconds(15), "\(listener.heard.map(\.payload))") {
            let state = listener.heard("fleet/T42/state").last?.object
            return (state?["alerts"] as? [Any])?.count == 1 && (state?["fences"] as? [Any])?.count == 1
        }
        let known = try #require(listener.heard("fleet/T42/state").last?.object)

        // Each of these changes a vehicle's state, which is committed and published.
        let load = try (0..<4).map { try broker.speaker("fleet/L\($0)/presence") }
        let copy = scratch.path("copy.sqlite")
        let backup = try ChildProcess(
            Repository.program, ["backup", "--config", first.configuration, copy], scratch, name: "backup")
        var number = 0
        while backup.isRunning {
            for client in load { try client.write(line: number.isMultiple(of: 2) ? "online" : "offline") }
            number += 1
        }
        #expect(number > 10)
        let ending = try await backup.end(within: .seconds(10))
        #expect(ending.status == 0, "\(backup.errors)")
        #expect(backup.output.contains("checked") && backup.output.contains("vehicle"), "\(backup.output)")
        #expect(!(try entries(copy).isEmpty))
        #expect(try entries(copy) == entries(scratch.path("first.sqlite")))
        try await first.stop()

        let second = try GatewayProcess(
            scratch, broker: broker.url, roads: roads, name: "second", store: "copy.sqlite", more: more)
        try await second.start()
        let before = listener.heard.count
        for fix in drive[42...43] { try await broker.publish("fleet/T42/location", fix.json) }
        try await broker.publish("fleet/T42/presence", "offline")
        try await eventually(within: .seconds(10), "no state of the second gateway") {
            listener.heard("fleet/T42/state").last?.object?["presence"] as? String == "offline"
        }
        let state = try #require(listener.heard("fleet/T42/state").last?.object)
        func alerts(_ state: [String: Any]) -> [String?] {
            (state["alerts"] as? [[String: Any]] ?? []).map { "\($0["id"] ?? 0) \($0["sequence"] ?? 0)" }
        }
        #expect(alerts(state) == alerts(known))
        #expect(state["fences"] as? NSArray == known["fences"] as? NSArray)
        // Nothing is determined, raised or answered a second time.
        let said = Set(listener.heard.dropFirst(before).map(\.topic))
        #expect(said.isSubset(of: ["fleet/T42/state", "fleet/T42/location", "fleet/T42/presence"]), "\(said)")
        try await second.stop()
    }

    @Test(
        "A copy that is there is replaced with --force alone, no other file is; a missing store is asked for wrongly")
    func usage() async throws {
        let scratch = try Scratch()
        let config = try scratch.write("store: kept.sqlite\n", to: "headroom.yaml")
        let out = try scratch.write("mine", to: "copy.sqlite")
        func backup(_ options: String...) async throws -> (Int32?, String) {
            let result = try await run(Repository.program, ["backup", "--config", config] + options + [out], scratch)
            return (result.status, result.errors)
        }
        #expect(try await backup().0 == 2)
        try Store(path: scratch.path("kept.sqlite")).close()
        let refused = try await backup()
        #expect(refused.0 == 2 && refused.1.contains("--force"), "\(refused)")
        let noStore = try await backup("--force")
        #expect(noStore.0 == 1 && noStore.1.contains("a file that is no store"), "\(noStore)")
        #expect(scratch.text("copy.sqlite") == "mine")
        try FileManager.default.removeItem(atPath: out)
        #expect(try await backup().0 == 0)
        #expect(try await backup().0 == 2)
        #expect(try await backup("--force").0 == 0)
        #expect(try StoreReader(path: out).history(limit: 1).entries.isEmpty)
        let onItself = try await run(
            Repository.program, ["backup", "--config", config, "--force", scratch.path("kept.sqlite")], scratch)
        #expect(onItself.status == 1 && onItself.errors.contains("the store itself"), "\(onItself.errors)")
    }
}
