import CPostgreSQL
import Foundation

/// A connection to a PostgreSQL server, over libpq. For one thread at a time.
///
/// Statements are prepared once and run in libpq's pipeline mode: a statement that is run for many values costs one round
/// trip for `statementsAtOnce` of them.
package final class PostgreSQLConnection {
    /// Limits what libpq holds in memory of statements that were not sent yet.
    private static let statementsAtOnce = 500

    private let connection: OpaquePointer
    /// The names of the statements that the server has prepared, by their text.
    private var prepared: [String: String] = [:]

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: as libpq takes it: `postgresql://user@host:port/database?…`.
    ///   - defaults: libpq's connection parameters, where the address does not set them.
    ///   - password: instead of the one that the address, the environment or libpq's password file holds.
    package init(_ address: String, defaults: [String: String] = [:], password: String? = nil) throws(PostgreSQLError) {
        var parameters = defaults.sorted { $0.key < $1.key } + [("dbname", address)]
        if let password { parameters.append(("password", password)) }
        parameters.append(("client_encoding", "UTF8"))
        connection = Self.withParameters(parameters) { PQconnectdbParams($0, $1, 1) }!
        guard PQstatus(connection) == CONNECTION_OK else {
            let isThere = Self.withParameters(parameters) { PQpingParams($0, $1, 1) } == PQPING_OK
            throw PostgreSQLError(isThere ? .refused : .unreachable, lastMessage)
        }
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        PQenterPipelineMode(connection)
    }

    deinit { PQfinish(connection) }

    package var isOpen: Bool { PQstatus(connection) == CONNECTION_OK }

    /// Runs statements without values, separated by semicolons.
    package func run(_ statements: String) throws(PostgreSQLError) {
        PQexitPipelineMode(connection)
        defer { PQenterPipelineMode(connection) }
        let result = PQexec(connection, statements)
        defer { PQclear(result) }
        if let error = error(in: result) { throw error }
    }

    /// Runs one statement for each element of `values`, in their order.
    ///
    /// - Parameters:
    ///   - statement: with a `?` for each value, or `?1`, `?2` and so on for one that stands in several places.
    ///   - receive: takes each row that the statement returns; it must not use the connection.
    /// - Returns: how many rows the statements changed or returned.
    @discardableResult
    package func execute(
        _ statement: String, each values: some Sequence<[PostgreSQLValue]>,
        receive: (PostgreSQLRow) throws -> Void = { _ in }
    ) throws -> Int {
        var count = 0
        var iterator = values.makeIterator()
        while true {
            var sent = 0
            while sent < Self.statementsAtOnce, let next = iterator.next() {
                if sent == 0 { try prepare(statement) }
                try send(prepared[statement]!, next)
                sent += 1
            }
            guard sent > 0 else { return count }
            count += try results(receive)
        }
    }

    // MARK: Steps

    private func prepare(_ statement: String) throws {
        guard prepared[statement] == nil else { return }
        let name = "s\(prepared.count)"
        try require(PQsendPrepare(connection, name, Self.numbered(statement), 0, nil))
        _ = try results { _ in }
        prepared[statement] = name
    }

    private func send(_ name: String, _ values: [PostgreSQLValue]) throws(PostgreSQLError) {
        var bytes: [UInt8] = []
        var places: [Int?] = []
        for value in values {
            guard let encoded = value.encoded else {
                places.append(nil)
                continue
            }
            places.append(bytes.count)
            bytes += encoded
        }
        // A buffer without any bytes may have no address, which libpq takes for null.
        bytes.append(0)
        let ends = places.indices.map { index in places[(index + 1)...].lazy.compactMap { $0 }.first ?? bytes.count - 1
        }
        let lengths = zip(places, ends).map { start, end in start.map { CInt(end - $0) } ?? 0 }
        let formats = [CInt](repeating: 1, count: values.count)
        let isSent = bytes.withUnsafeBytes { buffer in
            let base = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            let pointers = places.map { $0.map { base + $0 } }
            return PQsendQueryPrepared(connection, name, CInt(values.count), pointers, lengths, formats, 1)
        }
        try require(isSent)
    }

    /// Takes the results of all that was sent.
    private func results(_ receive: (PostgreSQLRow) throws -> Void) throws -> Int {
        try require(PQpipelineSync(connection))
        var count = 0
        var failure: (any Error)?
        var isBehindStatement = false
        while true {
            // Row by row: a result may be larger than the memory. Refused where there is nothing to read.
            PQsetSingleRowMode(connection)
            guard let result = PQgetResult(connection) else {
                // One nil stands behind the results of each statement; two are the end of a connection.
                guard isOpen, !isBehindStatement else {
                    throw PostgreSQLError(.unreachable, (failure as? PostgreSQLError)?.reason ?? lastMessage)
                }
                isBehindStatement = true
                continue
            }
            isBehindStatement = false
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                if let failure { throw failure }
                return count
            case PGRES_SINGLE_TUPLE:
                count += 1
                do { if failure == nil { try receive(PostgreSQLRow(result: result)) } } catch { failure = error }
            case PGRES_COMMAND_OK: count += Int(String(cString: PQcmdTuples(result))) ?? 0
            case PGRES_TUPLES_OK, PGRES_PIPELINE_ABORTED: break
            default: failure = failure ?? error(in: result)
            }
        }
    }

    private func require(_ isDone: CInt) throws(PostgreSQLError) {
        if isDone == 0 { throw PostgreSQLError(.unreachable, lastMessage) }
    }

    /// Nil: `result` is none of a failure.
    private func error(in result: OpaquePointer?) -> PostgreSQLError? {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
        default: break
        }
        guard isOpen, let state = PQresultErrorField(result, CInt(UInt8(ascii: "C"))) else {
            return PostgreSQLError(.unreachable, lastMessage)
        }
        let message = PQresultErrorField(result, CInt(UInt8(ascii: "M"))).map { String(cString: $0) } ?? ""
        return PostgreSQLError(.statement(sqlState: String(cString: state)), message)
    }

    private var lastMessage: String {
        String(cString: PQerrorMessage(connection)).split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    /// `$1`, `$2`, … for `?`.
    static func numbered(_ statement: String) -> String {
        var number = 0
        var parts = statement.split(separator: "?", omittingEmptySubsequences: false)[...]
        var text = String(parts.removeFirst())
        for part in parts {
            if part.first?.isNumber == true {
                text += "$" + part
            } else {
                number += 1
                text += "$\(number)" + part
            }
        }
        return text
    }

    private static func withParameters<Result>(
        _ parameters: [(String, String)],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
        defer {
            texts.forEach {
                free($0.0); free($0.1)
            }
        }
        let keys = texts.map { UnsafePointer($0.0) } + [nil]
        let values = texts.map { UnsafePointer($0.1) } + [nil]
        return body(keys, values)
    }
}
