import Messages
import PostgreSQL

/// A store whose fleet is divided: one part for each shard, all alike.
extension Store {
    /// Where each part says how many there are; a store that does not say it is undivided.
    static let shardsKey = "shards"
    /// What has distributed the vehicles over them: a gateway, where nothing is said, or RabbitMQ's queues.
    fileprivate static let divisionKey = "division"

    /// Opens the parts of the store at `location`, and makes those that are missing.
    ///
    /// - Parameter count: of the shards; 1: the store is undivided.
    /// - Throws: as `init`; `otherShards` where the store was made for another number of them.
    package static func open(
        _ location: StoreLocation, shards count: Int, limits: StoreLimits = .standard,
        durability: StoreDurability = .power
    ) throws(StoreError) -> [Store] {
        var stores: [Store] = []
        for index in 0..<count {
            let store = try Store(location.shard(index), limits: limits, durability: durability)
            try store.claim(shards: count)
            stores.append(store)
        }
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
        try store.claim(shards: count, isQueue: true)
        return store
    }

    /// Asks whether a gateway could take parts over there; makes nothing.
    ///
    /// - Throws: `notPermitted` where the role may not write what there is, or make what is missing; and as `open`.
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
            let mayMake = "SELECT count(*) WHERE has_database_privilege(current_database(), 'CREATE')"
            if try database.number(mayMake) > 0 { return }
            let first = try database.first("SELECT CAST(current_schema() AS TEXT)") { $0[0] as String } ?? ""
            for name in (1..<count).map({ Schema.name(of: $0, beside: first) }) {
                let there = "SELECT count(*) FROM pg_namespace WHERE CAST(nspname AS TEXT) = ?"
                guard try database.number(there, [name]) > 0 else {
                    throw StoreError.notPermitted(path: "\(address)", reason: "there is no schema \(name)")
                }
            }
        } catch {
            throw StoreError(error, path: "\(address)")
        }
    }

    /// As `open` with the number of shards that the store was made for.
    package static func openAll(_ location: StoreLocation) throws(StoreError) -> [Store] {
        let first = try Store(location)
        var stores = [first]
        for index in 1..<max(try first.beforeUse { try $0.shardCount() } ?? 1, 1) {
            stores.append(try Store(location.shard(index)))
        }
        return stores
    }

    /// Makes an empty store one of a fleet that is divided so, and compares with what another says.
    ///
    /// - Parameter isQueue: whether RabbitMQ divides the fleet, by another hash.
    private func claim(shards count: Int, isQueue: Bool = false) throws(StoreError) {
        let (found, isDividedByQueues) = try beforeUse { database in
            if let recorded = try database.shardCount() { return (recorded, try database.isDividedByQueues()) }
            guard count > 1, try database.hasNoFleet() else { return (1, isQueue) }
            try database.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?)", [Self.shardsKey, "\(count)"])
            if isQueue {
                try database.execute("INSERT INTO meta (key, value) VALUES (?, 'queues')", [Self.divisionKey])
            }
            return (count, isQueue)
        }
        guard isDividedByQueues == isQueue else { throw .otherDivision(path: path, isByQueues: isDividedByQueues) }
        guard found == count else {
            throw .otherShards(path: path, expected: count, got: found, isByQueues: isQueue)
        }
    }
}

extension SQLConnection {
    /// Nil where the store does not say it.
    func shardCount() throws -> Int? {
        try first("SELECT value FROM meta WHERE key = ?", [Store.shardsKey]) { $0[0] as String }.flatMap { Int($0) }
    }

    fileprivate func isDividedByQueues() throws -> Bool {
        try number("SELECT count(*) FROM meta WHERE key = ?", [Store.divisionKey]) > 0
    }

    /// Whether nothing is kept that belongs to a vehicle or concerns all of them.
    fileprivate func hasNoFleet() throws -> Bool {
        let tables = ["vehicle", "journal", "outbox", "retained", "history", "response", "refusal", "turn", "track"]
        return try tables.allSatisfy { try number("SELECT count(*) FROM \($0)") == 0 }
    }
}
