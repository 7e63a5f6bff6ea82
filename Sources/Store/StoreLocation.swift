import Foundation

/// Where a store is kept.
package enum StoreLocation: Hashable, Sendable, CustomStringConvertible {
    /// The path of an SQLite file.
    case file(String)
    case postgreSQL(PostgreSQLAddress)

    /// As an argument or the configuration says it.
    package init(_ text: String) {
        if let address = PostgreSQLAddress(text) { self = .postgreSQL(address) } else { self = .file(text) }
    }

    /// Where the part of a shard is; the first one's part is where the store is.
    package func shard(_ index: Int) -> StoreLocation {
        switch self {
        case .file(let path): return .file(Self.file(path, shard: index))
        case .postgreSQL(var address):
            address.shard = index
            return .postgreSQL(address)
        }
    }

    /// `headroom.sqlite`, `headroom.1.sqlite`, `headroom.2.sqlite`, …
    package static func file(_ path: String, shard index: Int) -> String {
        guard index > 0 else { return path }
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        let file = url.pathExtension.isEmpty ? "\(name).\(index)" : "\(name).\(index).\(url.pathExtension)"
        return url.deletingLastPathComponent().appending(path: file).path
    }

    /// Without a password.
    package var description: String {
        switch self {
        case .file(let path): path
        case .postgreSQL(let address): address.description
        }
    }
}
