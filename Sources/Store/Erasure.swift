import GRDB

/// How what was removed also leaves the file.
///
/// `PRAGMA secure_delete` overwrites what is deleted, in its place. Two copies it does not reach: those in the log, which
/// stay until the log is overwritten, and those that a page kept in its free space when it was split. So after a
/// removal the log is emptied, and the file is due to be rewritten whole. Of 200 vehicles removed from a store of 500 and
/// 20,000 entries, overwriting alone left the ids of 5 to 13 behind.
extension Store {
    private static let dueKey = "rewrite-due"

    /// Rewrites the file without what page splits have left of removed vehicles, where there is anything to rewrite.
    ///
    /// Takes half a second and twice the space for each 100 MB, and holds up the owner as long; what is due and was
    /// never done is done at the next opening, when nobody waits.
    public func rewriteIfDue() throws(StoreError) {
        try owned { try Self.rewriteIfDue($0) }
    }

    static func rewriteIfDue(_ database: Database) throws {
        let due = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM meta WHERE key = ?)", arguments: [dueKey])
        guard due == true else { return }
        try database.execute(sql: "VACUUM")
        try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [dueKey])
        _ = try emptyLog(database)
    }

    static func noteRewriteIsDue(_ database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO meta (key, value) VALUES (?, '1')")
            .execute(arguments: [dueKey])
    }

    /// Moves the log into the database and cuts it to nothing.
    ///
    /// Waits for nobody: a reader in its transaction needs the log as it is, and a truck's warning must not wait for that.
    /// - Returns: whether it is empty.
    static func emptyLog(_ database: Database) throws -> Bool {
        let patience = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(patience)") }
        let isBusy: Bool? = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0]
        return isBusy == false
    }
}
