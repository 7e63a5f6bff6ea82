import CSimdJSON
package import Messages

/// Reads JSON documents one at a time, reusing its buffers. One thread at a time.
package final class JSONParser {
    private let parser: OpaquePointer
    /// Bytes of the longest document.
    private let capacity: Int
    private var code: CInt = 0
    /// What readers say of what they refuse in the document.
    let note = ReadingNote()

    /// `capacity` is the longest document in bytes.
    package init(capacity: Int = WireLimits.payloadBytes, maximumDepth: Int = WireLimits.nestingDepth) {
        guard let parser = csimdjson_parser_new(capacity, maximumDepth) else {
            preconditionFailure("A JSON parser needs a few kilobytes, and there are none")
        }
        self.parser = parser
        self.capacity = capacity
    }

    deinit { csimdjson_parser_free(parser) }

    /// What was wrong with the last document, in simdjson's words; nil where nothing was.
    var problem: String? {
        code == CSIMDJSON_SUCCESS ? nil : String(cString: csimdjson_error_message(code))
    }

    /// What exactly was wrong with the last document, where it was refused for `reason`.
    func rejected(_ reason: InputError, _ document: [UInt8]) -> RejectedPart {
        switch reason {
        case .malformedJSON, .invalidUTF8:
            RejectedPart(reason, ReadingProblem(noJSON: document, problem))
        case .tooLarge where document.count > capacity:
            RejectedPart(reason, ReadingProblem("expected at most \(capacity) bytes", got: "\(document.count)"))
        default: note.part(reason)
        }
    }

    /// Parses `bytes` and hands the root to `body`.
    ///
    /// The root, and every value got from it, is a place in this parser's buffer: it ends with `body`, which must not
    /// let one out or read another document meanwhile. Throws `malformedJSON`, `invalidUTF8`, `tooLarge`, or what
    /// `body` throws. A byte order mark is malformed (RFC 8259 §8.1), whatever the library's version makes of it.
    package func read<Result>(
        _ bytes: [UInt8], _ body: (JSONValue) throws(InputError) -> Result
    ) throws(InputError) -> Result {
        var root = csimdjson_value()
        code = bytes.withUnsafeBytes { buffer in
            csimdjson_parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, &root)
        }
        note.clear()
        switch Int(code) {
        case Int(CSIMDJSON_SUCCESS): break
        case Int(CSIMDJSON_UTF8_ERROR): throw .invalidUTF8
        case Int(CSIMDJSON_CAPACITY): throw .tooLarge
        default: throw .malformedJSON
        }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .malformedJSON }
        return try body(JSONValue(root, note))
    }
}
