import Foundation

/// A file that the build puts beside the program, read once.
struct StaticDocument: Sendable {
    let bytes: [UInt8]
    /// A strong validator (RFC 9110 §8.8.3): the same bytes have the same one, whenever and wherever they were built.
    let entityTag: String

    /// - Throws: `ConsoleSettingsError.documentUnreadable` where the program was moved without what belongs to it.
    init(named name: String) throws(ConsoleSettingsError) {
        let file = Self.folder.appending(path: name)
        guard let data = FileManager.default.contents(atPath: file.path()) else {
            throw .documentUnreadable(file: file.path())
        }
        bytes = Array(data)
        entityTag = "\"" + String(Self.digest(of: bytes), radix: 16) + "\""
    }

    /// Tests run inside another program, which has no folder beside it; `Bundle.module` knows where the build put it, but
    /// ends the program where that is gone.
    private static var folder: URL {
        let beside = Bundle.main.bundleURL.appending(path: "Headroom_Console.resources/Documents")
        #if DEBUG
            if !FileManager.default.fileExists(atPath: beside.path()) {
                return Bundle.module.bundleURL.appending(path: "Documents")
            }
        #endif
        return beside
    }

    /// FNV-1a: tells versions of a file apart, and resists nobody.
    private static func digest(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
