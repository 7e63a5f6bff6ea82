import Foundation

/// A PostgreSQL database, as libpq names it: `postgresql://user@host:port/database?parameter=value`
/// (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
package struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible {
    package let url: String
    /// Nil: the one in the address, in `PGPASSWORD` or in libpq's password file.
    package var password: String?
    /// How the server names the sessions, so that who looks there finds the gateway; nil: `headroom` and the process id.
    package var applicationName: String?
    /// Beside the tables of the first shard, which are where the address says, each other one has a schema of its own.
    var shard = 0

    /// Nil where `url` does not begin as an address of PostgreSQL does.
    package init?(_ url: String, password: String? = nil) {
        guard ["postgresql://", "postgres://"].contains(where: url.hasPrefix) else { return nil }
        self.url = url
        self.password = password
    }

    /// Without a password, for messages and logs.
    package var description: String { shard == 0 ? place : "\(place), shard \(shard)" }

    private var place: String {
        let parts = url.split(separator: "?", maxSplits: 1)
        var text = String(parts[0])
        if let at = text.lastIndex(of: "@"), let user = text.range(of: "://")?.upperBound,
            let colon = text[user..<at].firstIndex(of: ":")
        {
            text.removeSubrange(colon..<at)
        }
        guard parts.count > 1 else { return text }
        let parameters = parts[1].split(separator: "&").filter { !$0.hasPrefix("password=") }
        return parameters.isEmpty ? text : text + "?" + parameters.joined(separator: "&")
    }
}
