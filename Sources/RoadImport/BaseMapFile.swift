internal import COsmium
import Geo
import Roads

/// What the base map shows of an OSM file. Areas are put together by libosmium, of closed ways and of multipolygons.
struct BaseMapFile {
    let path: String

    /// What the callbacks share; `cosmium_read_shapes` returns before it goes.
    private final class Reading {
        var borders: [Int64: BaseMapKind] = [:]
        let take: (BaseMapFeature) -> Void

        init(_ take: @escaping (BaseMapFeature) -> Void) { self.take = take }
    }

    /// - Parameter take: called once for each feature, places first.
    func read(_ take: @escaping (BaseMapFeature) -> Void) throws(OSMFileError) {
        let reading = Reading(take)
        try OSMFile(path: path).read(
            OSMFile.Visitor(
                node: { node in
                    guard let kind = BaseMapTags.place(node.tags), node.position.isValid else { return }
                    let part = BaseMapFeature.Part(line: [node.position])
                    take(
                        BaseMapFeature(
                            source: .node(node.id), kind: kind, name: node.tags["name"] ?? "", parts: [part]))
                },
                relation: { relation in
                    guard let kind = BaseMapTags.border(relation.tags) else { return }
                    for member in relation.members where member.kind == .way {
                        let known = reading.borders[member.id]
                        if known.map({ kind.rawValue < $0.rawValue }) ?? true { reading.borders[member.id] = kind }
                    }
                }, progress: { _, _ in true }))
        try readShapes(reading)
    }

    private func readShapes(_ reading: Reading) throws(OSMFileError) {
        var error = [CChar](repeating: 0, count: 1024)
        let lines = reading.borders.keys.sorted()
        let status = withTags(BaseMapTags.areas) { areaTags in
            withTags(BaseMapTags.lines) { lineTags in
                lines.withUnsafeBufferPointer { lines in
                    var handler = cosmium_shape_handler()
                    handler.context = Unmanaged.passUnretained(reading).toOpaque()
                    (handler.area_tags, handler.area_tag_count) = (areaTags.baseAddress, areaTags.count)
                    (handler.line_tags, handler.line_tag_count) = (lineTags.baseAddress, lineTags.count)
                    (handler.lines, handler.line_count) = (lines.baseAddress, lines.count)
                    handler.area = Self.onArea
                    handler.line = Self.onLine
                    return cosmium_read_shapes(path, &handler, &error, error.count)
                }
            }
        }
        guard status == 0 else {
            let reason = String(decoding: error.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw OSMFileError(path: path, reason: reason)
        }
    }

    /// The texts stay where they are until `body` returns.
    private func withTags<Result>(
        _ wanted: [(key: String, value: String?, kind: BaseMapKind)],
        _ body: (UnsafeBufferPointer<cosmium_tag>) -> Result
    ) -> Result {
        let texts = wanted.map { (key: Array($0.key.utf8CString), value: $0.value.map { Array($0.utf8CString) }) }
        func next(_ index: Int, _ tags: [cosmium_tag]) -> Result {
            guard index < texts.count else { return tags.withUnsafeBufferPointer(body) }
            return texts[index].key.withUnsafeBufferPointer { key in
                guard let value = texts[index].value else {
                    return next(index + 1, tags + [cosmium_tag(key: key.baseAddress, value: nil)])
                }
                return value.withUnsafeBufferPointer { value in
                    next(index + 1, tags + [cosmium_tag(key: key.baseAddress, value: value.baseAddress)])
                }
            }
        }
        return next(0, [])
    }

    private static func reading(_ context: UnsafeMutableRawPointer?) -> Reading {
        Unmanaged<Reading>.fromOpaque(context!).takeUnretainedValue()
    }

    private static let onArea:
        @convention(c) (
            UnsafeMutableRawPointer?, Int64, Int32, UnsafePointer<cosmium_ring>?, Int, UnsafePointer<cosmium_tag>?, Int
        ) -> Void = { context, id, isRelation, rings, ringCount, tags, tagCount in
            let tags = OSMFile.dictionary(tags, tagCount)
            guard let kind = BaseMapTags.area(tags) else { return }
            let parts = UnsafeBufferPointer(start: rings, count: ringCount).map { ring in
                BaseMapFeature.Part(isHole: ring.is_outer == 0, line: line(ring.places, ring.count))
            }
            reading(context).take(
                BaseMapFeature(
                    source: isRelation != 0 ? .relation(id) : .way(id), kind: kind, name: tags["name"] ?? "",
                    parts: parts))
        }

    private static let onLine:
        @convention(c) (
            UnsafeMutableRawPointer?, Int64, UnsafePointer<cosmium_place>?, Int, UnsafePointer<cosmium_tag>?, Int
        ) -> Void = { context, id, places, count, tags, tagCount in
            let tags = OSMFile.dictionary(tags, tagCount)
            let reading = reading(context)
            guard let kind = BaseMapTags.line(tags, border: reading.borders[id]) else { return }
            let name = kind == .river || kind == .canal ? tags["name"] ?? "" : ""
            reading.take(
                BaseMapFeature(
                    source: .way(id), kind: kind, name: name,
                    parts: [BaseMapFeature.Part(line: line(places, count))]))
        }

    private static func line(_ places: UnsafePointer<cosmium_place>?, _ count: Int) -> [Coordinate] {
        UnsafeBufferPointer(start: places, count: count).map {
            Coordinate(latitude: Double($0.lat) / 1e7, longitude: Double($0.lon) / 1e7)
        }
    }
}
