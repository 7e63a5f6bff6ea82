import Messages
import PostgreSQL

/// A store whose fleet is divided: one part for each shard, all alike.
extension Store {
    /// Where each part says how many there are; a store that does not say it is undivided.
    static let shardsKey = "shards"
    /// Where each part says which one it is, from 0; one of before says it once a gateway has opened it again.
    fileprivate static let shardKey = "shard"
    /// What has distributed the vehicles over them: a gateway, where nothing is said, or RabbitMQ's queues.
    fileprivate static let divisionKey = "division"

    /// Opens the parts of the store at `location`, and makes them where the first one does not say yet that there are any.
    ///
    /// - Parameter count: of the shards; 1: the store is undivided.
    /// - Throws: as `init`; `otherShards` where the store was made for another number of them; `partMissing`, `otherPart`.
    package static func open(
        _ location: StoreLocation, shards count: Int, limits: StoreLimits = .standard,
        durability: StoreDurability = .power
    ) throws(StoreError) -> [Store] {
        let first = try Store(location, limits: limits, durability: durability)
        let isDivided = try first.isDivided(into: count)
        var stores = [first]
        for index in 1..<count {
            if isDivided { try requirePart(index, of: location) }
            let store = try Store(location.shard(index), limits: limits, durability: durability)
            let isPart = try store.isDivided(into: count)
            // With nothing but tables it is no part.
            guard isPart || !isDivided else { throw .partMissing(path: store.path, store: first.path) }
            // Nothing is kept in a part before the first one says that there are any.
            if isPart, !isDivided, try store.beforeUse({ try !$0.hasNoFleet() }) {
                throw .partMissing(path: first.path, store: first.path)
            }
            try store.claim(index, of: count)
            stores.append(store)
        }
        // At last: from then on a part that is not there is missing.
        try first.claim(0, of: count)
        return stores
    }

    /// Takes one part over, of a fleet that RabbitMQ divides: an owner that still has it open loses it.
    ///
    /// - Parameters:
    ///   - index: of the part's queue.
    ///   - count: of the queues.
    /// - Throws: as `open`.
    package static func takeOver(
        _ address: PostgreSQLAddress, shard index: Int, of count: Int, limits: StoreLimits = .standard,
        durability: StoreDurability = .power
    ) throws(StoreError) -> Store {
        var part = address
        part.shard = index
        let store = try Store(part, limits: limits, durability: durability, deposes: true)
        _ = try store.isDivided(into: count, byQueues: true)
        try store.claim(index, of: count, byQueues: true)
        return store
    }

    /// Proves that a gateway could take parts over there: with a real commit, as `checkWritable`, and over a connection of its own, as
    /// each part has one. It leaves nothing behind where there are no tables yet.
    ///
    /// - Throws: `notPermitted` where the role may not write what there is, or make what is missing; `otherSchema` where a later version
    ///   has brought a part up to date; and as `open`.
    package static func requireUsable(_ address: PostgreSQLAddress, shards count: Int) throws(StoreError) {
        do {
            let connection = try PostgreSQLConnection(
                address.url, defaults: ["connect_timeout": "5"], password: address.password)
            let database = SQLConnection.postgreSQL(connection)
            let rights = """
                SELECT count(*) WHERE CASE WHEN to_regclass('shard') IS NULL
                    THEN has_schema_privilege(CAST(current_schema() AS TEXT), 'CREATE')
                    ELSE has_table_privilege('shard', 'UPDATE') END
                """
            guard try database.number(rights) > 0 else {
                throw StoreError.notPermitted(path: "\(address)", reason: "permission denied for its schema or tables")
            }
            let first = try database.first("SELECT CAST(current_schema() AS TEXT)") { $0[0] as String } ?? ""
            let schemas = (0..<count).map { Schema.name(of: $0, beside: first) }
            try requireSchemas(schemas.dropFirst(), database, address)
            for schema in schemas { try Schema.requireKnown(database, in: schema, path: "\(address)") }
            try write(database, connection)
        } catch {
            throw StoreError(error, path: "\(address)")
        }
    }

    private static func requireSchemas(
        _ names: some Sequence<String>, _ database: SQLConnection, _ address: PostgreSQLAddress
    ) throws {
        let mayMake = "SELECT count(*) WHERE has_database_privilege(current_database(), 'CREATE')"
        if try database.number(mayMake) > 0 { return }
        for name in names {
            let there = "SELECT count(*) FROM pg_namespace WHERE CAST(nspname AS TEXT) = ?"
            guard try database.number(there, [name]) > 0 else {
                throw StoreError.notPermitted(path: "\(address)", reason: "there is no schema \(name)")
            }
        }
    }

