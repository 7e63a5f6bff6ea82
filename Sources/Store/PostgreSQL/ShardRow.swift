import PostgreSQL

/// What PostgreSQL says of the owner of some vehicles.
package struct ShardRow: Hashable, Sendable {
    /// The shard's index, from 0.
    package var shard: Int
    /// How many owners there were; each commit compares it. Nil: there was none yet.
    package var epoch: Int64?
    /// What the owner calls itself; nil: nobody owns it now.
    package var owner: String?

    /// Those of a database; nil: there is no store in it.
    ///
    /// - Parameter count: how many shards there are.
    package static func all(at address: PostgreSQLAddress, shards count: Int) throws -> [ShardRow]? {
        let connection = try PostgreSQLConnection(
            address.url, defaults: ["connect_timeout": "5"], password: address.password)
        let database = SQLConnection.postgreSQL(connection)
        let first = "SELECT CAST(current_schema() AS TEXT) WHERE to_regclass('shard') IS NOT NULL"
        let schema = try database.first(first) { $0[0] as String }
        guard let schema else { return nil }
        return try (0..<count).map { try row(of: $0, in: Schema.name(of: $0, beside: schema), database) }
    }

    private static func row(of shard: Int, in schema: String, _ database: SQLConnection) throws -> ShardRow {
        var row = ShardRow(shard: shard)
        let table = Schema.quoted(schema) + ".shard"
        guard try database.number("SELECT count(*) WHERE to_regclass(?) IS NOT NULL", [table]) > 0 else { return row }
        row.epoch = try database.first("SELECT max(epoch) FROM \(table)") { $0[0] as Int64? } ?? nil
        row.owner = try database.first(
            """
            SELECT CAST(application_name AS TEXT) FROM pg_stat_activity
            WHERE pid IN (SELECT pid \(PostgreSQLSession.holders(of: "CAST(? AS TEXT)")))
            """, [schema]
        ) { $0[0] as String }
        return row
    }
}
