import Foundation
import PostgreSQL

/// A transaction whose commit may have been lost with its answer.
struct StoreTransaction {
    /// PostgreSQL's own.
    var id: String
    /// How many the shard had with it; nil: it is a guest's.
    var number: Int64?
}

/// A store's connection to PostgreSQL, made anew where it was lost.
///
/// Sendable, because one thread at a time uses the connection: whoever holds `lock`.
final class PostgreSQLSession: @unchecked Sendable {
    /// The row that counts the owners; each shard has a table of its own.
    static let shard = "0"
    /// The owner of a shard that stops inside a transaction holds up the next one for no longer.
    private static let transactionSeconds = 10

    enum Role {
        /// Who writes: one at a time.
        ///
        /// - deposes: whether the owner before, if there still is one, is no longer to write from here on.
        case owner(StoreDurability, deposes: Bool = false)
        /// Who writes what belongs to no owner: each statement must be right whoever else writes.
        case guest
        case reader
    }

    let address: PostgreSQLAddress
    private let role: Role
    private let lockSeconds: Double
    private let lock = NSLock()
    private var connection: PostgreSQLConnection?
    /// Counts the owners that the shard has had; nil: this one is none yet.
    private var epoch: Int64?

    /// - Parameter lockSeconds: how long a statement waits for what another program has locked.
    init(_ address: PostgreSQLAddress, _ role: Role, lockSeconds: Double) {
        self.address = address
        self.role = role
        self.lockSeconds = lockSeconds
    }

    func close() { lock.withLock { connection = nil } }

    /// How many owners the shard has had, this one the last; nil: this session does not own it.
    var ownership: Int64? { lock.withLock { epoch } }

    func use<Result>(_ body: (SQLConnection) throws -> Result) throws -> Result {
        try lock.withLock {
            let isNew = connection == nil
            do {
                return try body(.postgreSQL(try connected()))
            } catch {
                guard let error = error as? PostgreSQLError, error.endsConnection else { throw error }
                connection = nil
                // The server was started again since the last question.
                guard !isNew, case .reader = role else { throw error }
                return try body(.postgreSQL(try connected()))
            }
        }
    }

    /// Runs `body` in a transaction that is committed only as long as this session owns the shard.
    ///
    /// - Parameter unsettled: the transaction of an attempt before this whose commit was not answered, and its result.
    func write<Result>(
        _ unsettled: inout (transaction: StoreTransaction, result: Result)?, _ body: (SQLConnection) throws -> Result
    ) throws -> Result {
        try use { database in
            if let last = unsettled {
                // Until the server has answered, which this connection may not live to hear either, nothing is settled.
                let isCommitted = try hasCommitted(last.transaction, in: database)
                // It may have been cut off while it waited for the standby, for which a commit behind it waits as well.
                if isCommitted { try commit(database) { _ in } }
                unsettled = nil
                if isCommitted { return last.result }
            }
            try commit(database) { unsettled = ($0, try body(database)) }
            let result = unsettled!.result
            unsettled = nil
            return result
        }
    }

    private func commit(_ database: SQLConnection, _ body: (StoreTransaction) throws -> Void) throws {
        try database.execute("BEGIN")
        do {
            try body(try requireOwnership(database))
        } catch {
            _ = try? database.execute("ROLLBACK")
            throw error
        }
        try database.execute("COMMIT")
    }

    /// All that `body` reads is of one moment.
    func read<Result>(_ body: (SQLConnection) throws -> Result) throws -> Result {
        try use { database in
            try database.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            defer { _ = try? database.execute("COMMIT") }
            return try body(database)
        }
    }

    // MARK: Ownership

    /// Keeps the next owner waiting until this transaction has ended, and writes, so that its commit waits for the standby.
    ///
    /// - Returns: this transaction.
    private func requireOwnership(_ database: SQLConnection) throws -> StoreTransaction {
        if case .guest = role {
            let query = "SELECT CAST(pg_current_xact_id() AS TEXT) FROM shard WHERE name = ? FOR SHARE"
            let id = try database.first(query, [Self.shard]) { $0[0] as String }
            guard let id else { throw StoreError.ownershipLost(path: "\(address)") }
            return StoreTransaction(id: id, number: nil)
        }
        let statement = """
            UPDATE shard SET commits = commits + 1 WHERE name = ? AND epoch = ?
            RETURNING CAST(pg_current_xact_id() AS TEXT), commits
            """
        let transaction = try database.first(statement, [Self.shard, epoch]) {
            StoreTransaction(id: $0[0], number: $0[1] as Int64)
        }
        guard let transaction else { throw StoreError.ownershipLost(path: "\(address)") }
        return transaction
    }

    private func hasCommitted(_ transaction: StoreTransaction, in database: SQLConnection) throws -> Bool {
        let query = "SELECT pg_xact_status(CAST(CAST(? AS TEXT) AS xid8))"
        do {
            let status = try database.first(query, [transaction.id]) { $0[0] as String? } ?? nil
            guard status != "in progress" else {
                throw PostgreSQLError(.unreachable, "the server has not ended the transaction before")
            }
            guard status == "committed" else { return false }
        } catch let error as PostgreSQLError where error.kind == .statement(sqlState: "22023") {
            // A standby took over that never heard of it.
            return false
        }
        guard let number = transaction.number else { return true }
        // A server that crashed before it had written anything of a transaction, or a standby that was sent nothing of it, gives
        // its id to another one.
        let commits = "SELECT count(*) FROM shard WHERE name = ? AND epoch = ? AND commits >= ?"
        return try database.number(commits, [Self.shard, epoch, number]) > 0
    }

