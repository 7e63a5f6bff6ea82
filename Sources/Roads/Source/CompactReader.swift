import BinaryCoding

/// Reads what `CompactWriter` has written; damaged bytes are an error, whatever they say.
struct CompactReader {
    var binary: BinaryDecoder
    private var texts: [String] = []

    /// - Parameter bytes: of a network that outlives this reader.
    init(_ bytes: Table<UInt8>) { binary = BinaryDecoder(bytes.bytes) }

    mutating func text() throws(BinaryCodingError) -> String {
        let number = try binary.number()
        if number < UInt64(texts.count) { return texts[Int(number)] }
        guard number == UInt64(texts.count) else { throw binary.unreadable("a text's number up to \(texts.count)") }
        texts.append(try binary.text())
        return texts[Int(number)]
    }

    mutating func tags() throws(BinaryCodingError) -> [String: String] {
        var tags: [String: String] = [:]
        for _ in 0..<(try binary.length()) {
            let key = try text()
            tags[key] = try text()
        }
        return tags
    }
}
