import Foundation
import GRDB
import PostgreSQL

/// Why the store could not be opened, read or written. The description says what to do about it.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another gateway holds the store; nil where its process id could not be read.
    case inUse(path: String, process: Int32?)
    case directoryMissing(path: String)
    case notWritable(path: String, reason: String)
    /// The role of the database's server may not do what the gateway does.
    case notPermitted(path: String, reason: String)
    /// Not SQLite at all, or another program's database.
    case notAStore(path: String, reason: String)
    /// It has migrations that this version does not know; or it lacks some of this version's, and whoever opened it only
    /// reads.
    case otherSchema(path: String, expected: [String], got: [String])
    /// There is no such file, and whoever opened it only reads.
    case missing(path: String)
    /// There is a directory, and whoever opened it only reads.
    case directory(path: String)
    case notReadable(path: String, reason: String)
    case damaged(path: String, reason: String)
    case diskFull(path: String)
    /// Another process held the write lock for longer than `StoreLimits.busyTimeoutSeconds`.
    case busy(path: String)
    /// The disk did not read or write.
    case diskFailed(path: String, reason: String)
    case failed(path: String, reason: String)
    /// The database's server cannot be reached now.
    case unreachable(path: String, reason: String)
    /// The database's server answers, and writes nothing now: it is a standby, or whoever runs it has set it or the role so.
    case readOnly(path: String, reason: String)
    /// The database's server does not let the gateway in.
    case refused(path: String, reason: String)
    /// Another gateway has taken the store over; nothing that was not committed before is written any more.
    case ownershipLost(path: String)
    /// The store was made for another number of shards.
    case otherShards(path: String, expected: Int, got: Int, isByQueues: Bool)
    /// The vehicles of the store were distributed over as many shards by another hash.
    case otherDivision(path: String, isByQueues: Bool)
    /// A store is divided, and one of its parts is not there, or has nothing but tables.
    case partMissing(path: String, store: String)
    /// Where a part of a store is to be, there is another one.
    case otherPart(path: String, expected: Int, got: Int)
    /// Where a copy is to be, there is a file.
    case copyExists(path: String)
    case copyFailed(path: String, reason: String)
    /// Nothing of the batch was kept: it would have left more than `limit` entries.
    case outboxFull(limit: Int)
    /// Nothing of the batch was kept: the message at `index` cannot be sent over MQTT or breaks a limit.
    case unsendable(index: Int, reason: String)
    /// Nothing of the batch was kept.
    case stateTooLarge(vehicle: String, bytes: Int, limit: Int)

    package var description: String {
        switch self {
        case .inUse(let path, let process):
            let holder = process.map { "process \($0)" } ?? "another process"
            return
                "the store \(path) is in use by \(holder); stop that gateway first, or set another `store` for this one"
        case .directoryMissing(let path):
            return "the directory of the store \(path) does not exist; create it, or set another `store`"
        case .notWritable(let path, let reason):
            return "the store \(path) cannot be written: \(reason); "
                + "give the gateway's user write access to the file and to its directory"
        case .notPermitted(let path, let reason):
            return "the store \(path) cannot be used by its role: \(reason); let the role connect to the database and "
                + "make schemas in it, as its owner may"
        case .notAStore(let path, let reason):
            return "\(path): expected a store of Headroom, got another file: \(reason); "
                + "set another `store`, or restore this one from a backup"
        case .otherSchema(let path, let expected, let got):
            return "the store \(path) has another schema: expected \(Self.list(expected)), got \(Self.list(got)); "
                + (Set(got).isSubset(of: expected)
                    ? "start the gateway of this version once, which brings it up to date"
                    : "run the version of Headroom that made it, or set another `store`")
        case .missing(let path):
            return "there is no store \(path); name the one of the gateway, which makes it at its first start"
        case .directory(let path):
            return "expected a store, got the directory \(path); name the file in it"
        case .notReadable(let path, let reason):
            return "the store \(path) cannot be read: \(reason); take a user who may read the file, and write to its "
                + "directory while no gateway runs: SQLite sets up its shared memory there"
        case .damaged(let path, let reason):
            return
                "the store \(path) is damaged: \(reason); restore it from a backup, or move it, its -wal and its -shm "
                + "away to start anew: unsent messages and the state of all vehicles are lost then, and fences, clearances, "
                + "profiles, routes and consent come again as far as the broker retains them"
        case .diskFull(let path):
            return "the disk of the store \(path) is full; make room there"
        case .busy(let path):
            return "the store \(path) is locked by another program; end what writes to it"
        case .diskFailed(let path, let reason):
            return "the disk of the store \(path) failed: \(reason); look at the system's log"
        case .failed(let path, let reason):
            return "the store \(path) failed: \(reason)"
        case .unreachable(let path, let reason):
            return "the store \(path) cannot be reached: \(reason)"
        case .readOnly(let path, let reason):
            return "the store \(path) can be read and not be written: \(reason); see whether its server is a standby, "
                + "and who has set `default_transaction_read_only` for the server, the database or the role"
        case .refused(let path, let reason):
            return
                "the store \(path) refuses the connection: \(reason); check user, password and database in `store.url` "
                + "and `store.password_file`, and the server's pg_hba.conf"
        case .ownershipLost(let path):
            return "another gateway took the store \(path) over, so that this one may not write to it any more; "
                + "give each gateway a store of its own"
        case .otherShards(let path, let expected, let got, let isByQueues):
            return "the store \(path) divides the fleet otherwise: expected \(expected) shards, got \(got); set "
                + "`\(isByQueues ? "cluster.queues" : "engine.shards"): \(got)`, or name another `store` to begin anew"
        case .otherDivision(let path, let isByQueues):
            return isByQueues
                ? "the store \(path) is that of a cluster, whose queues divide the fleet; set `cluster.url`, or name "
                    + "another `store`"
                : "the store \(path) is divided by `engine.shards`, and not by a cluster's queues; leave `cluster.url` "
                    + "empty, or name another `store`"
        case .partMissing(let path, let store):
            return "the store \(store) is divided, and its part \(path) is missing; restore all parts from one backup, "
                + "or name another `store` to begin anew"
        case .otherPart(let path, let expected, let got):
            return "\(path): expected part \(expected) of the store, got part \(got), numbered from 0; put each part "
                + "back under the name that it had"
        case .copyExists(let path):
            return "\(path) is there already; name another file, or say that it is to be replaced"
        case .copyFailed(let path, let reason):
            return "the copy \(path) cannot be made: \(reason)"
        case .outboxFull(let limit):
            return
                "the outbox holds \(limit) unsent messages and takes no more; see why the broker does not accept them"
        case .unsendable(let index, let reason):
            return "message \(index) of the batch cannot be sent: \(reason)"
        case .stateTooLarge(let vehicle, let bytes, let limit):
            return "the state of vehicle \(vehicle): expected at most \(limit) bytes, got \(bytes)"
        }
    }

    /// What keeps the store from working, in words that anybody may read, where it may work again by itself or once somebody has helped it:
    /// the same operation is then worth repeating. Nil: repeating it would lead to the same.
    package var temporaryReason: String? {
        switch self {
        case .diskFull: "its disk is full"
        case .busy: "another program has locked it"
        case .notWritable(_, let reason): "it cannot be written: \(reason)"
        case .notPermitted: "its role may not use it"
        case .diskFailed(_, let reason): "its disk failed: \(reason)"
        // Where the server is, its users and its databases are nobody's business who may ask whether the gateway is ready.
        case .unreachable: "it cannot be reached"
        case .readOnly: "it can only be read"
        case .refused: "it refuses the connection"
        default: nil
        }
    }

    /// Whether a store that cannot be opened is worth waiting for. One that its user may not write is a mistake in the
    /// configuration, which only a person can put right.
    package var isWorthWaitingAtStart: Bool {
        switch self {
        case .notWritable, .notPermitted, .refused: false
        default: temporaryReason != nil
        }
    }

    private static func list(_ migrations: [String]) -> String {
        migrations.isEmpty ? "none" : migrations.joined(separator: ", ")
    }
}

