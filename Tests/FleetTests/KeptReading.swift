import Messages

@testable import Fleet

extension Kept {
    /// As it is kept, with the format before it.
    var keptBytes: [UInt8] {
        var writer = KeptWriter()
        writer.put(self)
        return writer.bytes
    }

    /// What a gateway that starts takes up of it.
    func keptAndRead() throws -> Self {
        var reader = try KeptReader(keptBytes)
        let read = try reader.get(Self.self)
        try reader.end()
        return read
    }
}
