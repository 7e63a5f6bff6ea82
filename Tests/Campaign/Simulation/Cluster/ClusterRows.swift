import PostgreSQL
import PostgreSQLTestSupport
import Store

/// What a cluster's store holds, in the same words as `Outcome` has it of an SQLite file.
enum ClusterRows {
    /// A row a line, of all shards together.
    static func all(at address: PostgreSQLAddress, shards: Int) throws -> Set<String> {
        let connection = try PostgreSQLConnection(address.url)
        var rows: Set<String> = []
        for shard in 0..<shards {
            try connection.run("SET search_path TO \(schema(of: shard, at: address))")
            for query in Outcome.queries(hex: { "encode(\($0), 'hex')" }) {
                let text = "SELECT CAST(line AS TEXT) FROM (\(query)) AS line"
                try connection.execute(text, each: [[]]) { rows.insert($0.text(at: 0) ?? "") }
            }
        }
        return rows
    }

    static func drop(_ address: PostgreSQLAddress, shards: Int) throws {
        for shard in 0..<shards {
            try PostgreSQLServer.run("DROP SCHEMA IF EXISTS \(schema(of: shard, at: address)) CASCADE", at: address)
        }
    }

    /// The first shard's is where the address says.
    static func schema(of shard: Int = 0, at address: PostgreSQLAddress) -> String {
        let first = address.url.split(separator: "%3D").last.map(String.init) ?? ""
        return shard == 0 ? first : "\(first)_shard_\(shard)"
    }
}
