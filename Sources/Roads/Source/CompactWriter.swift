import BinaryCoding
import Hashing

/// Writes every text once, and tags; other values go to `binary`.
struct CompactWriter {
    var binary = BinaryEncoder()
    private var known: [BytewiseText: UInt64] = [:]

    /// Its number; a number that is new is followed by the text.
    mutating func put(_ text: String) {
        let key = BytewiseText(text)
        if let number = known[key] { return binary.append(number: number) }
        let number = UInt64(known.count)
        known[key] = number
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
