import GRDB
import Messages

/// Everything of one store, put into another, which is empty: from a file into a database, and back.
package struct StoreMove: Sendable {
    /// How many rows each table has, by its name.
    package let rows: [String: Int]

    /// So many rows are read before they are written: some megabytes.
    private static let rowsAtOnce = 1_000

    /// Copies the store at `original`, which stays as it is, each of its parts in one transaction; after a failure the
    /// target is empty again.
    ///
    /// - Parameters:
    ///   - progress: called now and then with the share of the rows that is done, `0 ... 1`; returns whether to go on.
    /// - Throws: `inUse` where a gateway has one of them open, `missing`, `copyExists` where the target holds anything,
    ///   `copyFailed` where it was stopped or the copy has not as many rows as the original, and what `Store` throws.
    package init(
        from original: StoreLocation, to target: StoreLocation, progress: (Double) -> Bool = { _ in true }
    ) throws(StoreError) {
        // A part that is not there would be made.
        _ = try StoreReader(original).parts()
        let sources = try Store.openAll(original)
        var copies: [Store] = []
        for index in sources.indices { copies.append(try Store(target.shard(index))) }
        guard Set(sources.map(\.path)).isDisjoint(with: copies.map(\.path)) else {
            throw .copyFailed(path: "\(target)", reason: "it is the store itself")
        }
        var counts: [[String: Int]] = []
        for source in sources { counts.append(try source.owned { try $0.counts() }) }
        let sums = counts.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        let all = max(1, sums.values.reduce(0, +))
        var done = 0
        for index in sources.indices {
            let path = copies[index].path
            do throws(StoreError) {
                try Self.fill(copies[index], from: sources[index], counts[index]) { rows in
                    done += rows
                    guard progress(Double(done) / Double(all)) else {
                        throw StoreError.copyFailed(path: path, reason: "it was stopped")
                    }
                }
            } catch {
                for copy in copies[..<index] {
                    try? copy.write(time: Timestamp(milliseconds: 0)) { try $0.database.removeAll() }
                }
                throw error
            }
        }
        for store in sources + copies { try store.close() }
        rows = sums
    }

    /// Copies one part.
    private static func fill(
        _ copy: Store, from source: Store, _ counts: [String: Int], copied: (Int) throws -> Void
    ) throws(StoreError) {
        let numbers = try source.owned { try $0.lastNumbers() }
        try copy.write(time: Timestamp(milliseconds: 0)) { writer in
            let database = writer.database
            let tables = counts.keys.sorted()
            guard try database.isEmptyStore(tables) else { throw StoreError.copyExists(path: copy.path) }
            for table in tables {
                try Self.copy(table, from: source, to: database, copied: copied)
                let (expected, got) = (counts[table] ?? 0, try database.count(table))
                guard expected == got else {
                    throw StoreError.copyFailed(
                        path: copy.path, reason: "the table \(table): expected \(expected) rows, got \(got)")
                }
            }
            try database.goOn(behind: numbers)
        }
    }

    private static func copy(
        _ table: String, from source: Store, to target: SQLConnection, copied: (Int) throws -> Void
    ) throws {
        let columns = try source.owned { try $0.columns(of: table) }
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let names = columns.joined(separator: ", ")
        var waiting: [SQLValues] = []
        func write() throws {
            try target.execute("INSERT INTO \(table) (\(names)) VALUES (\(places))", each: waiting)
            try copied(waiting.count)
            waiting.removeAll(keepingCapacity: true)
        }
        try source.owned { database in
            try database.rows("SELECT \(names) FROM \(table)") { row in
                waiting.append(row.values)
                if waiting.count == rowsAtOnce { try write() }
            }
        }
        try write()
    }
}

extension SQLConnection {
    fileprivate func count(_ table: String) throws -> Int { try number("SELECT count(*) FROM \(table)") }

    /// How many rows each table has.
    fileprivate func counts() throws -> [String: Int] {
        Dictionary(uniqueKeysWithValues: try tables().map { ($0, try count($0)) })
    }

    fileprivate func removeAll() throws {
        for table in try tables() { try execute("DELETE FROM \(table)") }
    }

    /// Those with what a store holds.
    private func tables() throws -> [String] {
        let query =
            switch self {
            case .sqlite:
                """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
                """
            case .postgreSQL:
                """
                SELECT CAST(tablename AS TEXT) FROM pg_tables
                WHERE schemaname = current_schema() AND tablename NOT IN ('headroom_migration', 'shard')
                """
            }
        return try all(query) { $0[0] }
    }

    fileprivate func columns(of table: String) throws -> [String] {
        let query =
            switch self {
            case .sqlite: "SELECT name FROM pragma_table_info(?) ORDER BY cid"
            case .postgreSQL:
                """
                SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                WHERE table_schema = current_schema() AND CAST(table_name AS TEXT) = ? ORDER BY ordinal_position
                """
            }
        return try all(query, [table]) { $0[0] }
    }

    /// Whether there is nothing but what an opening leaves, which is removed.
    fileprivate func isEmptyStore(_ tables: [String]) throws -> Bool {
        try execute("DELETE FROM meta WHERE key = 'touched'")
        return try tables.allSatisfy { try count($0) == 0 }
    }

    // MARK: Numbers that are never used twice

    /// The highest number that each table has given a row so far, where it remembers one.
    fileprivate func lastNumbers() throws -> [String: Int64] {
        switch self {
        case .sqlite:
            let rows = try all("SELECT name, seq FROM sqlite_sequence") { ($0[0] as String, $0[1] as Int64) }
            return Dictionary(uniqueKeysWithValues: rows)
        case .postgreSQL:
            var numbers: [String: Int64] = [:]
            for (table, column) in try numberedColumns() {
                let query = "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass))"
                numbers[table] = try first(query, [table, column]) { $0[0] as Int64? } ?? nil
            }
            return numbers
        }
    }

    /// Has rows numbered behind `numbers`, and behind those that there are.
    fileprivate func goOn(behind numbers: [String: Int64]) throws {
        switch self {
        case .sqlite:
            for (table, number) in numbers {
                // A table without the word gives the numbers of its last rows again, which does no harm there.
                let query = "SELECT count(*) FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'"
                guard try self.number(query, [table]) > 0 else { continue }
                try execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
                try execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, number])
            }
        case .postgreSQL:
            for (table, column) in try numberedColumns() {
                try rows(
                    """
                    SELECT setval(
                        CAST(pg_get_serial_sequence(?, ?) AS regclass),
                        GREATEST(CAST(? AS BIGINT), (SELECT coalesce(max(\(column)), 0) FROM \(table))) + 1, false)
                    """, [table, column, numbers[table] ?? 0]
                ) { _ in }
            }
        }
    }

    private func numberedColumns() throws -> [(table: String, column: String)] {
        try all(
            """
            SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns
            WHERE table_schema = current_schema() AND is_identity = 'YES'
            """
        ) { ($0[0], $0[1]) }
    }
}
