import BinaryCoding

/// Writes every text once, and tags; other values go to `binary`.
struct CompactWriter {
    var binary = BinaryEncoder()
    private var known: [String: UInt64] = [:]

    /// Its number; a number that is new is followed by the text.
    mutating func put(_ text: String) {
        if let number = known[text] { return binary.append(number: number) }
        let number = UInt64(known.count)
        known[text] = number
        binary.append(number: number)
        binary.append(text: text)
    }

    /// In an order that does not depend on the run.
    mutating func put(_ tags: [String: String]) {
        binary.append(number: UInt64(tags.count))
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
            put(key)
            put(value)
        }
    }
}
