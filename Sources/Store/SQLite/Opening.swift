import Foundation
import GRDB

/// How a store's file is found, opened and set up.
extension Store {
    /// Two names of one file must meet at one lock: symbolic links are followed, and the path made absolute (which also
    /// keeps SQLite from reading `:memory:` or `file:` as anything but a file's name).
    static func resolved(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        if let whole = realPath(url.path) { return whole }
        guard let directory = realPath(url.deletingLastPathComponent().path) else { return url.path }
        return directory == "/" ? "/" + url.lastPathComponent : directory + "/" + url.lastPathComponent
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func open(_ path: String, limits: StoreLimits, _ durability: StoreDurability) throws -> (
        database: DatabaseQueue, outboxCount: Int, erasure: Erasure
    ) {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(limits.busyTimeoutSeconds)
        let database = try DatabaseQueue(path: path, configuration: configuration)
        try Schema.apply(to: database, path: path)
        return try database.inDatabase { connection in
            try makeDurable(connection, durability, path: path)
            // A file that may only be read opens all the same: better found now than at the first batch.
            try touch(.sqlite(connection))
            // The system's SQLite leaves deleted bytes where they are, and a vehicle that was forgotten would stay readable
            // in the file (sqlite.org/pragma.html#pragma_secure_delete).
            try connection.execute(sql: "PRAGMA secure_delete = ON")
            let outboxCount = try Int.fetchOne(connection, sql: "SELECT count(*) FROM outbox") ?? 0
            return (database, outboxCount, try Erasure(opening: connection))
        }
    }

    /// Makes a commit mean "on disk", where that is asked for: right after it the broker hears that it may forget the input.
    ///
    /// In WAL mode a commit survives kill -9 at every setting, for the kernel has the pages by then. Power loss it
    /// survives only with FULL, which syncs the log at each commit; NORMAL syncs at checkpoints alone
    /// (sqlite.org/pragma.html#pragma_synchronous). The price is one fsync a batch.
    private static func makeDurable(
        _ database: Database, _ durability: StoreDurability, path: String
    ) throws {
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw StoreError.failed(path: path, reason: "its file system does not do write-ahead logging")
        }
        try database.execute(sql: "PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL")")
        // A log that a long reader or one huge batch made grow is cut back at the next reset; 64 MB are 16 checkpoints.
        try database.execute(sql: "PRAGMA journal_size_limit = \(64 << 20)")
    }

    /// The value is a counter only so that each touch changes something.
    static func touch(_ database: SQLConnection) throws {
        try database.execute(
            """
            INSERT INTO meta (key, value) VALUES ('touched', '1')
            ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)
            """)
    }
}
