import CExpat
import Foundation

/// What stands in an XML document. Names are as written, with their prefixes.
enum XMLEvent {
    case start(String, attributes: [String: String])
    /// A piece of text between two tags, which may come in several.
    case text(String)
    case end(String)
}

/// Reads an XML document with libexpat, one event after the other.
///
/// A document type declaration is an error: without one there are no entities but XML's own five, so that no document
/// expands beyond its size, whatever limit the version of libexpat sets.
final class XMLReader {
    /// So much is handed to libexpat at once, which takes lengths of 32 bits.
    private static let chunkBytes = 1 << 20

    private let parser: XML_Parser
    private let receive: (_ event: XMLEvent, _ line: Int) -> Void
    private var hasDocumentType = false

    init(_ receive: @escaping (_ event: XMLEvent, _ line: Int) -> Void) {
        guard let parser = XML_ParserCreate(nil) else { preconditionFailure("no memory for an XML parser") }
        self.parser = parser
        self.receive = receive
        // The parser calls back only within `read`, while the reader exists.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        setHandlers()
    }

    deinit { XML_ParserFree(parser) }

    /// Where reading is: the line, from 1, of the event that is told, or of the error.
    var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    /// Reads a whole document, once.
    ///
    /// - Throws: where it is not well formed, or has a document type declaration. What stands before that was told.
    func read(_ content: Data) throws(XMLError) {
        var rest = content[...]
        repeat {
            let chunk = rest.prefix(Self.chunkBytes)
            rest = rest.dropFirst(chunk.count)
            let status = chunk.withUnsafeBytes { bytes in
                XML_Parse(
                    parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
                    rest.isEmpty ? 1 : 0)
            }
            guard status == XML_STATUS_OK else { throw error }
        } while !rest.isEmpty
    }

    private func tell(_ event: XMLEvent) { receive(event, line) }

    private var error: XMLError {
        if hasDocumentType { return .documentType }
        return switch XML_GetErrorCode(parser) {
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR: .endOfFile
        case let code: .malformed(XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)")
        }
    }

    private func setHandlers() {
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let reader = XMLReader.of(context), let name, let attributes else { return }
                reader.tell(.start(String(cString: name), attributes: XMLReader.dictionary(attributes)))
            },
            { context, name in
                guard let reader = XMLReader.of(context), let name else { return }
                reader.tell(.end(String(cString: name)))
            })
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let reader = XMLReader.of(context), let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            reader.tell(.text(String(decoding: bytes, as: UTF8.self)))
        }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            guard let reader = XMLReader.of(context) else { return }
            reader.hasDocumentType = true
            XML_StopParser(reader.parser, XML_Bool(XML_FALSE))
        }
        XML_SetUnknownEncodingHandler(parser, { _, name, encoding in XMLReader.map(name, encoding) }, nil)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Parameter attributes: names and values in turn, and a null pointer behind them.
    private static func dictionary(_ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>) -> [String: String] {
        var dictionary: [String: String] = [:]
        var next = attributes
        while let name = next[0], let value = next[1] {
            dictionary[String(cString: name)] = String(cString: value)
            next += 2
        }
        return dictionary
    }

    /// Encodings of one byte a character that libexpat does not know are read as ISO 8859-1: they share ASCII, in which
    /// numbers and times are written.
    private static func map(
        _ name: UnsafePointer<XML_Char>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?
    ) -> Int32 {
        guard let name = name.map({ String(cString: $0).lowercased() }), let encoding,
            ["windows-125", "iso-8859-", "koi8-"].contains(where: name.hasPrefix)
        else { return Int32(XML_STATUS_ERROR.rawValue) }
        withUnsafeMutableBytes(of: &encoding.pointee.map) { map in
            let characters = map.assumingMemoryBound(to: Int32.self)
            for byte in characters.indices { characters[byte] = Int32(byte) }
        }
        (encoding.pointee.convert, encoding.pointee.release, encoding.pointee.data) = (nil, nil, nil)
        return Int32(XML_STATUS_OK.rawValue)
    }
}

/// Why an XML document cannot be read further.
enum XMLError: Error, Equatable, CustomStringConvertible {
    case documentType
    case endOfFile
    /// As libexpat says it.
    case malformed(String)

    var description: String {
        switch self {
        case .documentType: "expected no document type declaration, got one"
        case .endOfFile: "expected the end of the document's element, got the end of the file"
        case .malformed(let reason): "expected well-formed XML, got an error: \(reason)"
        }
    }
}
