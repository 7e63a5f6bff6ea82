internal import Foundation

/// The lines of a mapped file, one at a time: no more of it is ever in memory than the system sees fit.
struct TextLines: Sequence, IteratorProtocol {
    private let file: MappedFile
    private let path: String
    private var offset = 0
    private var number = 0

    init(_ file: MappedFile, path: String) {
        self.file = file
        self.path = path
        if file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Without its end of line (LF or CR LF). A line that is not UTF-8 is read as Windows-1252, of which ISO 8859-1 has the
    /// same letters: what spreadsheets and older inventories are saved in.
    mutating func next() -> Row? {
        guard offset < file.bytes.count else { return nil }
        let rest = file.bytes[offset...]
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? file.bytes.count
        var line = rest[offset..<end]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        offset = end + 1
        number += 1
        return Row(file: path, line: number, text: Self.text(line))
    }

    private static func text(_ line: Slice<UnsafeRawBufferPointer>) -> String {
        // Five bytes mean nothing in Windows-1252; in ISO 8859-1 every byte is the code point of its number.
        String(validating: line, as: UTF8.self) ?? String(bytes: line, encoding: .windowsCP1252)
            ?? String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) }))
    }
}

extension Row {
    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}
