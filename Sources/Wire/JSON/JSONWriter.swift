package import Messages

/// Writes one JSON document into bytes. Names are constants of this program, which need no escaping, or texts.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// The bytes of one object.
    package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(1024)
        writer.object(body)
        return writer.bytes
    }

    /// An object; its members are what the body writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        enclose("{", "}", body)
    }

    /// An array of what the body writes for each element: one value, or none.
    package mutating func array<Elements: Sequence>(
        _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        enclose("[", "]") { writer in
            for element in elements { body(&writer, element) }
        }
    }

    package mutating func string(_ text: String) {
        separate()
        quote(text)
    }

    package mutating func null() {
        separate()
        append("null")
    }

    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    package mutating func integer(_ value: Int) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(value.magnitude)
    }

    /// Rounds to at most that many decimals and writes at least one; null where `value` is no number.
    package mutating func number(_ value: Double, decimals: Int) {
        let power = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
        // Above 2^53 there are no decimals to round.
        if let scaled = Int(exactly: (value * power).rounded()), scaled.magnitude < 1 << 53 {
            fixed(scaled, decimals: decimals)
        } else {
            number(value)
        }
    }

    /// As many digits as it takes to read the same number again; null where `value` is no number.
    mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Writes `scaled / 10^decimals` in decimal, without trailing zeros but with at least one decimal.
    package mutating func fixed(_ scaled: Int, decimals: Int) {
        separate()
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let power = (0..<decimals).reduce(1 as UInt) { power, _ in power * 10 }
        let whole = scaled.magnitude / power
        var (fraction, width) = (scaled.magnitude % power, decimals)
        while width > 1, fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        append(whole)
        bytes.append(UInt8(ascii: "."))
        append(fraction, width: width)
    }

    /// A value that is JSON already, as a message that was published.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Begins a member; its value is what is written next.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// As above, for a name that the program does not know.
    mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func enclose(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// In decimal, with zeros before it up to `width` digits.
    private mutating func append(_ value: UInt, width: Int = 1) {
        let digitsMax = 20
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digitsMax) { digits in
            var (rest, first) = (value, digitsMax)
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0 || digitsMax - first < width
            bytes.append(contentsOf: digits[first...])
        }
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            if text.contains(where: Self.isEscaped) { escape(text) } else { bytes.append(contentsOf: text) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// RFC 8259 §7: the quote, the backslash and what is below a space are escaped.
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case ..<0x20:
                append("\\u00")
                bytes.append(contentsOf: [UInt8(ascii: "0") + byte >> 4, Self.hexDigit(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// Whole members.
extension JSONWriter {
    package mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { string(text) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Int) {
        self.name(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: Double?, decimals: Int) {
        self.name(name)
        if let value { number(value, decimals: decimals) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ time: Timestamp?) {
        member(name, time.map(RFC3339.text))
    }

    package mutating func member<Elements: Sequence>(
        _ name: StaticString, each elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        self.name(name)
        array(elements, body)
    }

    package mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }
}
