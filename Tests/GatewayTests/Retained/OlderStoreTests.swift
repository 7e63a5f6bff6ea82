import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Hashing
import MQTT
import Messages
import Store
import Testing

@testable import Gateway

@Suite("A store that is older than the session that the broker keeps, or does not know it")
struct OlderStoreTests {
    private struct Alert: Decodable {
        struct Clearance: Decodable { var height: Double }

        var vehicle_height: Double
        var clearance: Clearance
    }

    private struct Regions: Decodable {
        struct Region: Decodable { var id: String }

        var regions: [Region]
    }

    /// What has become of the store while the gateway was down.
    enum Restored: CaseIterable {
        /// A copy that `headroom backup` has made takes its place.
        case backup
        /// Its files are as they were: copied by other means, or those of before a move.
        case files
        /// There is none.
        case nothing
    }

    private static func profile(_ height: Metres, of vehicle: String = "T1") -> Script.Message {
        Script.retained("fleet/\(vehicle)/profile", #"{"height": \#(height), "source": "driver"}"#)
    }

    private static func report(_ vehicle: String, east: Metres, at time: Seconds) -> Script.Message {
        Script.location(
            vehicle, Fix(position: Drawing.place(east, 0), time: .at(time), accuracy: 5, speed: 15, course: 90))
    }

    /// A truck that fits, and one that says nothing of consent.
    private static let earlier =
        [Script.bridge(5), profile(3)] + ["T1", "T2"].map { report($0, east: 3_100, at: -100) }
    /// The truck is too tall, its road is too low, it is in a fence, and the other one refuses.
    private static let later = [
        Script.bridge(4), profile(4.2), Script.fence("later", east: 4_600, ""),
        Script.retained("fleet/T2/consent", #"{"status": "denied"}"#),
    ]
    private static let reports = ["T1", "T2"].map { report($0, east: 4_600, at: 0) }

    private static func paths(_ path: String, _ shards: Int) -> [String] {
        (0..<shards).map { StoreLocation.file(path, shard: $0) }
    }

    /// The broker has `later`, and the store `earlier`; the gateway is started, and has not connected.
    ///
    /// - Parameter messages: come while it is down.
    private static func restored(
        _ restored: Restored, shards: Int, logger lines: LogLines = LogLines(),
        earlier: [Script.Message] = earlier, later: [Script.Message] = later, _ messages: [Script.Message]
    ) throws -> PipelineRun {
        let run = try PipelineRun(shards: shards, logger: lines.logger())
        try run.take(earlier, at: .at(-99))
        // A second later at the earliest the broker has the mark of it.
        for time: Seconds in [-60, -50] { try run.take([], at: .at(time)) }
        let copy = run.storePath + "-copy"
        let (parts, copies) = (paths(run.storePath, shards), paths(copy, shards))
        switch restored {
        case .backup: for (part, copy) in zip(parts, copies) { _ = try StoreCopy(of: part, to: copy) }
        case .files:
            try run.kill { _ in
                for (part, copy) in zip(parts, copies) { try FileManager.default.copyItem(atPath: part, toPath: copy) }
            }
        case .nothing: break
        }
        try run.take(later, at: .at(-30))
        for (time, presence) in [(-20, "online"), (-18, "offline")] {
            try run.take([Script.retained("fleet/T1/presence", presence)], at: .at(Seconds(time)))
        }
        try run.kill { _ in
            for (part, copy) in zip(parts, copies) {
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: part + suffix) }
                if restored != .nothing { try FileManager.default.moveItem(atPath: copy, toPath: part) }
            }
            for message in messages { run.broker.publish(message.topic, message.payload, retain: message.isRetained) }
        }
        return run
    }

    private static func check(_ run: PipelineRun, since count: Int) throws {
        try run.take([], at: .at(50))
        let alerts = try run.outputs(Alert.self, "/T1/alert", after: count)
        #expect(!alerts.isEmpty && alerts.allSatisfy { $0.vehicle_height == 4.2 && $0.clearance.height == 4 })
        let regions = try run.outputs(Regions.self, "/T1/regions", after: count).last
        #expect(regions?.regions.contains { $0.id == "later" } == true)
        let ofRefused = run.broker.published[count...]
            .filter { $0.topic.hasPrefix("fleet/T2/") && !$0.topic.hasSuffix("/request") }
        #expect(ofRefused.allSatisfy { $0.payload.isEmpty }, "\(ofRefused.map(\.topic))")
        #expect(run.broker.retained[BytewiseText("fleet/T2/state")] == nil)
    }

