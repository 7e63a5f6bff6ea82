import Foundation
import PostgreSQLTestSupport
import Store
import Testing

@Suite("Who may write to a store in PostgreSQL")
struct OwnershipTests {
    let address: PostgreSQLAddress

    init() throws { address = try PostgreSQLServer.shared.get().newSchema() }

    private func open(_ address: PostgreSQLAddress? = nil) throws -> Store {
        var limits = StoreLimits()
        limits.busyTimeoutSeconds = 0.2
        return try Store(.postgreSQL(address ?? self.address), limits: limits)
    }

    private func outside(_ statements: String) throws { try PostgreSQLServer.run(statements, at: address) }

    private var lost: StoreError { .ownershipLost(path: "\(address)") }

    @Test("While one gateway has a store open, another finds it in use; not so afterwards")
    func oneOwner() throws {
        let first = try open()
        #expect(throws: StoreError.inUse(path: "\(address)", process: nil)) { try open() }
        #expect(Store.owner(of: .postgreSQL(address)) != nil)
        try first.close()
        #expect(Store.owner(of: .postgreSQL(address)) == nil)
        try open().close()
    }

    @Test("Of two owners at once the older one's commits fail and write nothing")
    func olderOwner() throws {
        let older = try open()
        _ = try older.commit(StoreBatch(time: noon, outbox: [alert("1")]))
        // Its connection stays, as where it stood still for a while; only the lock is gone.
        try outside("UPDATE shard SET epoch = epoch + 1")
        for _ in 1...2 {
            #expect(throws: lost) { try older.commit(StoreBatch(time: noon, outbox: [alert("2")])) }
        }
        #expect(throws: lost) { try older.checkWritable() }
        #expect(older.outboxCount == 1)
        try older.close()
        #expect(try open().unsent() == ["1"])
    }