extension StoreError {
    /// What SQLite's result codes (sqlite.org/rescode.html) mean for whoever runs the gateway.
    init(_ error: any Error, path: String) {
        if let error = error as? StoreError {
            self = error
            return
        }
        if let error = error as? PostgreSQLError {
            self.init(error, path: path)
            return
        }
        guard let error = error as? DatabaseError else {
            self = .failed(path: path, reason: "\(error)")
            return
        }
        let reason = error.message ?? "\(error.resultCode)"
        self =
            switch error.resultCode {
            case .SQLITE_CORRUPT: .damaged(path: path, reason: reason)
            case .SQLITE_NOTADB: .notAStore(path: path, reason: reason)
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: .notWritable(path: path, reason: reason)
            case .SQLITE_FULL: .diskFull(path: path)
            case .SQLITE_BUSY: .busy(path: path)
            case .SQLITE_IOERR: .diskFailed(path: path, reason: reason)
            default: .failed(path: path, reason: reason)
            }
    }
}

extension StoreError {
    /// What PostgreSQL's error codes (postgresql.org/docs/current/errcodes-appendix.html) mean for whoever runs the gateway.
    private init(_ error: PostgreSQLError, path: String) {
        switch error.kind {
        case .unreachable: self = .unreachable(path: path, reason: error.reason)
        case .refused: self = .refused(path: path, reason: error.reason)
        case .statement("25006"): self = .readOnly(path: path, reason: error.reason)
        case .statement("53100"): self = .diskFull(path: path)
        case .statement("55P03"), .statement("40P01"), .statement("40001"): self = .busy(path: path)
        case .statement("58030"): self = .diskFailed(path: path, reason: error.reason)
        case .statement("42501"): self = .notPermitted(path: path, reason: error.reason)
        case .statement(let state) where error.endsConnection || state.hasPrefix("53"):
            self = .unreachable(path: path, reason: error.reason)
        case .statement(let state) where state.hasPrefix("XX"): self = .damaged(path: path, reason: error.reason)
        case .statement: self = .failed(path: path, reason: "\(error)")
        }
    }
}

extension PostgreSQLError {
    /// Whether another connection is needed before anything else can succeed: the server has ended this one, or it is one
    /// that only reads, as a standby is.
    var endsConnection: Bool {
        switch kind {
        case .unreachable, .refused: true
        case .statement(let state): ["08", "57P", "25P03", "25006"].contains(where: state.hasPrefix)
        }
    }
}
