/// A value for a place `?` of a statement, in PostgreSQL's binary form.
package enum PostgreSQLValue: Hashable, Sendable {
    case null
    /// Of a column of the type `BIGINT`.
    case integer(Int64)
    /// Of a column of the type `DOUBLE PRECISION`.
    case real(Double)
    case text(String)
    case bytes([UInt8])

    /// Nil: null.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let value): Self.bigEndian(UInt64(bitPattern: value))
        case .real(let value): Self.bigEndian(value.bitPattern)
        case .text(let value): Array(value.utf8)
        case .bytes(let value): value
        }
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
