import Foundation
import RoadImport

/// Road files of which one section is as it is told, and all checksums are right: whoever changes bytes of a file changes its sums
/// too, and would never come to what is behind them.
enum RoadFileSections {
    /// Those whose content is decoded, and not read in place: by what they are called in `RoadFile.Section`.
    static let decoded: [UInt8] = [20, 21, 22, 26]

    /// - Parameter bytes: the number of a section and its content; or else a whole file.
    static func file(_ bytes: [UInt8]) -> [UInt8] {
        guard let section = bytes.first, decoded.contains(section) else { return bytes }
        return replacing(section, by: bytes[1...])
    }

    /// A small file's section, behind its number.
    static func content(_ section: UInt8) -> [UInt8] { [section] + sections[Int(section)] }

    /// A road with a bridge, a lake and a place.
    static let whole: [UInt8] = {
        let map = """
            <osm version="0.6"><node id="1" lat="42.28" lon="-83.74"/><node id="2" lat="42.281" lon="-83.74"/>
            <node id="3" lat="42.282" lon="-83.74"/><node id="4" lat="42.281" lon="-83.741"><tag k="place" v="town"/>
            <tag k="name" v="Ann Arbor"/></node><way id="7"><nd ref="1"/><nd ref="2"/><nd ref="3"/>
            <tag k="highway" v="residential"/><tag k="maxheight" v="10'6&quot;"/></way><way id="8"><nd ref="1"/><nd ref="2"/>
            <nd ref="4"/><nd ref="1"/><tag k="natural" v="water"/></way><relation id="9">
            <member type="way" ref="7" role="from"/><tag k="type" v="restriction"/></relation></osm>
            """
        return onFile(Array(map.utf8), ending: ".osm") { path in
            (try? RoadBuild.build([path], progress: { _ in }))?.file ?? []
        }
    }()

    // MARK: The layout: a header of 32 bytes, and for each section its offset, length and checksum

    private static let sections: [ArraySlice<UInt8>] = (0..<Int(whole[12])).map { section in
        let offset = word(32 + 24 * section)
        return whole[offset..<(offset + word(40 + 24 * section))]
    }

    private static func word(_ place: Int) -> Int {
        whole[place..<(place + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func replacing(_ section: UInt8, by content: ArraySlice<UInt8>) -> [UInt8] {
        var directory: [UInt8] = []
        var body: [UInt8] = []
        let start = 32 + 24 * sections.count
        for (number, old) in sections.enumerated() {
            let content = number == Int(section) ? content : old
            directory += [start + body.count, content.count].flatMap { bytes(UInt64($0)) } + bytes(sum(content))
            body += content + Array(repeating: 0, count: -content.count & 7)
        }
        let length = bytes(UInt64(start + body.count))
        return whole[..<16] + length + bytes(sum(directory[...])) + directory + body
    }

    private static func bytes(_ word: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }

    private static func sum(_ content: ArraySlice<UInt8>) -> UInt64 {
        var (sum, rest) = (0xCBF2_9CE4_8422_2325 ^ UInt64(content.count), content)
        while rest.count >= 8 {
            sum = (sum ^ rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }) &* 0x100_0000_01B3
            sum ^= sum >> 29
            rest.removeFirst(8)
        }
        return rest.reduce(sum) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
