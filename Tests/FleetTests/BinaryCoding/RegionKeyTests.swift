import BinaryCoding
import Messages
import Testing

@testable import Fleet

struct RegionKeyTests {
    private func read(_ write: (inout BinaryEncoder) -> Void) throws -> RegionKey {
        var encoder = BinaryEncoder()
        write(&encoder)
        return try encoder.bytes.withUnsafeBytes { bytes in
            var decoder = BinaryDecoder(bytes)
            let key = try RegionKey(from: &decoder)
            try decoder.finish()
            return key
        }
    }

    @Test(
        "A region's key is read as it was written, and where a store has the name, its key is read",
        arguments: ["", "depot-7", "osm:way:4711", "Hof Süd"])
    func stored(name: String) throws {
        let key = RegionKey(name)
        #expect(try read { key.encode(to: &$0) } == key)
        #expect(try read { $0.append(text: name) } == key)
    }
}
