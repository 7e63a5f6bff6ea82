/// OSM's binary files: https://wiki.openstreetmap.org/wiki/PBF_Format. Blocks are stored as they are, so that what changes in them is
/// not lost in a failed decompression.
enum OSMBlock {
    /// A file of a header and one block of data.
    static func file(_ block: [UInt8]) -> [UInt8] {
        let header = ["OsmSchema-V0.6", "DenseNodes"].flatMap { bytes(4, Array($0.utf8)) }
        return blob("OSMHeader", header) + blob("OSMData", block)
    }

    /// Two nodes and a way with a posted height between them, and a relation.
    static let sample: [UInt8] = {
        let strings = ["", "highway", "residential", "maxheight", "3.2", "type", "restriction", "from"]
        let table = strings.flatMap { bytes(1, Array($0.utf8)) }
        let nodes =
            bytes(1, signed([1, 1, 1])) + bytes(8, signed([42_280_000_0, 1_000_0, 1_000_0]))
            + bytes(9, signed([-83_740_000_0, 1_000_0, 1_000_0]))
        let way = number(1, 7) + bytes(2, [1, 3]) + bytes(3, [2, 4]) + bytes(8, signed([1, 1, 1]))
        let relation =
            number(1, 9) + bytes(2, [5]) + bytes(3, [6]) + bytes(8, [7]) + bytes(9, signed([7])) + bytes(10, [1])
        let groups = [bytes(2, nodes), bytes(3, way), bytes(4, relation)]
        return bytes(1, table) + groups.flatMap { bytes(2, $0) }
    }()

    private static func blob(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let blob = bytes(1, content)
        let header = bytes(1, Array(type.utf8)) + number(3, blob.count)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: header.count >> (24 - 8 * $0)) }
        return length + header + blob
    }

    // MARK: Protocol Buffers

    private static func bytes(_ field: Int, _ content: [UInt8]) -> [UInt8] {
        varint(UInt64(field << 3 | 2)) + varint(UInt64(content.count)) + content
    }

    private static func number(_ field: Int, _ value: Int) -> [UInt8] {
        varint(UInt64(field << 3)) + varint(UInt64(value))
    }

    private static func signed(_ values: [Int]) -> [UInt8] {
        values.flatMap { varint(UInt64(bitPattern: Int64($0 << 1 ^ $0 >> 63))) }
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
