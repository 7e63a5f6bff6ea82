import Foundation

/// Runs `body` with the path of a file of these bytes, for readers that want one. In memory, where the system has such a folder.
///
/// - Parameter ending: of the file's name; some readers go by it.
func onFile<Result>(_ bytes: [UInt8], ending: String = "", _ body: (String) throws -> Result) rethrows -> Result {
    let folder = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    var template = Array("\(folder)/headroom-fuzzed-XXXXXX\(ending)".utf8CString)
    let descriptor = mkstemps(&template, CInt(ending.utf8.count))
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    precondition(descriptor >= 0, "\(path): \(String(cString: strerror(errno)))")
    defer { unlink(path) }
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, bytes.count) }
    precondition(count == bytes.count, "\(path): \(String(cString: strerror(errno)))")
    close(descriptor)
    return try body(path)
}