    /// Writes what no owner writes in the same moment for longer than one statement takes.
    private static func write(_ database: SQLConnection, _ connection: PostgreSQLConnection) throws {
        try connection.run("SET lock_timeout = '1s'")
        let hasTables = try database.number("SELECT count(*) WHERE to_regclass('meta') IS NOT NULL") > 0
        if hasTables { return try touch(database) }
        let name = "headroom_check_\(UInt64.random(in: .min ... .max))"
        // One transaction, whose end keeps nothing.
        try connection.run("CREATE TABLE \(name) (); DROP TABLE \(name)")
    }

    /// As `open` with the number of shards that the store was made for.
    package static func openAll(_ location: StoreLocation) throws(StoreError) -> [Store] {
        let first = try Store(location)
        var stores = [first]
        let (count, isByQueues) = try first.beforeUse {
            (try $0.shardCount() ?? 1, try $0.isDividedByQueues())
        }
        for index in 1..<max(count, 1) {
            // In a cluster a part is made when its queue is first taken over.
            if !isByQueues { try requirePart(index, of: location) }
            stores.append(try Store(location.shard(index)))
        }
        for (index, store) in stores.enumerated() {
            try store.beforeUse { try $0.requirePart(index, path: store.path) }
        }
        return stores
    }

    /// - Throws: `partMissing`. What else is wrong with a part shows when it is opened.
    private static func requirePart(_ index: Int, of location: StoreLocation) throws(StoreError) {
        do throws(StoreError) {
            _ = try StoreReader.part(index, of: location)
        } catch {
            if case .partMissing = error { throw error }
        }
    }

    /// Compares how the fleet is divided with what a part says.
    ///
    /// - Parameter byQueues: whether RabbitMQ divides the fleet, by another hash.
    /// - Returns: whether it says that it is a part; an empty one does not yet, nor does an undivided store.
    /// - Throws: `otherShards`, `otherDivision`.
    private func isDivided(into count: Int, byQueues isQueue: Bool = false) throws(StoreError) -> Bool {
        let (isRecorded, found, isDividedByQueues) = try beforeUse { database in
            if let recorded = try database.shardCount() { return (true, recorded, try database.isDividedByQueues()) }
            return (false, try count > 1 && database.hasNoFleet() ? count : 1, isQueue)
        }
        guard isDividedByQueues == isQueue else { throw .otherDivision(path: path, isByQueues: isDividedByQueues) }
        guard found == count else {
            throw .otherShards(path: path, expected: count, got: found, isByQueues: isQueue)
        }
        return isRecorded
    }

    /// Has a part say which one it is, and how the fleet is divided.
    ///
    /// - Throws: `otherPart` where it says that it is another one.
    private func claim(_ index: Int, of count: Int, byQueues isQueue: Bool = false) throws(StoreError) {
        guard count > 1 else { return }
        var facts = [(Self.shardKey, "\(index)")]
        if isQueue { facts.append((Self.divisionKey, "queues")) }
        // At last: a part that says it says the others as well.
        facts.append((Self.shardsKey, "\(count)"))
        try beforeUse { database in
            try database.requirePart(index, path: path)
            for (key, value) in facts {
                try database.execute(
                    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [key, value])
            }
        }
    }
}

extension SQLConnection {
    /// Nil where the store does not say it.
    func shardCount() throws -> Int? {
        try first("SELECT value FROM meta WHERE key = ?", [Store.shardsKey]) { $0[0] as String }.flatMap { Int($0) }
    }

    /// - Throws: `otherPart` where a part says that it is another one.
    func requirePart(_ index: Int, path: String) throws {
        let query = "SELECT value FROM meta WHERE key = ?"
        let found = try first(query, [Store.shardKey]) { $0[0] as String }.flatMap { Int($0) }
        guard let found, found != index else { return }
        throw StoreError.otherPart(path: path, expected: index, got: found)
    }

    fileprivate func isDividedByQueues() throws -> Bool {
        try number("SELECT count(*) FROM meta WHERE key = ?", [Store.divisionKey]) > 0
    }

    /// Whether nothing is kept that belongs to a vehicle or concerns all of them.
    fileprivate func hasNoFleet() throws -> Bool {
        let tables = [
            "vehicle", "journal", "outbox", "retained", "history", "response", "refusal", "turn", "passages", "track",
        ]
        return try tables.allSatisfy { try number("SELECT count(*) FROM \($0)") == 0 }
    }
}
