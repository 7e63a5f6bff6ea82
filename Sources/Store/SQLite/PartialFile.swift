import Foundation

/// A file that has no name yet but one that says so; gone with its owner, unless it was given its name.
final class PartialFile {
    let path: String
    private let name: String

    /// Makes it, empty: nobody may read even half a copy who may not read the original.
    init(for name: String, permissionsOf original: String) throws(StoreError) {
        self.name = name
        path = "\(name).partial-\(getpid())"
        unlink(path)
        var status = stat()
        let mode = stat(original, &status) == 0 ? status.st_mode & 0o777 : 0o600
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure }
        // Not what the mask makes of it.
        fchmod(descriptor, mode)
        close(descriptor)
    }

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    /// After it, power may fail.
    func takeName() throws(StoreError) {
        try sync(path)
        guard rename(path, name) == 0 else { throw failure }
        try sync(URL(fileURLWithPath: name).deletingLastPathComponent().path)
    }

    private func sync(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private var failure: StoreError { .copyFailed(path: name, reason: String(cString: strerror(errno))) }
}