    @Test(
        "What the broker retains is in force before positions are judged, also those that have waited at the broker",
        arguments: [.backup, .nothing] as [Restored], [1, 3])
    func waited(restored: Restored, shards: Int) throws {
        let run = try Self.restored(restored, shards: shards, Self.reports)
        let count = run.broker.published.count
        try run.take([], at: .at(0.4))
        try Self.check(run, since: count)
    }

    @Test("So are those of a fleet that has sent for a minute: none is judged by what the copy has, and none is lost")
    func fleet() throws {
        let vehicles = (0..<120).map { "V\($0)" }
        let count = 100
        // With the earlier heights all would be warned.
        let earlier = vehicles.flatMap { [Self.profile(4.2, of: $0), Self.report($0, east: 1_200, at: -100)] }
        let reports = (0..<count).flatMap { number in
            vehicles.map { Self.report($0, east: 3_600 + 7.5 * Metres(number), at: 0.5 * Seconds(number - count)) }
        }
        let run = try Self.restored(
            .backup, shards: 1, earlier: [Script.bridge(4)] + earlier, later: vehicles.map { Self.profile(3, of: $0) },
            reports)
        let publishedBefore = run.broker.published.count
        try run.take([], at: .at(0.4))
        #expect(try run.outputs(Alert.self, "/alert", after: publishedBefore).isEmpty)
        #expect(run.shared.metrics.fixes.value == vehicles.count * count)
    }

    @Test("After whichever pass the gateway is killed, it has all of it then", arguments: Restored.allCases, 1...8)
    func killed(restored: Restored, passes: Int) throws {
        let run = try Self.restored(restored, shards: 1, [])
        let count = run.broker.published.count
        try run.go([], at: .at(-10), passes: passes)
        try run.kill()
        try run.take([], at: .at(-5))
        try run.take(Self.reports, at: .at(0.4))
        try Self.check(run, since: count)
    }

    @Test(
        "A profile that is taken back behind fixes that wait is taken back, also after a kill",
        arguments: [false, true]
    )
    func withdrawnBehindFixes(isKilled: Bool) throws {
        let run = try PipelineRun()
        try run.take(Self.earlier, at: .at(-99))
        run.broker.endSession()
        // So that nobody knows what the broker sends by itself.
        run.broker.denies = { !$0.topic.hasPrefix("fleet/") }
        try run.kill()
        try run.take([], at: .at(-50))
        let fix = Self.report("T1", east: 3_000, at: -49)
        try run.take([fix, Script.retained("fleet/T1/profile", "")], at: .at(-49))
        func profile() throws -> HeightProfile? {
            var all: [StoredVehicle] = []
            try run.store.loadVehicles { all.append($0) }
            return try all.first { $0.address.vehicle.text == "T1" }?.vehicle().profile
        }
        #expect(try profile() != nil, "it waits behind the fix")
        run.broker.denies = { _ in false }
        if isKilled { try run.kill() }
        for time: Seconds in [-48, -30, -10, 200] { try run.take([], at: .at(time)) }
        #expect(try profile() == nil)
    }

    @Test("A store that was brought back otherwise is known by the marks at the broker", arguments: [1, 3])
    func marks(shards: Int) throws {
        let lines = LogLines()
        let run = try Self.restored(.files, shards: shards, logger: lines, [])
        let count = run.broker.published.count
        try run.take([], at: .at(-1))
        try run.take(Self.reports, at: .at(0.4))
        try Self.check(run, since: count)
        #expect(lines.all.count { $0.contains("is older than the session") } == shards)
        // The marks go on from there.
        try run.kill()
        try run.take([], at: .at(60))
        #expect(lines.all.count { $0.contains("is older than the session") } == shards)
    }

    @Test("A gateway that goes on with its own store asks for nothing", arguments: CrashPoint.allCases)
    func own(crash: CrashPoint) throws {
        let lines = LogLines()
        let run = try PipelineRun(logger: lines.logger())
        for second in 0..<20 {
            let profile = Self.profile(3 + Double(second) / 100)
            try run.take([profile], at: .at(Seconds(second)), crash: second > 0 ? crash : nil)
        }
        #expect(!lines.all.contains { $0.contains("older than the session") || $0.contains("may lack") })
        #expect(!lines.all.contains { $0.contains("earlier state") })
    }
}
