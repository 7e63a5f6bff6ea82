import PostgreSQL

/// What PostgreSQL says of the owner of some vehicles.
package struct ShardRow: Hashable, Sendable {
    package var name: String
    /// How many owners there were; each commit compares it.
    package var epoch: Int64

    /// Those of a database, by name; nil: there is no store in it.
    package static func all(at address: PostgreSQLAddress) throws -> [ShardRow]? {
        let connection = try PostgreSQLConnection(
            address.url, defaults: ["connect_timeout": "5"], password: address.password)
        var isThere = false
        try connection.execute("SELECT 1 WHERE to_regclass('shard') IS NOT NULL", each: [[]]) { _ in isThere = true }
        guard isThere else { return nil }
        var rows: [ShardRow] = []
        try connection.execute("SELECT name, epoch FROM shard ORDER BY name", each: [[]]) { row in
            rows.append(ShardRow(name: row.text(at: 0) ?? "", epoch: row.integer(at: 1) ?? 0))
        }
        return rows
    }
}
