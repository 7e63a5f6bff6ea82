import GRDB
import Messages

/// How what was removed also leaves the file.
///
/// `PRAGMA secure_delete` overwrites what is deleted, in its place. Two copies it does not reach: those in the log, which
/// stay until the log is overwritten, and those that a page kept in its free space when it was split. So after a
/// removal the log is emptied, and the file is due to be rewritten whole. Of 200 vehicles removed from a store of 500 and
/// 20,000 entries, overwriting alone left the ids of 5 to 13 behind.
///
/// The messages that take back what is retained about a vehicle name it once more: when the last of them has been sent,
/// the log is emptied again, and only then is there a point in rewriting the file.
struct Erasure {
    private static let dueKey = "rewrite-due"

    /// Whether the log still holds what was removed.
    private var logIsDue = false
    /// The youngest message that may name what was removed; nil: all have been sent.
    private var lastWithdrawal: Int64?
    /// The size of the file, where it is due to be rewritten and nothing stands in the way; else nil.
    private(set) var rewriteBytes: Int?
    /// How far a file that is too large to be rewritten is overwritten; nil: that was not begun.
    private var sweep: PageSweep?

    var isUnderWay: Bool { logIsDue || lastWithdrawal != nil }

    /// Makes good what a gateway that was killed, or had better to do, has left to erase.
    init(opening database: Database) throws {
        lastWithdrawal = try Self.isRewriteDue(database) ? try Self.youngest(database) : nil
        // A full disk has no room for a copy; what can still be served is served, and the copy stays due.
        try? rewriteIfDue(database)
        logIsDue = try !Self.emptyLog(database)
    }

    /// Something was removed in the commit before this.
    mutating func begin(_ database: Database) throws {
        logIsDue = true
        lastWithdrawal = try Self.youngest(database) ?? 0
        (rewriteBytes, sweep) = (nil, nil)
    }

    /// After each commit, until nothing is left to do.
    mutating func advance(_ database: Database) throws {
        if let last = lastWithdrawal, try !Self.holdsMessage(database, upTo: last) {
            lastWithdrawal = nil
            logIsDue = true
            rewriteBytes = try Self.bytes(database)
        }
        if logIsDue { logIsDue = try !Self.emptyLog(database) }
    }

    mutating func rewriteIfDue(_ database: Database) throws {
        guard try Self.isRewriteDue(database) else { return }
        try database.execute(sql: "VACUUM")
        // What is still to be said about those who were removed leaves traces of its own.
        if lastWithdrawal == nil {
            try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [Self.dueKey])
        }
        rewriteBytes = nil
        logIsDue = try !Self.emptyLog(database)
    }

    /// Overwrites a part of what is due to be rewritten, in the file itself.
    mutating func sweep(_ database: Database, path: String, until deadline: ContinuousClock.Instant) throws {
        guard let bytes = rewriteBytes, bytes < PageSweep.bytesMax else { return }
        var sweep = sweep ?? PageSweep()
        let isDone = try sweep.advance(database, path: path, until: deadline)
        self.sweep = isDone ? nil : sweep
        guard isDone else { return }
        rewriteBytes = nil
        try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [Self.dueKey])
    }

    static func noteRewriteIsDue(_ database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO meta (key, value) VALUES (?, '1')")
            .execute(arguments: [dueKey])
    }

    private static func isRewriteDue(_ database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM meta WHERE key = ?)", arguments: [dueKey])
            ?? false
    }

    private static func youngest(_ database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM outbox")
    }

    private static func holdsMessage(_ database: Database, upTo id: Int64) throws -> Bool {
        let query = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM outbox WHERE id <= ?)")
        return try Bool.fetchOne(query, arguments: [id]) ?? false
    }

    private static func bytes(_ database: Database) throws -> Int {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        return pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }

    /// Moves the log into the database and cuts it to nothing.
    ///
    /// Waits for nobody: a reader in its transaction needs the log as it is, and a truck's warning must not wait for that.
    /// - Returns: whether it is empty.
    static func emptyLog(_ database: Database) throws -> Bool {
        let timeout = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(timeout)") }
        let isBusy: Bool? = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0]
        return isBusy == false
    }
}

extension BatchWriter {
    /// PostgreSQL has a process of its own that clears up.
    func noteRewriteIsDue() throws {
        if case .sqlite(let database) = database { try Erasure.noteRewriteIsDue(database) }
    }
}
