import CPostgreSQL

/// One row of a result, as long as the closure that receives it runs.
package struct PostgreSQLRow {
    let result: OpaquePointer

    package var count: Int { Int(PQnfields(result)) }

    /// The value of a column of any type that a store has.
    package func value(at column: Int) -> PostgreSQLValue {
        guard let bytes = bytes(at: column) else { return .null }
        return switch PQftype(result, CInt(column)) {
        case 20: .integer(Int64(bitPattern: Self.number(bytes)))
        case 701: .real(Double(bitPattern: Self.number(bytes)))
        case 17: .bytes(Array(bytes))
        default: .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The number of a column `BIGINT`; nil: null.
    package func integer(at column: Int) -> Int64? { bytes(at: column).map { Int64(bitPattern: Self.number($0)) } }

    /// The number of a column `DOUBLE PRECISION`; nil: null.
    package func real(at column: Int) -> Double? { bytes(at: column).map { Double(bitPattern: Self.number($0)) } }

    package func text(at column: Int) -> String? { bytes(at: column).map { String(decoding: $0, as: UTF8.self) } }

    /// Nil: null.
    package func bytes(at column: Int) -> UnsafeRawBufferPointer? {
        let column = CInt(column)
        guard PQgetisnull(result, 0, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(start: PQgetvalue(result, 0, column), count: Int(PQgetlength(result, 0, column)))
    }

    private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        precondition(bytes.count == 8, "Expected a number of 8 bytes, got \(bytes.count).")
        return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }
}
