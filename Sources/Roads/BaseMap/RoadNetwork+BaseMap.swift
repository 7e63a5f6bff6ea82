import Algorithms
import BinaryCoding
public import Geo

/// Water, woods, built-up land, railways, borders and names of places, where the road file keeps them.
extension RoadNetwork {
    public var hasBaseMap: Bool { baseMapFeatures.count > 0 }

    /// What may lie in a box, as it is seen at a zoom of a web map; in the order of kinds, then of ids.
    public func baseMap(in box: Bounds, zoom: Int) throws(RoadFileError) -> [BaseMapFeature] {
        let level = BaseMapLevel(zoom: zoom)
        var found: Set<UInt32> = []
        for box in box.cut {
            let (columns, rows) = level.cells(box)
            for row in rows {
                let (first, last) = (
                    level.key(column: columns.lowerBound, row: row), level.key(column: columns.upperBound, row: row)
                )
                var cell = baseMapCells.partitioningIndex { $0.key >= first }
                while cell + 1 < baseMapCells.count, baseMapCells[cell].key <= last {
                    for item in baseMapCells[cell].start..<baseMapCells[cell + 1].start {
                        found.insert(baseMapItems[item])
                    }
                    cell += 1
                }
            }
        }
        let records = found.sorted().map { baseMapFeatures[$0] }
            .filter { $0.box.meets(box) && (BaseMapKind(rawValue: $0.kind)?.firstZoom ?? .max) <= zoom }
            .sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }
        return try features(records)
    }

    /// Every one as it is seen from near, in the order of ids.
    func baseMapNear() throws(RoadFileError) -> [BaseMapFeature] { try features(nearRecords()) }

    /// The names of places, and where they are.
    public func namedPlaces() throws(RoadFileError) -> [BaseMapFeature] {
        try features(
            nearRecords().filter { BaseMapKind(rawValue: $0.kind)?.shape == .place && $0.name.length > 0 })
    }

    /// How many there are of each kind. Goes through all features.
    public var baseMapCounts: [(kind: BaseMapKind, count: Int)] {
        var counts: [UInt8: Int] = [:]
        for record in nearRecords() { counts[record.kind, default: 0] += 1 }
        return BaseMapKind.allCases.compactMap { kind in counts[kind.rawValue].map { (kind, $0) } }
    }

    /// Of all sections of the layer together, without the names.
    public var baseMapBytes: Int {
        baseMapFeatures.bytes.count + baseMapCells.bytes.count + baseMapItems.bytes.count + baseMapShapes.count
    }

    private func nearRecords() -> [BaseMapRecord] {
        let first = baseMapFeatures.partitioningIndex { $0.level >= BaseMapLevel.near.rawValue }
        return (first..<baseMapFeatures.count).map { baseMapFeatures[$0] }
    }

    private func features(_ records: [BaseMapRecord]) throws(RoadFileError) -> [BaseMapFeature] {
        var features: [BaseMapFeature] = []
        for record in records { features.append(try feature(record)) }
        return features
    }

    private func feature(_ record: BaseMapRecord) throws(RoadFileError) -> BaseMapFeature {
        let damage = RoadFileError.damaged(section: "\(RoadFile.Section.baseMapShapes)")
        let (end, overflow) = record.offset.addingReportingOverflow(UInt64(record.length))
        guard !overflow, end <= UInt64(baseMapShapes.count), let kind = BaseMapKind(rawValue: record.kind) else {
            throw damage
        }
        let bytes = UnsafeRawBufferPointer(rebasing: baseMapShapes.bytes[Int(record.offset)..<Int(end)])
        do throws(BinaryCodingError) {
            return BaseMapFeature(
                source: BaseMapFeature.Source(key: record.key), kind: kind, name: text(record.name),
                parts: try BaseMapShapes.parts(bytes))
        } catch {
            throw damage
        }
    }
}
