import GRDB

/// The database of a store, as its owner or a reader has it open.
enum StoreDatabase: Sendable {
    case sqlite(DatabaseQueue)
    case postgreSQL(PostgreSQLSession)

    func close() throws {
        switch self {
        case .sqlite(let queue): try queue.close()
        case .postgreSQL(let session): session.close()
        }
    }

    /// Runs `body`, each statement in a transaction of its own.
    func use<Result>(_ body: (SQLConnection) throws -> Result) throws -> Result {
        switch self {
        case .sqlite(let queue): try queue.inDatabase { try body(.sqlite($0)) }
        case .postgreSQL(let session): try session.use(body)
        }
    }

    /// Runs `body` in one transaction.
    ///
    /// - Parameter unsettled: what an attempt before this has left, whose commit may have reached the database.
    func write<Result>(
        _ unsettled: inout (transaction: StoreTransaction, result: Result)?, _ body: (SQLConnection) throws -> Result
    ) throws -> Result {
        switch self {
        case .sqlite(let queue):
            try queue.inDatabase { database in
                var result: Result?
                try database.inTransaction(.immediate) {
                    result = try body(.sqlite(database))
                    return .commit
                }
                return result!
            }
        case .postgreSQL(let session): try session.write(&unsettled, body)
        }
    }

    /// All that `body` reads is of one moment.
    func read<Result>(_ body: (SQLConnection) throws -> Result) throws -> Result {
        switch self {
        case .sqlite(let queue): try queue.read { try body(.sqlite($0)) }
        case .postgreSQL(let session): try session.read(body)
        }
    }
}
