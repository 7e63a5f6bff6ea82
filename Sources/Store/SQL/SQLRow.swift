import Foundation
import GRDB
import PostgreSQL

/// A row of either database, as long as the closure that receives it runs. Columns are numbered from 0.
enum SQLRow {
    case sqlite(Row)
    case postgreSQL(PostgreSQLRow)

    subscript<Value: SQLColumn>(column: Int) -> Value {
        switch self {
        case .sqlite(let row): row[column]
        // As GRDB does: the schema says which columns may be null.
        case .postgreSQL(let row): Value(row, column)!
        }
    }

    subscript<Value: SQLColumn>(column: Int) -> Value? {
        switch self {
        case .sqlite(let row): row[column]
        case .postgreSQL(let row): Value(row, column)
        }
    }

    /// All columns.
    var values: SQLValues {
        switch self {
        case .sqlite(let row): Array(row.databaseValues)
        case .postgreSQL(let row):
            (0..<row.count).map { column in
                switch row.value(at: column) {
                case .null: nil
                case .integer(let number): number
                case .real(let number): number
                case .text(let text): text
                case .bytes(let bytes): Data(bytes)
                }
            }
        }
    }

    func bytes(at column: Int) throws -> [UInt8] {
        switch self {
        // SQLite has no address for an empty blob, which GRDB takes for none.
        case .sqlite(let row): try row.withUnsafeData(atIndex: column) { $0.map(Array.init) ?? [] }
        case .postgreSQL(let row): row.bytes(at: column).map(Array.init) ?? []
        }
    }
}

/// What a column holds.
protocol SQLColumn: DatabaseValueConvertible, StatementColumnConvertible {
    /// Nil: null.
    init?(_ row: PostgreSQLRow, _ column: Int)
}

extension Int: SQLColumn {
    init?(_ row: PostgreSQLRow, _ column: Int) {
        guard let number = row.integer(at: column) else { return nil }
        self.init(number)
    }
}

extension Int64: SQLColumn {
    init?(_ row: PostgreSQLRow, _ column: Int) {
        guard let number = row.integer(at: column) else { return nil }
        self = number
    }
}

extension Double: SQLColumn {
    init?(_ row: PostgreSQLRow, _ column: Int) {
        guard let number = row.real(at: column) else { return nil }
        self = number
    }
}

extension String: SQLColumn {
    init?(_ row: PostgreSQLRow, _ column: Int) {
        guard let text = row.text(at: column) else { return nil }
        self = text
    }
}
