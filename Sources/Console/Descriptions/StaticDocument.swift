import Foundation

/// A document that belongs to the program, read once.
struct StaticDocument: Sendable {
    let bytes: [UInt8]
    let tag: EntityTag

    /// - Throws: `ConsoleSettingsError.documentUnreadable` where the program was moved without what belongs to it.
    init(named name: String) throws(ConsoleSettingsError) {
        let file = ProgramFolder.documents.appending(path: name)
        guard let data = FileManager.default.contents(atPath: file.path()) else {
            throw .documentUnreadable(file: file.path())
        }
        self.init(Array(data))
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tag = EntityTag(of: bytes)
    }
}
