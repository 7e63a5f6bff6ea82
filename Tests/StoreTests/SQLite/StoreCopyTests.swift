import Fleet
import Foundation
import GRDB
import Hashing
import Messages
import Store
import Synchronization
import Testing
import ThreadTestSupport

@Suite struct StoreCopyTests {
    let place: TemporaryStore
    var out: String { place.directory + "/copy.sqlite" }

    init() throws { place = try TemporaryStore() }

    private func filled() throws -> Store {
        let store = try place.open()
        _ = try store.commit(
            StoreBatch(
                time: noon, changed: try (0..<50).map { try vehicle("V\($0)") }, outbox: [alert("1"), alert("2")],
                retained: ["fleet/A/route": [7]], fences: [KeptFence(id: "yard", digest: 5, serial: 3)],
                history: (0..<200).map { entry("\($0)", of: "A", .event, at: Double($0)) }))
        return store
    }

    private func error(replaces: Bool = false, to path: String? = nil) -> StoreError? {
        #expect(throws: StoreError.self) {
            _ = try StoreCopy(of: place.path, to: path ?? out, replaces: replaces)
        }
    }

    /// What there is beside the original.
    private var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: place.directory)
                .filter { !$0.hasPrefix("headroom.sqlite") }
        }
    }

    @Test("A copy made beside the owner is a store that holds the same, with ids and cursors as they were")
    func same() throws {
        let store = try filled()
        let copy = try StoreCopy(of: place.path, to: out)
        #expect(copy.vehicles == 50 && copy.history == 200 && copy.unsent == 2 && copy.positions == 0)
        #expect(copy.bytes == (try Data(contentsOf: URL(fileURLWithPath: out)).count))
        let second = try Store(path: out)
        #expect(try second.vehicles() == store.vehicles())
        #expect(
            try second.pendingOutbox(.high, limit: 10, at: noon).entries
                == store.pendingOutbox(.high, limit: 10, at: noon).entries)
        #expect(try second.history(limit: 1000) == store.history(limit: 1000))
        #expect(try second.loadFences() == store.loadFences())
        try second.loadRetained { #expect($0 == "fleet/A/route" && $1 == [7]) }
        // Ids go on where they were: a late report of delivery must not meet a younger message.
        let ids = try [store, second].map { try $0.commit(StoreBatch(time: noon, outbox: [alert("3")])) }
        #expect(ids[0] == ids[1])
    }

    @Test("A copy does not hold what is known of a session at the broker, which goes on with the original")
    func session() throws {
        let store = try filled()
        let facts = [StoreBatch.sessionPrefix + "mark": "7", "brokers": "2", "roads": "north"]
        _ = try store.commit(StoreBatch(time: noon, meta: facts))
        _ = try StoreCopy(of: place.path, to: out)
        let copy = try StoreReader(path: out)
        #expect(try facts.keys.sorted().map { try copy.meta($0) } == [nil, "2", "north"])
        #expect(try store.meta(StoreBatch.sessionPrefix + "mark") == "7")
        try store.close()
        #expect(try files == ["copy.sqlite"])
    }

    @Test("Each copy made while batches are committed holds whole batches, all up to one of them")
    func underLoad() async throws {
        let path = place.path
        try filled().close()
        let isDone = Mutex(false)
        // Tasks have few threads, and this goes on until another has had one.
        async let writer: Void = onThread {
            let store = try Store(path: path)
            var round = 0
            while !isDone.withLock(\.self) {
                // Two of each batch: one alone would be half of it.
                _ = try store.commit(
                    StoreBatch(
                        time: noon,
                        history: ["a", "b"].map { entry("\(round)\($0)", of: "L", .visit, at: Double(round)) }))
                round += 1
            }
            try store.close()
        }
        var counts: [Int] = []
        for round in 0..<10 {
            let copy = out + "\(round)"
            _ = try StoreCopy(of: path, to: copy)
            let ids = try StoreReader(path: copy).history(vehicle: VehicleID("L"), limit: 1_000_000).entries.map(\.id)
            let batches = (0..<ids.count / 2).flatMap { (round: Int) in ["\(round)a", "\(round)b"] }
            #expect(ids == batches)
            counts.append(ids.count)
            try await Task.sleep(for: .milliseconds(5))
        }
        isDone.withLock { $0 = true }
        try await writer
        #expect(counts == counts.sorted() && Set(counts).count > 1)
    }

    @Test("What was removed is in no copy, whatever free pages the original has of it")
    func noTraces() throws {
        let store = try filled()
        _ = try store.commit(
            StoreBatch(time: noon, history: (0..<50).map { entry("s\($0)", of: "SECRET-7", .event, at: Double($0)) }))
        _ = try store.commit(StoreBatch(time: noon, removed: [VehicleID("SECRET-7")!]))
        _ = try StoreCopy(of: place.path, to: out)
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)).range(of: Data("SECRET-7".utf8)) == nil)
    }

    @Test("A file that is there stays as it was, unless it is to be replaced; half a copy never has the name")
    func existing() throws {
        let store = try filled()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: out))
        #expect(error() == .copyExists(path: out))
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == Data("mine".utf8))
        // What is no store was named by mistake.
        #expect(error(replaces: true, to: out) == .copyFailed(path: out, reason: "there is a file that is no store"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: out)
        _ = try StoreCopy(of: place.path, to: out)
        #expect(try StoreCopy(of: place.path, to: out, replaces: true).vehicles == 50)
        try store.close()
        #expect(try files == ["copy.sqlite"])
    }

    @Test(
        "A file that may not be read is refused for that, and not as one that is no store",
        .enabled(if: geteuid() != 0, "the superuser may read any file"))
    func unreadable() throws {
        let store = try filled()
        _ = try StoreCopy(of: place.path, to: out)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: out)
        let reason = "the file that is there cannot be read: Permission denied"
        #expect(
            error(replaces: true, to: out)
                == .copyFailed(path: out, reason: "\(reason); name another one, or let this user read it"))
        try store.close()
    }

    @Test("A copy takes the place of no store in use, neither the original nor another, and of no directory")
    func inUse() throws {
        let store = try filled()
        let link = place.directory + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)
        for path in [place.path, link, place.directory] {
            guard case .copyFailed? = error(replaces: true, to: path) else {
                Issue.record("not refused: \(path)")
                continue
            }
        }
        _ = try StoreCopy(of: place.path, to: out)
        let other = try Store(path: out)
        _ = try other.commit(StoreBatch(time: noon, meta: ["a": "b"]))
        guard case .copyFailed? = error(replaces: true) else {
            Issue.record("a store in use was replaced")
            return
        }
        #expect(try store.vehicles().count == 50 && other.vehicles().count == 50)
    }

    @Test("Where no copy can be written, or it is stopped, the error names it and nothing is left behind")
    func failures() throws {
        let store = try filled()
        guard case .copyFailed(let path, _)? = error(to: place.directory + "/none/copy.sqlite") else {
            Issue.record("written into no directory")
            return
        }
        #expect(path.hasSuffix("/none/copy.sqlite"))
        // Big enough to be looked at while it is written; nothing compresses what is random.
        var generator = SplitMix64(seed: 1)
        for round in 0..<25 {
            _ = try store.commit(
                StoreBatch(
                    time: noon,
                    history: (0..<4).map { number in
                        var entry = entry("\(round)-\(number)-", of: "A", .visit, at: 0)
                        entry.payload = (0..<1 << 17).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) }
                        }
                        return entry
                    }))
        }
        #expect(throws: StoreError.self) { try StoreCopy(of: place.path, to: out) { _ in false } }
        try store.close()
        #expect(try files == [])
    }

    @Test("What is missing, has another schema or is no store is not copied")
    func others() throws {
        try filled().close()
        try place.outside { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')") }
        #expect(
            error(to: out)
                == .otherSchema(
                    path: place.path, expected: ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"],
                    got: ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v99"]))
        #expect(!FileManager.default.fileExists(atPath: out))
        try FileManager.default.removeItem(atPath: place.path)
        #expect(error(to: out + "2") == .missing(path: place.path))
        try Data(String(repeating: "lat,lon\n", count: 500).utf8).write(to: URL(fileURLWithPath: place.path))
        guard case .notAStore? = error(to: out + "2") else {
            Issue.record("not refused as foreign")
            return
        }
    }

    @Test("A copy may be read by whom the store may be read by, and nobody else")
    func permissions() throws {
        let store = try filled()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
        _ = try StoreCopy(of: place.path, to: out)
        let mode = try FileManager.default.attributesOfItem(atPath: out)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try store.close()
    }
}
