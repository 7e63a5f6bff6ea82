import Geo
import Messages
import Roads

extension Bool: Kept {
    func keep(in writer: inout KeptWriter) { writer.put(byte: self ? 1 : 0) }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        let byte = try reader.byte()
        guard byte <= 1 else { throw reader.problem("yes or no") }
        self = byte == 1
    }
}

extension Int64: Kept {
    /// Zigzag, as protocol buffers have it: small numbers are short, whatever their sign.
    func keep(in writer: inout KeptWriter) { writer.put(count: UInt64(bitPattern: (self << 1) ^ (self >> 63))) }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        let count = try reader.count()
        self = Int64(bitPattern: count >> 1) ^ -Int64(bitPattern: count & 1)
    }
}

extension Int: Kept {
    func keep(in writer: inout KeptWriter) { Int64(self).keep(in: &writer) }
    init(kept reader: inout KeptReader) throws(KeptProblem) { self = Int(try reader.get(Int64.self)) }
}

extension Double: Kept {
    func keep(in writer: inout KeptWriter) { writer.put(bits: bitPattern) }
    init(kept reader: inout KeptReader) throws(KeptProblem) { self.init(bitPattern: try reader.bits()) }
}

extension String: Kept {
    func keep(in writer: inout KeptWriter) { writer.put(text: self) }
    init(kept reader: inout KeptReader) throws(KeptProblem) { self = try reader.text() }
}

/// By their names, so that cases may change their order.
extension Kept where Self: RawRepresentable, RawValue == String {
    func keep(in writer: inout KeptWriter) { writer.put(text: rawValue) }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        let text = try reader.text()
        guard let value = Self(rawValue: text) else { throw reader.problem("\(Self.self) \"\(text)\"") }
        self = value
    }
}

extension Optional: Kept where Wrapped: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(self != nil)
        if let self { writer.put(self) }
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self = try reader.get(Bool.self) ? try reader.get(Wrapped.self) : nil
    }
}

extension Array: Kept where Element: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(count: UInt64(count))
        for element in self { writer.put(element) }
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        let count = try reader.length()
        self = []
        reserveCapacity(count)
        for _ in 0..<count { append(try reader.get()) }
    }
}

extension Timestamp: Kept {
    func keep(in writer: inout KeptWriter) { writer.put(milliseconds) }
    init(kept reader: inout KeptReader) throws(KeptProblem) { self.init(milliseconds: try reader.get()) }
}

extension Coordinate: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(latitude)
        writer.put(longitude)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(latitude: try reader.get(), longitude: try reader.get())
    }
}

extension Circle: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(center)
        writer.put(radius)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(center: try reader.get(), radius: try reader.get())
    }
}

extension EdgeKey: Kept {
    func keep(in writer: inout KeptWriter) {
        writer.put(way)
        writer.put(from)
        writer.put(to)
    }

    init(kept reader: inout KeptReader) throws(KeptProblem) {
        self.init(way: try reader.get(), from: try reader.get(), to: try reader.get())
    }
}
