import Hashing

/// Puts tables together into the bytes of a road file.
struct RoadFileWriter {
    private var sections: [RoadFile.Section: [UInt8]] = [:]
    private var stringOffsets: [BytewiseText: TextRecord] = [:]
    private var strings: [UInt8] = []

    mutating func set<Row: BitwiseCopyable>(_ section: RoadFile.Section, _ rows: [Row]) {
        sections[section] = rows.withUnsafeBytes { Array($0) }
    }

    /// Equal texts are stored once.
    mutating func text(_ text: String) -> TextRecord {
        let key = BytewiseText(text)
        if let known = stringOffsets[key] { return known }
        let record = TextRecord(offset: UInt32(strings.count), length: UInt32(text.utf8.count))
        strings += text.utf8
        stringOffsets[key] = record
        return record
    }

    func bytes() -> [UInt8] {
        var sections = sections
        sections[.strings] = strings
        var body: [UInt8] = []
        let version = sections[.baseMapFeatures] == nil ? RoadFile.version : RoadFile.versionWithBaseMap
        let all = RoadFile.Section.all(ofVersion: version)
        let start = RoadFile.directoryOffset + RoadFile.directoryLength(all)
        let entries = all.map { section in
            let content = sections[section] ?? []
            let entry = RoadFile.Entry(
                offset: UInt64(start + body.count), length: UInt64(content.count),
                checksum: content.withUnsafeBytes(RoadFile.checksum))
            body += content
            body += Array(repeating: 0, count: -content.count & 7)
            return entry
        }
        let directory = entries.withUnsafeBytes { Array($0) }
        let header = RoadFile.Header(
            magic: RoadFile.magic, version: version, sections: UInt32(entries.count),
            fileLength: UInt64(start + body.count), checksum: directory.withUnsafeBytes(RoadFile.checksum))
        return withUnsafeBytes(of: header) { Array($0) } + directory + body
    }
}
