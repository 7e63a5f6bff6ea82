/// Finds the features of a GeoJSON text one by one, with the line on which each begins: those of a FeatureCollection, with
/// whatever else stands in its list, or objects that stand one after another (one a line, as in RFC 8142).
///
/// It follows brackets and texts only; what is between them is for the decoder to judge.
package struct GeoJSONFeatureScanner {
    package struct Found {
        package var bytes: Range<Int>
        /// From 1.
        package var line: Int
        /// Not one of a list of features.
        package var isAlone: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var line = 1
    private var found: [Found] = []

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// In the order in which they stand.
    ///
    /// - Throws: the line on which something else than an object stands, or an object begins that does not end.
    package mutating func features() throws(GeoJSONError) -> [Found] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        guard nextVisible() != nil else { throw notGeoJSON(line: line) }
        while let byte = nextVisible() {
            guard byte == UInt8(ascii: "{") else { throw notGeoJSON(line: line) }
            try object()
        }
        return found
    }

    /// An object at the top: its features where it has a list of them, else itself.
    private mutating func object() throws(GeoJSONError) {
        let start = (offset: offset, line: line)
        var lastText: Range<Int>?
        var isCollection = false
        offset += 1
        while let byte = nextVisible() {
            switch byte {
            case UInt8(ascii: "}"):
                offset += 1
                if !isCollection { found.append(Found(bytes: start.offset..<offset, line: start.line, isAlone: true)) }
                return
            case UInt8(ascii: "\""): lastText = try text()
            case UInt8(ascii: "[") where lastText.map(isFeatures) ?? false:
                isCollection = true
                try list()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                try nested()
                lastText = nil
            default: offset += 1
            }
        }
        throw notGeoJSON(line: start.line)
    }

    private mutating func list() throws(GeoJSONError) {
        let start = line
        offset += 1
        while let byte = nextVisible() {
            switch byte {
            case UInt8(ascii: "]"):
                offset += 1
                return
            case UInt8(ascii: ","): offset += 1
            default:
                let begin = (offset: offset, line: line)
                try value(byte)
                found.append(Found(bytes: begin.offset..<offset, line: begin.line, isAlone: false))
            }
        }
        throw notGeoJSON(line: start)
    }

    /// Past whatever begins with the byte here.
    private mutating func value(_ first: UInt8) throws(GeoJSONError) {
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): try nested()
        case UInt8(ascii: "\""): _ = try text()
        default:
            let end = bytes[offset...].firstIndex { $0 <= 0x20 || Self.delimiters.contains($0) }
            offset = max(end ?? bytes.count, offset + 1)
        }
    }

    /// What ends a number or a word.
    private static let delimiters = Array(",]{[\"".utf8)

    /// Past the bracket that closes the one here.
    private mutating func nested() throws(GeoJSONError) {
        let start = line
        var depth = 0
        while let byte = nextVisible() {
            switch byte {
            case UInt8(ascii: "\""):
                _ = try text()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            offset += 1
            if depth == 0 { return }
        }
        throw notGeoJSON(line: start)
    }

    /// Past the closing quote; what was between.
    private mutating func text() throws(GeoJSONError) -> Range<Int> {
        let start = offset + 1
        offset += 1
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\\"): offset += 2
            case UInt8(ascii: "\""):
                offset += 1
                return start..<(offset - 1)
            default: offset += 1
            }
        }
        throw notGeoJSON(line: line)
    }

    private func notGeoJSON(line: Int) -> GeoJSONError {
        GeoJSONError("line \(line)", "expected GeoJSON: FeatureCollections or Features, one after another")
    }

    private func isFeatures(_ range: Range<Int>) -> Bool {
        UnsafeRawBufferPointer(rebasing: bytes[range]).elementsEqual("features".utf8)
    }

    /// The next byte that is neither white space nor a record separator; counts lines.
    private mutating func nextVisible() -> UInt8? {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x1E: break
            default: return bytes[offset]
            }
            offset += 1
        }
        return nil
    }
}
