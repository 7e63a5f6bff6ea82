import Foundation

/// The right to be the one gateway of a store: an exclusive flock(2) on `<store>.lock`, which holds the owner's pid.
///
/// The kernel drops the lock with the last descriptor, so also at kill -9. The file itself stays: were it removed, a
/// third process could lock a new one while a second still waits with the old one open.
final class StoreLock: Sendable {
    private let descriptor: CInt

    init(storePath: String) throws(StoreError) {
        // O_CLOEXEC: a child process must not keep the lock after this one has ended.
        let opened = open(storePath + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw Self.openError(errno, storePath: storePath) }
        descriptor = opened
        // Where this throws, `deinit` closes: a class whose members are all set is a whole one.
        try acquire(storePath: storePath)
        writeProcessID()
    }

    deinit {
        // A child that has just been forked holds a copy of the descriptor until it runs its program: unlocking ends the
        // lock for every copy, closing only with the last.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private func acquire(storePath: String) throws(StoreError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        let code = errno
        guard code == EWOULDBLOCK else {
            throw .failed(path: storePath, reason: "its lock file: \(String(cString: strerror(code)))")
        }
        throw .inUse(path: storePath, process: readProcessID())
    }

    private static func openError(_ code: CInt, storePath: String) -> StoreError {
        switch code {
        case ENOENT, ENOTDIR: .directoryMissing(path: storePath)
        case ENOSPC, EDQUOT: .diskFull(path: storePath)
        default: .notWritable(path: storePath, reason: "its lock file: \(String(cString: strerror(code)))")
        }
    }

    /// The pid is for the other's message only; where it cannot be written, the lock holds all the same.
    private func writeProcessID() {
        guard ftruncate(descriptor, 0) == 0 else { return }
        let text = "\(getpid())\n"
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }

    /// Nil in the moment before the owner has written it.
    private func readProcessID() -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

extension Store {
    /// Who has a store open.
    package struct Owner {
        /// Nil in the moment before it has said so.
        package let process: Int32?
    }

    /// As `owner(ofStoreAt:)`; of a server that cannot be asked nil.
    package static func owner(of location: StoreLocation) -> Owner? {
        switch location {
        case .file(let path): return owner(ofStoreAt: path)
        case .postgreSQL(let address):
            let session = PostgreSQLSession(
                address, .reader, lockSeconds: StoreLimits.standard.busyTimeoutSeconds)
            return (try? session.isOwned()) == true ? Owner(process: nil) : nil
        }
    }

    /// The gateway that has the store at `path` open; nil: none has, or it cannot be told. It looks by taking the lock for some
    /// microseconds, in which a gateway that starts would find the store in use.
    package static func owner(ofStoreAt path: String) -> Owner? {
        let path = resolved(path)
        guard FileManager.default.fileExists(atPath: path + ".lock") else { return nil }
        do throws(StoreError) {
            _ = try StoreLock(storePath: path)
            return nil
        } catch {
            guard case .inUse(_, let process) = error else { return nil }
            return Owner(process: process)
        }
    }
}
