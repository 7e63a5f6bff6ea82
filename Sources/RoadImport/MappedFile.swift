internal import Foundation
package import Roads

/// Why a file could not be opened, read or written: the system's own words, or what was expected in it.
package struct FileError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String
    /// Whether there is no such file, it may not be read, or it is none: then another one is to be named. Otherwise what it holds
    /// cannot be used, or it could not be written.
    package var isUnopened = false

    package var description: String { "\(path): \(reason)" }

    /// The file could not be opened, for the reason in `errno`.
    fileprivate static func unopened(_ path: String) -> FileError {
        FileError(path: path, reason: String(cString: strerror(errno)), isUnopened: true)
    }

    fileprivate static func directory(_ path: String) -> FileError {
        FileError(path: path, reason: "expected a file, got a directory", isUnopened: true)
    }
}

/// Looks whether a file can be opened, for those who do not open it with `MappedFile`.
package func requireReadable(_ path: String) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else { throw .unopened(path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .directory(path) }
}

/// A file mapped read-only. The mapping keeps the content that the file had, also after it was replaced by `rename`.
package final class MappedFile: RoadFileStorage, @unchecked Sendable {
    // Sendable: read-only memory, unmapped when nobody holds it any more.
    package let bytes: UnsafeRawBufferPointer

    package init(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unopened(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unopened(path) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .directory(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(path: path, reason: "expected a regular file, got a device or a pipe", isUnopened: true)
        }
        let length = Int(status.st_size)
        guard length > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw FileError(path: path, reason: String(cString: strerror(errno)))
        }
        bytes = UnsafeRawBufferPointer(start: start, count: length)
    }

    /// - Throws: where it is a text in UTF-16: it has that byte order mark, or every other of its first bytes is 0.
    func requireNoUTF16(_ path: String) throws(FileError) {
        let start = bytes.prefix(4)
        let hasMark = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        let zeros = start.map { $0 == 0 }
        guard hasMark || zeros == [false, true, false, true] || zeros == [true, false, true, false] else { return }
        throw FileError(path: path, reason: "expected UTF-8, got UTF-16; save it as UTF-8")
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }
}

extension RoadNetwork {
    /// Maps a road file and checks its header and directory.
    package static func open(_ path: String) throws -> RoadNetwork {
        let file = try MappedFile(path)
        do throws(RoadFileError) {
            return try RoadNetwork(file)
        } catch {
            throw FileError(path: path, reason: error.description)
        }
    }
}

/// Writes a file so that its name never shows half of it: beside it, synced, then renamed. A link stays, and what it leads to is
/// replaced; a device or a pipe is written into.
package func writeAtomically(_ content: [UInt8], to path: String) throws(FileError) {
    func failure() -> FileError { FileError(path: path, reason: String(cString: strerror(errno))) }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        guard writeAll(content, to: descriptor) else { throw failure() }
        return
    }
    let target = linkTarget(of: path)
    let partial = "\(target).partial-\(getpid())"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    guard writeAll(content, to: descriptor) else {
        let error = failure()
        close(descriptor)
        unlink(partial)
        throw error
    }
    guard fsync(descriptor) == 0, close(descriptor) == 0, rename(partial, target) == 0 else {
        let error = failure()
        unlink(partial)
        throw error
    }
}

/// - Returns: whether all of it was written; `errno` says why not.
private func writeAll(_ content: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < content.count {
        let count = content.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, content.count - written) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
    }
    return true
}

/// Where links lead from a path, also where nothing is there yet.
private func linkTarget(of path: String) -> String {
    var path = path
    // As many as Linux follows.
    for _ in 0..<40 {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        path = target.hasPrefix("/") ? target : folder + target
    }
    return path
}
