import PostgreSQL

extension Store {
    /// What `StoreBatch.meta` has set in the store of a cluster, whichever version made that; nothing where there is no store yet.
    package static func facts(
        _ keys: [String], at address: PostgreSQLAddress
    ) throws(StoreError) -> [String: String] {
        do {
            let connection = try PostgreSQLConnection(
                address.url, defaults: ["connect_timeout": "5"], password: address.password)
            let database = SQLConnection.postgreSQL(connection)
            guard try database.number("SELECT count(*) WHERE to_regclass('meta') IS NOT NULL") > 0 else { return [:] }
            return try keys.reduce(into: [:]) { facts, key in
                facts[key] = try database.first("SELECT value FROM meta WHERE key = ?", [key]) { $0[0] as String }
            }
        } catch {
            throw StoreError(error, path: "\(address)")
        }
    }
}
