import GRDB
import PostgreSQL

/// Values for the places `?` of a statement.
typealias SQLValues = [(any DatabaseValueConvertible)?]

/// A connection to either database. The store's statements are written so that both take the same text.
enum SQLConnection {
    case sqlite(Database)
    case postgreSQL(PostgreSQLConnection)

    /// Runs a statement.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func execute(_ sql: String, _ values: SQLValues = []) throws -> Int {
        try execute(sql, each: CollectionOfOne(values))
    }

    /// Runs a statement once for each element of `values`.
    ///
    /// - Returns: how many rows were changed in all.
    @discardableResult
    func execute(_ sql: String, each values: some Sequence<SQLValues>) throws -> Int {
        switch self {
        case .sqlite(let database):
            var changes = 0
            try run(sql, each: values, in: database) { changes += database.changesCount }
            return changes
        case .postgreSQL(let connection):
            return try connection.execute(sql, each: values.lazy.map(Self.parameters))
        }
    }

    /// Runs an `INSERT` once for each element of `values`.
    ///
    /// - Returns: the column `id` of each row.
    func insert(_ sql: String, each values: some Sequence<SQLValues>) throws -> [Int64] {
        var ids: [Int64] = []
        switch self {
        case .sqlite(let database):
            try run(sql, each: values, in: database) { ids.append(database.lastInsertedRowID) }
        case .postgreSQL(let connection):
            try connection.execute(sql + " RETURNING id", each: values.lazy.map(Self.parameters)) {
                ids.append($0.integer(at: 0)!)
            }
        }
        return ids
    }

    /// Hands over each row that a statement returns, one at a time. `receive` must not use the connection.
    func rows(_ sql: String, _ values: SQLValues = [], _ receive: (SQLRow) throws -> Void) throws {
        try firstRows(sql, values) {
            try receive($0)
            return true
        }
    }

    /// Hands over one row after the other that a statement returns, as long as `isNextWanted` says so; it must not use the
    /// connection.
    func firstRows(_ sql: String, _ values: SQLValues = [], while isNextWanted: (SQLRow) throws -> Bool) throws {
        switch self {
        case .sqlite(let database):
            let rows = try Row.fetchCursor(
                try database.cachedStatement(sql: sql), arguments: StatementArguments(values))
            while let row = try rows.next(), try isNextWanted(.sqlite(row)) {}
        case .postgreSQL(let connection):
            var isWanted = true
            try connection.execute(sql, each: CollectionOfOne(Self.parameters(values))) { row in
                // The server sends the others all the same.
                if isWanted { isWanted = try isNextWanted(.postgreSQL(row)) }
            }
        }
    }

    func all<Result>(
        _ sql: String, _ values: SQLValues = [], _ transform: (SQLRow) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try rows(sql, values) { results.append(try transform($0)) }
        return results
    }

    /// Of a statement that returns one row at most.
    func first<Result>(
        _ sql: String, _ values: SQLValues = [], _ transform: (SQLRow) throws -> Result
    ) throws -> Result? {
        try all(sql, values, transform).first
    }

    /// The number that a statement returns, as `SELECT count(*)` does.
    func number(_ sql: String, _ values: SQLValues = []) throws -> Int { try first(sql, values) { $0[0] } ?? 0 }

    private func run(
        _ sql: String, each values: some Sequence<SQLValues>, in database: Database, _ after: () -> Void
    ) throws {
        var iterator = values.makeIterator()
        guard var next = iterator.next() else { return }
        let statement = try database.cachedStatement(sql: sql)
        while true {
            try statement.execute(arguments: StatementArguments(next))
            after()
            guard let another = iterator.next() else { return }
            next = another
        }
    }

    private static func parameters(_ values: SQLValues) -> [PostgreSQLValue] {
        values.map { value in
            switch value?.databaseValue.storage {
            case .int64(let number): .integer(number)
            case .double(let number): .real(number)
            // PostgreSQL has no place for it in a text, and would refuse the batch again and again.
            case .string(let text): .text(text.replacing("\0", with: "\u{FFFD}"))
            case .blob(let data): .bytes(Array(data))
            case .null, nil: .null
            }
        }
    }
}
