import Foundation
import RoadImport
import Wire

/// How a trace is written down.
enum TraceFormat {
    case gpx, jsonLines, csv
    /// `.rec` files of the OwnTracks recorder.
    case ownTracks
    /// `mosquitto_sub -F %j`
    case broker
}

/// The bytes of a trace, and its lines.
package struct TraceFile {
    /// So many bytes are in memory at once, and twice that decoded: a day of ten thousand trucks.
    static let bytesMax = 8 << 30

    struct Line {
        /// From 1.
        var number: Int
        /// Without its end of line (LF or CR LF).
        var bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var isBlank: Bool { bytes.allSatisfy { $0 <= 0x20 } }
    }

    let path: String
    let content: Data

    /// What stands for standard input where a file is named.
    package static let standardInput = "-"

    /// - Parameter path: `-`: standard input, to its end.
    /// - Throws: where it cannot be read, or is too large.
    init(_ path: String) throws(TraceFileError) {
        self.path = path
        let content = path == Self.standardInput ? try Self.readStandardInput() : try Self.map(path)
        guard content.count <= Self.bytesMax else {
            throw TraceFileError.unusable(
                "\(Self.name(of: path)) is larger than 8 GB; split it by time and replay the parts")
        }
        self.content = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content
    }

    /// As messages name it.
    package static func name(of path: String) -> String { path == standardInput ? "standard input" : path }

    private static func map(_ path: String) throws(TraceFileError) -> Data {
        do {
            try requireReadable(path)
            return try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        } catch {
            throw .misnamed(error is FileError ? "\(error)" : "\(path): cannot be read: \(error.localizedDescription)")
        }
    }

    /// No further than to see that it is too large.
    private static func readStandardInput() throws(TraceFileError) -> Data {
        var content = Data()
        while content.count <= bytesMax {
            let piece: Data?
            do {
                piece = try FileHandle.standardInput.read(upToCount: 1 << 20)
            } catch {
                throw TraceFileError.unusable("standard input cannot be read: \(error)")
            }
            guard let piece, !piece.isEmpty else { break }
            content.append(piece)
        }
        return content
    }

    /// As its first line with anything on it says; files of any name are read.
    var format: TraceFormat {
        // XML in UTF-16, by its byte order mark: the others are UTF-8.
        if content.starts(with: [0xFF, 0xFE, 0x3C, 0]) || content.starts(with: [0xFE, 0xFF, 0, 0x3C]) { return .gpx }
        guard let line = lines.first(where: { !$0.isBlank }) else { return .jsonLines }
        switch line.bytes.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "<"): return .gpx
        case UInt8(ascii: "{"): return RecordingDecoder().isMessage(line.bytes) ? .broker : .jsonLines
        case UInt8(ascii: "["): return .jsonLines
        default: return OwnTracksReader.isLine(line.text) ? .ownTracks : .csv
        }
    }

    var lines: some Sequence<Line> {
        sequence(state: (offset: content.startIndex, number: 0)) { state -> Line? in
            guard state.offset < content.endIndex else { return nil }
            let rest = content[state.offset...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? content.endIndex
            var line = rest[..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            state.offset = end + 1
            state.number += 1
            return Line(number: state.number, bytes: [UInt8](line))
        }
    }
}
