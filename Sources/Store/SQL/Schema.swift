import GRDB

/// The tables, as a list of migrations that only ever grows.
enum Schema {
    /// "HDRM": tells a store from another program's database (sqlite.org/pragma.html#pragma_application_id).
    static let applicationID = 0x4844_524D

    /// What a later version changes is registered behind it.
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.identifier) { database in
                try database.execute(sql: migration.sql)
                if migration.identifier == "v1" {
                    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
                }
            }
        }
        return migrator
    }

    /// Written for SQLite, in the terms that `translated` knows in PostgreSQL.
    static let migrations: [(identifier: String, sql: String)] = [
        ("v1", version1), ("v2", version2), ("v3", version3), ("v4", version4), ("v5", version5), ("v6", version6),
        ("v7", version7), ("v8", version8), ("v9", version9), ("v10", version10),
    ]

    static let identifiers = migrations.map(\.identifier)

    private static let version1 = """
        CREATE TABLE vehicle (
            id TEXT PRIMARY KEY NOT NULL,
            levels TEXT NOT NULL,           -- JSON array of the other topic levels
            state BLOB NOT NULL,            -- the engine's own encoding
            updated_at INTEGER NOT NULL     -- milliseconds since 1970, as all times here
        ) STRICT;

        -- AUTOINCREMENT: an id is never used twice, so a late delivery report never deletes a younger entry.
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            topic TEXT NOT NULL,
            payload BLOB NOT NULL,
            qos INTEGER NOT NULL CHECK (qos BETWEEN 0 AND 2),
            retain INTEGER NOT NULL CHECK (retain IN (0, 1)),
            expires_at INTEGER,             -- null: never
            content_type TEXT,
            user_properties TEXT NOT NULL,  -- JSON array of {name, value}
            created_at INTEGER NOT NULL,
            priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 2)  -- OutboxPriority
        ) STRICT;

        CREATE INDEX outbox_retained ON outbox (topic) WHERE retain = 1;

        -- With the id, which every index holds: the order in which messages leave.
        CREATE INDEX outbox_priority ON outbox (priority);

        CREATE TABLE meta (
            key TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT;

        -- Retained inputs other than profiles: what the broker tells once and a resumed session does not tell again.
        CREATE TABLE retained (
            topic TEXT PRIMARY KEY NOT NULL,
            payload BLOB NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;

        -- How often this fleet drove from one edge onto the next; edges by OSM ids.
        CREATE TABLE turn (
            way INTEGER NOT NULL,
            from_node INTEGER NOT NULL,
            to_node INTEGER NOT NULL,
            next_way INTEGER NOT NULL,
            next_from_node INTEGER NOT NULL,
            next_to_node INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (way, from_node, to_node, next_way, next_from_node, next_to_node)
        ) STRICT, WITHOUT ROWID;

        -- What was published and is to be looked up later. AUTOINCREMENT: a cursor never meets a row of another day.
        CREATE TABLE history (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,               -- of the message
            sequence INTEGER NOT NULL,
            vehicle TEXT NOT NULL,
            type TEXT NOT NULL CHECK (type IN ('alert', 'event', 'visit')),
            time INTEGER NOT NULL,
            payload BLOB NOT NULL,          -- JSON, as published
            UNIQUE (id, sequence)
        ) STRICT;

        -- The first for all types and for the purge, the others for one type or one vehicle.
        CREATE INDEX history_time ON history (time);
        CREATE INDEX history_type ON history (type, time);
        CREATE INDEX history_vehicle ON history (vehicle, time);

        -- Which number stands for which fence: vehicles know by it of which fences they were told.
        CREATE TABLE fence (
            id TEXT PRIMARY KEY NOT NULL,
            digest INTEGER NOT NULL,        -- of what the fence said
            serial INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- What vehicles that may not be kept have said about it, under names that cannot be read back.
        CREATE TABLE refusal (
            digest TEXT PRIMARY KEY NOT NULL,
            status TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Which number stands for which vehicle's track: its name stands here once, and not with each position.
        CREATE TABLE track (
            number INTEGER PRIMARY KEY,
            vehicle TEXT NOT NULL UNIQUE
        ) STRICT;

        -- The fixes that were accepted, where privacy.keep_positions says for how long.
        CREATE TABLE position (
            track INTEGER NOT NULL,
            time INTEGER NOT NULL,
            latitude INTEGER NOT NULL,      -- 1e-7 degrees: a centimetre
            longitude INTEGER NOT NULL,
            accuracy INTEGER,               -- decimetres, as altitude
            speed INTEGER,                  -- centimetres a second
            course INTEGER,                 -- tenths of a degree
            altitude INTEGER,
            PRIMARY KEY (track, time)
        ) STRICT, WITHOUT ROWID;

        -- For the purge.
        CREATE INDEX position_time ON position (time);
        """

    private static let version2 = """
        -- What batches did to vehicles that were not written with them, to be done again after a crash.
        CREATE TABLE journal (
            batch INTEGER PRIMARY KEY,
            record BLOB NOT NULL            -- the engine's own encoding
        ) STRICT;

        -- The last batch that the state includes; 0: it is of before there was a journal.
        ALTER TABLE vehicle ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
        """

    private static let version3 = """
        -- Alerts that dispatch has to take, by the message of theirs that says so.
        CREATE TABLE untaken (
            alert TEXT PRIMARY KEY NOT NULL,
            sequence INTEGER NOT NULL,
            vehicle TEXT NOT NULL,
            stage TEXT NOT NULL,
            time INTEGER NOT NULL,
            text TEXT NOT NULL,
            latitude REAL NOT NULL,         -- of the bridge
            longitude REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let version4 = """
        -- When nobody had answered for too long; null: not yet.
        ALTER TABLE untaken ADD COLUMN escalated_at INTEGER;

        -- What drivers and dispatchers did about alerts; the columns are those of history.
        CREATE TABLE response (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,               -- of the alert
            sequence INTEGER NOT NULL,      -- of the message acknowledged; of handling, its revision
            vehicle TEXT NOT NULL,
            type TEXT NOT NULL CHECK (type IN ('acknowledgement', 'handling')),
            time INTEGER NOT NULL,
            payload BLOB NOT NULL,          -- JSON
            UNIQUE (type, id, sequence)
        ) STRICT;

        CREATE INDEX response_time ON response (time);
        CREATE INDEX response_type ON response (type, time);
        CREATE INDEX response_vehicle ON response (vehicle, time);
        """

    private static let version5 = """
        -- Which phones may speak for which vehicle.
        CREATE TABLE cab_token (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            vehicle TEXT NOT NULL,
            digest BLOB NOT NULL UNIQUE,    -- SHA-256 of the token
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT;

        -- Codes that were exchanged for one, until they expire.
        CREATE TABLE cab_code (
            nonce BLOB PRIMARY KEY NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let version6 = """
        -- How many vehicles came by places near low clearances, and how many drove under. No vehicle, no time.
        CREATE TABLE passages (
            id INTEGER PRIMARY KEY CHECK (id IN (1, 2)),    -- StoredPassages
            counts BLOB NOT NULL                            -- the engine's own encoding
        ) STRICT;
        """

    private static let version7 = """
        -- What waits to be posted to webhooks.
        CREATE TABLE webhook (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            url TEXT NOT NULL,
            message TEXT NOT NULL,          -- its id and sequence
            vehicle TEXT NOT NULL,
            payload BLOB NOT NULL,          -- JSON, as published
            created_at INTEGER NOT NULL
        ) STRICT;

        -- With the id, which every index holds: the order in which messages are posted.
        CREATE INDEX webhook_url ON webhook (url);
        CREATE INDEX webhook_vehicle ON webhook (vehicle);
        """

    private static let version8 = """
        -- What kept a vehicle from being warned until a time, and from then on.
        CREATE TABLE blind_spots (
            vehicle TEXT NOT NULL,
            time INTEGER NOT NULL,
            before TEXT NOT NULL,           -- JSON, as in the state message
            after TEXT NOT NULL,
            PRIMARY KEY (vehicle, time)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX blind_spots_time ON blind_spots (time);
        """

    private static let version9 = """
        -- With room for a third row: what a part of a divided store brings to the sum of all parts.
        CREATE TABLE passages_next (
            id INTEGER PRIMARY KEY CHECK (id IN (1, 2, 3)), -- StoredPassages
            counts BLOB NOT NULL                            -- the engine's own encoding
        ) STRICT;
        INSERT INTO passages_next (id, counts) SELECT id, counts FROM passages;
        DROP TABLE passages;
        ALTER TABLE passages_next RENAME TO passages;
        """

    /// Programs of before do not read the frames.
    private static let version10 = """
        -- From here on vehicle.state and the payloads of history and response are frames of Zstandard (RFC 8878), where they are
        -- written anew: see Vehicle.state() and HistoryPayload.
        """

    /// Brings the database to this version, unless it is another program's or has a schema that this version does not know:
    /// then it is left as it is.
    static func apply(to database: DatabaseQueue, path: String) throws {
        let migrator = Self.migrator
        try database.inDatabase { database in
            try refuseForeign(database, path: path)
            let applied = try migrator.appliedIdentifiers(database)
            guard applied.isSubset(of: migrator.migrations) else { throw otherSchema(applied, path: path) }
        }
        try migrator.migrate(database)
    }

    /// For those who may not bring it up to date.
    static func requireCurrent(_ database: Database, path: String) throws {
        try refuseForeign(database, path: path)
        let migrator = Self.migrator
        let applied = try migrator.appliedIdentifiers(database)
        guard applied == Set(migrator.migrations) else { throw otherSchema(applied, path: path) }
    }

    static func otherSchema(_ applied: Set<String>, path: String) -> StoreError {
        // v2 before v10.
        .otherSchema(path: path, expected: identifiers, got: applied.sorted { ($0.count, $0) < ($1.count, $1) })
    }

    private static func refuseForeign(_ database: Database, path: String) throws {
        let id = try Int.fetchOne(database, sql: "PRAGMA application_id")
        guard try id == applicationID || (id == 0 && holdsNothing(database)) else {
            throw StoreError.notAStore(path: path, reason: "it is another program's database")
        }
    }

    /// The migrator writes its own table first; a gateway that was killed between the two has left a store all the same.
    private static func holdsNothing(_ database: Database) throws -> Bool {
        let query = "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'"
        return try Int.fetchOne(database, sql: query) == 0
    }
}
