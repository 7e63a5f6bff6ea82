import Fleet
import Foundation
import GRDB
import Messages
import Store
import Testing

@Suite struct StoreReaderTests {
    let place: TemporaryStore

    init() throws { place = try TemporaryStore() }

    private func openingError() -> StoreError? {
        #expect(throws: StoreError.self) { try StoreReader(path: place.path) }
    }

    @Test("A reader sees what a running gateway commits, and holds up none of it")
    func beside() throws {
        let store = try place.open()
        let reader = try StoreReader(path: place.path)
        for number in 1...3 {
            _ = try store.commit(StoreBatch(time: noon, history: [entry("\(number)", of: "A", .visit, at: 0)]))
            #expect(try reader.history(type: .visit, limit: 10).entries.count == number)
        }
        #expect(try reader.history(limit: 10) == store.history(limit: 10))
        #expect(throws: Never.self) { try StoreReader(path: place.path).history(limit: 1) }
    }

    @Test("The newest comes first where that is asked for, page by page", arguments: [1, 2, 7, 100])
    func newestFirst(limit: Int) throws {
        let store = try place.open()
        // Two of each minute: of one time those written later are newer.
        let entries = (0..<20).map { entry("\($0)", of: $0.isMultiple(of: 3) ? "A" : "B", .event, at: Double($0 / 2)) }
        _ = try store.commit(StoreBatch(time: noon, history: entries))
        let reader = try StoreReader(path: place.path)
        for vehicle in [nil, VehicleID("A")] {
            var (found, cursor): ([HistoryEntry], HistoryCursor?) = ([], nil)
            repeat {
                let page = try reader.history(
                    type: .event, vehicle: vehicle, order: .newestFirst, limit: limit, after: cursor)
                #expect(page.entries.count <= limit)
                found += page.entries
                cursor = page.next
            } while cursor != nil
            let wanted = entries.filter { vehicle == nil || $0.vehicle == vehicle }
            #expect(found == wanted.reversed())
        }
    }

    @Test("Of entries that are chosen one by one a page looks through so many, and the next goes on behind them")
    func chosen() throws {
        let store = try place.open()
        let looks = StoreLimits.standard.historyLooks
        let entries = (0..<looks + 10).map { entry("\($0)", of: "A", .event, at: Double($0) / 1000) }
        _ = try store.commit(StoreBatch(time: noon, history: entries))
        let reader = try StoreReader(path: place.path)
        let wanted: Set = ["3", "\(looks + 5)"]
        let first = try reader.history(limit: 100) { wanted.contains($0.id) }
        #expect(first.entries.map(\.id) == ["3"])
        #expect(first.next != nil)
        let second = try reader.history(limit: 100, after: first.next) { wanted.contains($0.id) }
        #expect(second.entries.map(\.id) == ["\(looks + 5)"] && second.next == nil)
        let full = try reader.history(limit: 1) { wanted.contains($0.id) }
        #expect(full.entries.count == 1 && full.next != nil)
    }

    @Test("A reader keeps no gateway from starting, and reads on where none runs")
    func alone() throws {
        let store = try place.open()
        _ = try store.commit(StoreBatch(time: noon, history: [entry("1", of: "A", .visit, at: 0)]))
        try store.close()
        let reader = try StoreReader(path: place.path)
        #expect(try reader.history(limit: 10).entries.count == 1)
        let next = try place.open()
        _ = try next.commit(StoreBatch(time: noon, history: [entry("2", of: "A", .visit, at: 0)]))
        #expect(try reader.history(limit: 10).entries.count == 2)
    }

    @Test("A reader reads what a gateway left that was killed")
    func afterKill() async throws {
        let path = place.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try Store(path: path)
            _ = try store.commit(StoreBatch(time: noon, history: [entry("1", of: "A", .visit, at: 0)]))
            kill(getpid(), SIGKILL)
        }
        #expect(try StoreReader(path: path).history(limit: 10).entries.map(\.id) == ["1"])
    }

    @Test("A reader changes nothing in the file")
    func changesNothing() throws {
        try place.open().close()
        let file = URL(fileURLWithPath: place.path)
        let before = try Data(contentsOf: file)
        _ = try StoreReader(path: place.path).history(limit: 1)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("A file that is not there is named, and not made")
    func missing() {
        #expect(openingError() == .missing(path: place.path))
        #expect(!FileManager.default.fileExists(atPath: place.path))
    }

    @Test("A store of another schema is refused by what it lacks or has too much, and left as it was")
    func otherSchema() throws {
        try place.open().close()
        try place.outside { try $0.execute(sql: "DELETE FROM grdb_migrations") }
        #expect(
            openingError()
                == .otherSchema(
                    path: place.path, expected: ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"], got: []))
        try place.outside { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v1'), ('v99')") }
        #expect(
            openingError()
                == .otherSchema(
                    path: place.path, expected: ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"],
                    got: ["v1", "v99"]))
    }

    @Test("What is no store of Headroom is refused")
    func foreign() throws {
        try place.outside { try $0.execute(sql: "CREATE TABLE song (id INTEGER PRIMARY KEY)") }
        #expect(openingError() == .notAStore(path: place.path, reason: "it is another program's database"))
        try Data(String(repeating: "lat,lon\n", count: 500).utf8).write(to: URL(fileURLWithPath: place.path))
        guard case .notAStore? = openingError() else {
            Issue.record("not refused as foreign")
            return
        }
    }

    @Test("A path that is a directory is refused as one")
    func directory() throws {
        try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
        #expect(openingError() == .directory(path: place.path))
    }

    @Test(
        "Every error says where and what to do",
        arguments: [
            (StoreError.missing(path: "/x/h.sqlite"), "name the one of the gateway"),
            (.directory(path: "/x/h.sqlite"), "name the file in it"),
            (.notReadable(path: "/x/h.sqlite", reason: "r"), "take a user who may read"),
        ])
    func descriptions(error: StoreError, advice: String) {
        #expect("\(error)".contains("/x/h.sqlite"))
        #expect("\(error)".contains(advice))
    }
}