    // MARK: Connecting

    private func connected() throws -> PostgreSQLConnection {
        if let connection { return connection }
        let defaults = [
            "connect_timeout": "5", "tcp_user_timeout": "10000",
            "fallback_application_name": address.applicationName ?? "headroom \(getpid())",
            "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
        ]
        let opened = try PostgreSQLConnection(address.url, defaults: defaults, password: address.password)
        if address.shard > 0 { try choose(address.shard, .postgreSQL(opened), opened) }
        switch role {
        case .reader:
            try opened.run("SET default_transaction_read_only = on")
            try Schema.requireCurrent(opened, path: "\(address)")
        case .guest:
            try Schema.requireCurrent(opened, path: "\(address)")
            try opened.run("SET lock_timeout = \(Int(lockSeconds * 1_000))")
        case .owner(let durability, let deposes):
            if deposes, epoch == nil { try depose(.postgreSQL(opened)) }
            try own(.postgreSQL(opened), opened, durability)
        }
        connection = opened
        return opened
    }

    /// Has all statements go to the tables of a shard that is not the first; its owner makes their schema where it is not there.
    private func choose(_ shard: Int, _ database: SQLConnection, _ opened: PostgreSQLConnection) throws {
        let query = "SELECT coalesce(CAST(current_schema() AS TEXT), 'public')"
        let name = try database.first(query) { $0[0] as String }.map { Schema.name(of: shard, beside: $0) } ?? ""
        let quoted = Schema.quoted(name)
        if case .owner = role,
            // Who may not make schemas may have them made.
            try database.number("SELECT count(*) FROM pg_namespace WHERE CAST(nspname AS TEXT) = ?", [name]) == 0
        {
            try opened.run("CREATE SCHEMA IF NOT EXISTS \(quoted)")
        }
        try opened.run("SET search_path = \(quoted)")
    }

    /// Has the owner before fail: its commits by the epoch, and so that it does not hold up this one, its session.
    private func depose(_ database: SQLConnection) throws {
        try endOwner(database)
        guard try database.number("SELECT count(*) WHERE to_regclass('shard') IS NOT NULL") > 0 else { return }
        try database.execute("UPDATE shard SET epoch = epoch + 1 WHERE name = ?", [Self.shard])
        // It may have come back in between.
        try endOwner(database)
    }

    private func endOwner(_ database: SQLConnection) throws {
        try database.rows("SELECT pg_terminate_backend(pid, 1000) \(Self.owners) AND pid <> pg_backend_pid()") { _ in }
    }

    private func own(_ database: SQLConnection, _ opened: PostgreSQLConnection, _ durability: StoreDurability) throws {
        try opened.run(
            """
            SET lock_timeout = \(Int(lockSeconds * 1_000));
            SET idle_in_transaction_session_timeout = '\(Self.transactionSeconds)s';
            SELECT set_config('synchronous_commit', '\(durability == .power ? "on" : "off")', false)
            WHERE '\(durability)' = 'process' OR current_setting('synchronous_commit') = 'off'
            """)
        if epoch != nil {
            let query = "SELECT epoch FROM shard WHERE name = ?"
            let current = try database.first(query, [Self.shard]) { $0[0] as Int64 }
            guard current == epoch else { throw StoreError.ownershipLost(path: "\(address)") }
        }
        do {
            try database.rows("SELECT 1 FROM pg_advisory_lock(\(Self.lockKeys))") { _ in }
        } catch let error as PostgreSQLError where epoch == nil && error.kind == .statement(sqlState: "55P03") {
            throw StoreError.inUse(path: "\(address)", process: nil)
        }
        guard epoch == nil else { return }
        try Schema.apply(to: opened, path: "\(address)")
        try Schema.addCommits(to: opened)
        epoch = try database.first(
            """
            INSERT INTO shard (name, epoch) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET epoch = shard.epoch + 1
            RETURNING epoch
            """, [Self.shard]
        ) { $0[0] }
    }

    /// The server drops the lock with the connection, so also at kill -9.
    private static let lockKeys = "\(Schema.applicationID), hashtext(current_schema())"

    /// Whether a session owns the store.
    func isOwned() throws -> Bool {
        try use { database in try database.number("SELECT count(*) \(Self.owners)") > 0 }
    }

    /// The session that holds the lock.
    private static let owners = holders(of: "current_schema()")

    /// The rest of a SELECT: the locks by which sessions own stores.
    ///
    /// - Parameter schema: that has the store's tables, as an SQL expression.
    static func holders(of schema: String) -> String {
        """
        FROM pg_locks WHERE locktype = 'advisory' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND classid = \(Schema.applicationID)
            AND CAST(objid AS BIGINT) = CAST(hashtext(\(schema)) AS BIGINT) & 4294967295
        """
    }
}
