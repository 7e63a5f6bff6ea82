/// A place among the messages of one run of the gateway: `<run>-<number>`.
struct StreamCursor: Equatable, LosslessStringConvertible {
    var run: String
    /// The number of the last message that was heard.
    var number: UInt64

    init(run: String, number: UInt64) {
        (self.run, self.number) = (run, number)
    }

    init?(_ text: String) {
        guard let dash = text.lastIndex(of: "-"), let number = UInt64(text[text.index(after: dash)...]) else {
            return nil
        }
        self.init(run: String(text[..<dash]), number: number)
    }

    var description: String { "\(run)-\(number)" }
}
