import Clearances

/// Why a road file is refused, and what to do about it.
public enum RoadFileError: Error, Equatable, CustomStringConvertible {
    case foreign
    case version(found: UInt32)
    case truncated
    case damaged(section: String)

    public var description: String {
        switch self {
        case .foreign: "expected a road file, got another file; `headroom roads build` makes one from OSM data"
        case .version(let found):
            "this road file has version \(found), this program reads versions \(RoadFile.version) and "
                + "\(RoadFile.versionWithBaseMap); "
                + "build it again with `headroom roads build`"
        case .truncated: "this road file is not as long as it says; build it again with `headroom roads build`"
        case .damaged(let section):
            "this road file is damaged (\(section)); build it again with `headroom roads build`"
        }
    }
}

/// The bytes of a road network: a header, a directory of sections, then the sections, each with a checksum.
///
/// Made to be mapped: nothing is decoded at opening, which looks at header and directory only.
enum RoadFile {
    static let magic: UInt64 = 0x0A44_4152_4448_8F00 | 0x72  // unlikely in text, broken by newline translation
    static let version: UInt32 = 3
    /// The same with the sections of the base map behind the others: a file without them has the version before.
    static let versionWithBaseMap: UInt32 = 4

    enum Section: UInt32, CaseIterable {
        case nodes, ways, edges, shapes, points, successorStarts, successors, predecessorStarts, predecessors
        case arrivalStarts, arrivals
        case clearances, limits, outweighed, approaches, detours
        case crossings, cells, cellItems, strings, summary
        /// What the file was built from, for joining it with others; see `SourceWriter`.
        case sourceWays, sourceNodes
        case baseMapFeatures, baseMapCells, baseMapItems, baseMapShapes

        static let first = allCases.prefix { $0.rawValue < Section.baseMapFeatures.rawValue }

        static func all(ofVersion version: UInt32) -> [Section] {
            version == RoadFile.versionWithBaseMap ? allCases : Array(first)
        }
    }

    struct Header: BitwiseCopyable {
        var magic: UInt64
        var version: UInt32
        var sections: UInt32
        var fileLength: UInt64
        /// The checksum of the directory.
        var checksum: UInt64
    }

    struct Entry: BitwiseCopyable {
        var offset: UInt64
        var length: UInt64
        var checksum: UInt64
    }

    static let directoryOffset = MemoryLayout<Header>.size
    static func directoryLength(_ sections: [Section]) -> Int { sections.count * MemoryLayout<Entry>.size }

    /// A chain of invertible steps over 8-byte words: any change within one word changes the sum for certain, any other
    /// with probability 1 - 2⁻⁶⁴. The multiplier is that of the 64-bit FNV-1a hash.
    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        let words = bytes.count / 8
        for word in 0..<words {
            sum = (sum ^ bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) &* 0x100_0000_01B3
            sum ^= sum >> 29
        }
        for byte in bytes[(words * 8)...] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum
    }

    static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= MemoryLayout<Header>.size && bytes.loadUnaligned(as: Header.self).magic == magic
    }

    /// Where the sections that the file has lie, if header and directory are sound.
    static func directory(of bytes: UnsafeRawBufferPointer) throws(RoadFileError) -> [Entry] {
        guard bytes.count >= MemoryLayout<Header>.size else { throw .foreign }
        let header = bytes.loadUnaligned(as: Header.self)
        guard header.magic == magic else { throw .foreign }
        guard header.version == version || header.version == versionWithBaseMap else {
            throw .version(found: header.version)
        }
        let sections = Section.all(ofVersion: header.version)
        let directoryLength = directoryLength(sections)
        guard header.fileLength == UInt64(bytes.count), bytes.count >= directoryOffset + directoryLength else {
            throw .truncated
        }
        let directory = UnsafeRawBufferPointer(rebasing: bytes[directoryOffset..<(directoryOffset + directoryLength)])
        guard header.sections == UInt32(sections.count), checksum(directory) == header.checksum else {
            throw .damaged(section: "directory")
        }
        return try entries(directory, of: sections, fileLength: bytes.count)
    }

    private static func entries(
        _ directory: UnsafeRawBufferPointer, of sections: [Section], fileLength: Int
    ) throws(RoadFileError) -> [Entry] {
        var entries: [Entry] = []
        for section in sections {
            let entry = directory.loadUnaligned(
                fromByteOffset: Int(section.rawValue) * MemoryLayout<Entry>.size, as: Entry.self)
            let (end, overflow) = entry.offset.addingReportingOverflow(entry.length)
            guard !overflow, end <= UInt64(fileLength), entry.offset % 8 == 0 else {
                throw .damaged(section: "\(section)")
            }
            entries.append(entry)
        }
        return entries
    }

    /// Reads every byte and compares every checksum.
    static func verify(_ bytes: UnsafeRawBufferPointer) throws(RoadFileError) {
        let entries = try directory(of: bytes)
        for (section, entry) in zip(Section.allCases, entries) {
            let range = Int(entry.offset)..<Int(entry.offset + entry.length)
            guard checksum(UnsafeRawBufferPointer(rebasing: bytes[range])) == entry.checksum else {
                throw .damaged(section: "\(section)")
            }
        }
    }
}
