/// What the server or libpq did not do.
package struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// No connection could be made, or the one that there was is lost.
        case unreachable
        /// The server is there and does not let this client in.
        case refused
        /// The server did not run a statement.
        case statement(sqlState: String)
    }

    package var kind: Kind
    /// In the server's words, one line.
    package var reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package var description: String {
        guard case .statement(let sqlState) = kind else { return reason }
        return "\(reason) (SQLSTATE \(sqlState))"
    }
}
