import Fleet
import Foundation
import GRDB
import Messages
import Store
import Testing

@Suite struct OpeningTests {
    let place: TemporaryStore

    init() throws { place = try TemporaryStore() }

    private func openingError(_ path: String? = nil) -> StoreError? {
        #expect(throws: StoreError.self) { try Store(path: path ?? place.path) }
    }

    @Test("A new store is empty, in write-ahead mode, and has strict tables")
    func newStore() throws {
        let store = try place.open()
        #expect(try store.vehicles() == [])
        #expect(try store.unsent() == [])
        #expect(store.outboxCount == 0)
        #expect(try place.outside { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        let strict = "SELECT name FROM pragma_table_list WHERE strict = 1 ORDER BY name"
        #expect(
            try place.outside { try String.fetchAll($0, sql: strict) } == [
                "blind_spots", "cab_code", "cab_token", "fence", "history", "journal", "meta", "outbox", "passages",
                "position", "refusal", "response", "retained", "track", "turn", "untaken", "vehicle", "webhook",
            ])
    }

    @Test("A second gateway is refused with the first one's process id, and accepted once that has closed")
    func secondOpener() throws {
        let first = try place.open()
        #expect(openingError() == .inUse(path: first.path, process: getpid()))
        try first.close()
        #expect(throws: Never.self) { try place.open() }
    }

    @Test("A store that is let go of unclosed is free again")
    func droppedStore() throws {
        for _ in 0..<3 { _ = try place.open() }
        #expect(try place.open().isWritable())
    }

    @Test("Another name for the same file meets the same lock")
    func symbolicLink() throws {
        let store = try place.open()
        let other = place.directory + "/other.sqlite"
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: place.path)
        #expect(openingError(other) == .inUse(path: store.path, process: getpid()))
        #expect(openingError(place.directory + "/./headroom.sqlite") == .inUse(path: store.path, process: getpid()))
    }

    @Test("A lock file left behind by a gateway that is gone does not hold anyone up")
    func staleLockFile() throws {
        try Data("999999\n".utf8).write(to: URL(fileURLWithPath: place.path + ".lock"))
        let store = try place.open()
        #expect(openingError() == .inUse(path: store.path, process: getpid()))
    }

    @Test("A name that SQLite would take for something else is a file's name here", arguments: [":memory:", "file:x"])
    func specialNames(name: String) throws {
        try Store(path: place.directory + "/" + name).close()
        #expect(FileManager.default.fileExists(atPath: place.directory + "/" + name))
    }

    @Test("A directory that is missing is named")
    func missingDirectory() {
        let path = place.directory + "/none/headroom.sqlite"
        #expect(openingError(path) == .directoryMissing(path: path))
    }

    @Test("A directory that is a file is no directory")
    func fileAsDirectory() throws {
        try Data().write(to: URL(fileURLWithPath: place.path))
        let path = place.path + "/headroom.sqlite"
        #expect(openingError(path) == .directoryMissing(path: path))
    }

    @Test("A path that is a directory cannot be written")
    func directoryAsFile() throws {
        try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
        guard case .notWritable? = openingError() else {
            Issue.record("not refused as unwritable")
            return
        }
    }

    @Test(
        "A file or directory without write access is refused", .enabled(if: geteuid() != 0), arguments: [true, false])
    func withoutPermission(directory: Bool) throws {
        try place.open().close()
        if directory { try FileManager.default.removeItem(atPath: place.path + ".lock") }
        let locked = directory ? place.directory : place.path
        let rights = [FileAttributeKey.posixPermissions: directory ? 0o555 : 0o444]
        try FileManager.default.setAttributes(rights, ofItemAtPath: locked)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: locked) }
        guard case .notWritable? = openingError() else {
            Issue.record("not refused as unwritable")
            return
        }
    }

    @Test("A file that is not SQLite is no store, and is left as it was")
    func notSQLite() throws {
        let text = Data(String(repeating: "lat,lon,clearance\n", count: 500).utf8)
        try text.write(to: URL(fileURLWithPath: place.path))
        guard case .notAStore? = openingError() else {
            Issue.record("not refused as foreign")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == text)
    }

    @Test("Another program's database is refused, and left as it was")
    func foreignDatabase() throws {
        try place.outside { try $0.execute(sql: "CREATE TABLE song (id INTEGER PRIMARY KEY)") }
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        #expect(openingError() == .notAStore(path: place.path, reason: "it is another program's database"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
    }

    @Test(
        "An empty file, and what a gateway killed during its first start leaves, become stores",
        arguments: [true, false])
    func unfinished(empty: Bool) throws {
        try Data().write(to: URL(fileURLWithPath: place.path))
        if !empty {
            let table = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
            try place.outside { try $0.execute(sql: table) }
        }
        #expect(try place.open().isWritable())
    }

    @Test("A store of another schema is refused by the name of what it has, and left as it was")
    func otherSchema() throws {
        try place.open().close()
        try place.outside { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')") }
        #expect(
            openingError()
                == .otherSchema(
                    path: place.path, expected: ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"],
                    got: ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v99"]))
        #expect(try place.outsideCount("vehicle") == 0)
    }

    @Test("A store whose schema page is damaged is refused at opening")
    func damagedSchema() throws {
        try place.open().close()
        try place.overwrite([UInt8](repeating: 0xA5, count: 3000), at: 100)
        guard case .damaged? = openingError() else {
            Issue.record("not refused as damaged")
            return
        }
    }

    @Test("Damage among the vehicles shows when they are loaded")
    func damagedRows() throws {
        let store = try place.open()
        let changed = try (0..<2000).map { try vehicle("T\($0)", state: [UInt8](repeating: 1, count: 200)) }
        _ = try store.commit(StoreBatch(time: noon, changed: changed))
        try store.close()
        try place.overwrite([UInt8](repeating: 0xA5, count: 76 * 4096), at: 32 * 4096)
        let damaged = try place.open()
        let error = #expect(throws: StoreError.self) { try damaged.vehicles() }
        guard case .damaged? = error else {
            Issue.record("not reported as damaged: \(String(describing: error))")
            return
        }
    }

    @Test(
        "A row that was changed by hand into nonsense is named",
        arguments: ["UPDATE vehicle SET levels = '{'", "UPDATE vehicle SET id = 'a/b'"])
    func nonsense(sql: String) throws {
        let store = try place.open()
        _ = try store.commit(StoreBatch(time: noon, changed: [try vehicle("T42")]))
        try place.outside { try $0.execute(sql: sql) }
        guard case .damaged? = #expect(throws: StoreError.self, performing: { try store.vehicles() }) else {
            Issue.record("not reported as damaged")
            return
        }
    }

    @Test("What keeps a server from being used names neither its address nor its users")
    func publicReasons() {
        let reason = "connection to server at 10.1.2.3, port 5432 failed: no user fleet"
        let errors: [StoreError] = [
            .unreachable(path: "p", reason: reason), .refused(path: "p", reason: reason),
            .notPermitted(path: "p", reason: reason), .readOnly(path: "p", reason: reason),
        ]
        for error in errors {
            #expect(error.temporaryReason?.contains("5432") == false && "\(error)".contains(reason))
        }
    }

    @Test(
        "Every error says where and what to do",
        arguments: [
            (StoreError.inUse(path: "/x/h.sqlite", process: 4711), "in use by process 4711; stop that gateway"),
            (.inUse(path: "/x/h.sqlite", process: nil), "in use by another process; stop that gateway"),
            (.directoryMissing(path: "/x/h.sqlite"), "create it"),
            (.notWritable(path: "/x/h.sqlite", reason: "r"), "give the gateway's user write access"),
            (.notPermitted(path: "/x/h.sqlite", reason: "r"), "let the role connect to the database"),
            (.readOnly(path: "/x/h.sqlite", reason: "r"), "see whether its server is a standby"),
            (
                .otherShards(path: "/x/h.sqlite", expected: 8, got: 4, isByQueues: true),
                "expected 8 shards, got 4; set `cluster.queues: 4`"
            ),
            (.partMissing(path: "/x/h.2.sqlite", store: "/x/h.sqlite"), "/x/h.2.sqlite is missing; restore all parts"),
            (.otherPart(path: "/x/h.sqlite", expected: 0, got: 1), "expected part 0 of the store, got part 1"),
            (.notAStore(path: "/x/h.sqlite", reason: "r"), "set another `store`"),
            (
                .otherSchema(path: "/x/h.sqlite", expected: ["v1"], got: ["v1", "v2"]),
                "expected v1, got v1, v2; run the version of Headroom that made it, or set another `store`"
            ),
            (
                .otherSchema(path: "/x/h.sqlite", expected: ["v1", "v2"], got: []),
                "expected v1, v2, got none; start the gateway of this version once"
            ),
            (.damaged(path: "/x/h.sqlite", reason: "r"), "restore it from a backup"),
            (.diskFull(path: "/x/h.sqlite"), "make room"),
            (.busy(path: "/x/h.sqlite"), "end what writes to it"),
            (.failed(path: "/x/h.sqlite", reason: "r"), "failed: r"),
        ])
    func descriptions(error: StoreError, advice: String) {
        #expect("\(error)".contains("/x/h.sqlite"))
        #expect("\(error)".contains(advice))
    }
}
