/// Where a store is kept.
package enum StoreLocation: Hashable, Sendable, CustomStringConvertible {
    /// The path of an SQLite file.
    case file(String)
    case postgreSQL(PostgreSQLAddress)

    /// As an argument or the configuration says it.
    package init(_ text: String) {
        if let address = PostgreSQLAddress(text) { self = .postgreSQL(address) } else { self = .file(text) }
    }

    /// Without a password.
    package var description: String {
        switch self {
        case .file(let path): path
        case .postgreSQL(let address): address.description
        }
    }
}