    @Test("An owner whose connection broke does not take the store back from the one that followed")
    func brokenConnection() throws {
        let older = try open()
        try outside(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name LIKE 'headroom%' AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'
                AND CAST(objid AS BIGINT) = CAST(hashtext(current_schema()) AS BIGINT) & 4294967295)
            """)
        let younger = try open()
        _ = try younger.commit(StoreBatch(time: noon, outbox: [alert("younger")]))
        #expect(throws: StoreError.self) { try older.commit(StoreBatch(time: noon, outbox: [alert("older")])) }
        #expect(throws: lost) { try older.commit(StoreBatch(time: noon, outbox: [alert("older")])) }
        #expect(try younger.unsent() == ["younger"])
    }

    @Test("A commit is repeated until a server that has crashed is there again, and is done once")
    func restartedServer() throws {
        let server = try PostgreSQLServer()
        let store = try open(server.newSchema())
        let retry = StoreRetry(failed: { error, failures in
            guard error.temporaryReason != nil else { return false }
            return failures > 1 || (try? server.start()) != nil
        }) {}
        store.repeatFailures(retry)
        for number in 1...5 {
            server.crash()
            _ = try store.commit(StoreBatch(time: noon, outbox: [alert("\(number)")]))
        }
        #expect(try store.unsent() == ["1", "2", "3", "4", "5"])
        #expect(store.outboxCount == 5)
    }

    @Test("A commit that a crash has undone is done again, though its transaction's id is another one's by then")
    func reusedTransaction() throws {
        let server = try PostgreSQLServer()
        let address = try server.newSchema()
        let store = try open(address)
        // Nothing of a transaction is on the disk before its commit, which takes a second.
        for statement in [
            "ALTER SYSTEM SET wal_writer_delay = '10s'", "SELECT pg_reload_conf()",
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
            EXECUTE FUNCTION wait()
            """,
        ] { try PostgreSQLServer.run(statement, at: address) }
        let retry = StoreRetry(failed: { error, failures in
            guard error.temporaryReason != nil else { return false }
            guard failures == 1 else { return true }
            guard (try? server.start()) != nil else { return false }
            for number in 1...20 {
                try? PostgreSQLServer.run("CREATE TABLE other_\(number) ()", at: address)
            }
            return true
        }) {}
        store.repeatFailures(retry)
        let crash = Thread {
            Thread.sleep(forTimeInterval: 0.5)
            server.crash()
        }
        crash.start()
        _ = try store.commit(StoreBatch(time: noon, outbox: [alert("1")]))
        #expect(try store.unsent() == ["1"])
    }

    @Test("A commit is done once, though the next connection ends while the server is asked what became of it")
    func cutQuestion() throws {
        let server = try PostgreSQLServer()
        let address = try server.newSchema()
        // What the schema has of functions stands for the server's own.
        let path = try #require(PostgreSQLAddress(address.url + "%2Cpg_catalog"))
        let store = try open(path)
        for statement in [
            "CREATE SEQUENCE questions",
            """
            CREATE FUNCTION pg_xact_status(xid8) RETURNS text LANGUAGE plpgsql AS 'BEGIN
                IF nextval(''questions'') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                RETURN pg_catalog.pg_xact_status($1);
            END'
            """,
        ] { try PostgreSQLServer.run(statement, at: address) }
        store.repeatFailures(patience)
        try cutCommit(server, address, standbyAfter: 0)
        _ = try store.commit(StoreBatch(time: noon, outbox: [alert("1")]))
        #expect(try store.unsent() == ["1"])
        #expect(store.outboxCount == 1)
    }

    @Test("A commit that was cut off while it waited for the standby is not answered before the standby has it")
    func cutWait() throws {
        let server = try PostgreSQLServer()
        let address = try server.newSchema()
        let store = try open(address)
        store.repeatFailures(patience)
        try cutCommit(server, address, standbyAfter: 1)
        _ = try store.commit(StoreBatch(time: noon, outbox: [alert("1")]))
        let isNotWaitedFor = "DO $$ BEGIN ASSERT current_setting('synchronous_standby_names') = ''; END $$"
        #expect(throws: Never.self) { try PostgreSQLServer.run(isNotWaitedFor, at: address) }
        #expect(try store.unsent() == ["1"])
    }

    /// Repeats whatever may succeed later.
    private var patience: StoreRetry {
        StoreRetry(failed: { error, _ in
            Thread.sleep(forTimeInterval: 0.02)
            return error.temporaryReason != nil
        }) {}
    }

    /// Has commits wait for a standby that is not there, and the first that does so cut off.
    ///
    /// - Parameter seconds: after which, from there on, no commit waits any longer, as where the standby is back.
    private func cutCommit(
        _ server: PostgreSQLServer, _ address: PostgreSQLAddress, standbyAfter seconds: Double
    ) throws {
        try PostgreSQLServer.run("ALTER SYSTEM SET synchronous_standby_names = 'away'", at: address)
        // In force when it starts; after a reload only at some time.
        server.crash()
        try server.start()
        let cut = Thread {
            let statements = [
                """
                DO $$ BEGIN
                    LOOP
                        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';
                        EXIT WHEN FOUND;
                        PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
                    END LOOP;
                    PERFORM pg_sleep(\(seconds));
                END $$
                """,
                "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()",
            ]
            for statement in statements { try? PostgreSQLServer.run(statement, at: address) }
        }
        cut.start()
    }

    @Test("A database of another program is refused, and one that cannot be reached is worth waiting for")
    func otherDatabases() throws {
        try outside("CREATE TABLE someone (id INTEGER)")
        #expect(
            throws: StoreError.notAStore(path: "\(address)", reason: "it holds another program's tables")
        ) { try open() }
        let addresses = [
            ("postgresql://nobody@127.0.0.1:1/fleet", true),
            (address.url.replacing("postgres@", with: "stranger@"), false),
        ]
        for (url, isWorthWaiting) in addresses {
            let other = try #require(PostgreSQLAddress(url))
            let error = #expect(throws: StoreError.self) { try open(other) }
            #expect(error?.isWorthWaitingAtStart == isWorthWaiting)
        }
    }

    @Test("A role that may not make what the store needs is told of its rights, and not worth waiting for")
    func rights() throws {
        let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
        try outside(
            """
            CREATE ROLE \(role) LOGIN;
            DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO \(role)', current_schema()); END $$
            """)
        defer { try? outside("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let other = try #require(PostgreSQLAddress(address.url.replacing("postgres@", with: "\(role)@")))
        let error = #expect(throws: StoreError.self) { try open(other) }
        guard case .notPermitted? = error else {
            Issue.record("got \(error.map { "\($0)" } ?? "nothing")")
            return
        }
        #expect(error?.isWorthWaitingAtStart == false)
        let asked = #expect(throws: StoreError.self) { try Store.requireUsable(other, shards: 2) }
        guard case .notPermitted? = asked else {
            Issue.record("got \(asked.map { "\($0)" } ?? "nothing")")
            return
        }
        #expect(throws: Never.self) { try Store.requireUsable(address, shards: 2) }
    }

    @Test(
        "A store that can be read and not be written is not usable, and worth waiting for", arguments: [true, false])
    func readOnly(hasTables: Bool) throws {
        if hasTables { try Store.takeOver(address, shard: 0, of: 2).close() }
        let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
        try outside("CREATE ROLE \(role) LOGIN SUPERUSER; ALTER ROLE \(role) SET default_transaction_read_only = on")
        defer { try? outside("DROP ROLE \(role)") }
        let other = try #require(PostgreSQLAddress(address.url.replacing("postgres@", with: "\(role)@")))
        let attempts: [() throws -> Void] = [
            { try Store.requireUsable(other, shards: 2) }, { _ = try Store.takeOver(other, shard: 0, of: 2) },
        ]
        for attempt in attempts {
            let error = #expect(throws: StoreError.self, performing: attempt)
            guard case .readOnly? = error else {
                Issue.record("got \(error.map { "\($0)" } ?? "nothing")")
                continue
            }
            #expect(error?.isWorthWaitingAtStart == true)
        }
    }

    @Test("Whether a store is usable is asked beside its owner, and leaves no table")
    func usable() throws {
        for _ in 0..<2 { try Store.requireUsable(address, shards: 2) }
        let owner = try Store.takeOver(address, shard: 0, of: 2)
        try Store.requireUsable(address, shards: 2)
        _ = try owner.commit(StoreBatch(time: noon, outbox: [alert("1")]))
        #expect(try owner.unsent() == ["1"])
    }

    @Test("A store of which a later version has brought any part up to date is not usable, and not worth waiting for")
    func laterVersion() throws {
        for shard in 0..<2 { try Store.takeOver(address, shard: shard, of: 2).close() }
        try outside(
            """
            DO $$ BEGIN
                EXECUTE format('INSERT INTO %I.headroom_migration VALUES (''later'')', current_schema() || '_shard_1');
            END $$
            """)
        let error = #expect(throws: StoreError.self) { try Store.requireUsable(address, shards: 2) }
        guard case .otherSchema? = error else {
            Issue.record("got \(error.map { "\($0)" } ?? "nothing")")
            return
        }
        #expect(error?.isWorthWaitingAtStart == false)
    }

    @Test(
        "A password is in no text",
        arguments: [
            ("postgresql://a:secret@h:1/d", "postgresql://a@h:1/d"),
            ("postgresql://a@h,i/d?password=secret&x=1", "postgresql://a@h,i/d?x=1"),
            ("postgresql:///d?password=secret", "postgresql:///d"), ("postgres://h:5432/d", "postgres://h:5432/d"),
        ])
    func description(url: String, text: String) {
        #expect(StoreLocation(url).description == text)
    }
}
