import BinaryCoding
import Geo

/// Collects the base map's features, each as it is seen from near, and puts them into the tables of a road file.
struct BaseMapAssembly: Sendable {
    /// Of one feature when seen from near: what one tile can show. A lake of that many has a shore of thousands of kilometres.
    private static let pointsMax = 200_000
    /// Cells of some 7 km that one feature may lie in: what is larger than 800 km by 800 km has a wrong node.
    private static let cellsMax = 1 << 14

    private var features: [Int64: BaseMapFeature] = [:]
    /// Those with too many points, or over too large an area.
    private(set) var leftOut = 0

    var isEmpty: Bool { features.isEmpty }

    /// What is there under the same key already is replaced by what has more points, as where an extract's border cuts it;
    /// then by the lower kind.
    mutating func add(_ feature: BaseMapFeature) {
        var feature = feature
        for part in feature.parts.indices {
            feature.parts[part].line = feature.parts[part].line.map(BaseMapShapes.rounded)
        }
        guard let feature = BaseMapLevel.near.simplified(feature) else { return }
        let (columns, rows) = BaseMapLevel.near.cells(Self.box(feature))
        guard feature.pointCount <= Self.pointsMax, columns.count * rows.count <= Self.cellsMax else {
            leftOut += 1
            return
        }
        let key = feature.source.key(feature.kind.shape)
        if let known = features[key],
            (known.pointCount, ~known.kind.rawValue) >= (feature.pointCount, ~feature.kind.rawValue)
        {
            return
        }
        features[key] = feature
    }

    func write(to writer: inout RoadFileWriter, _ report: inout ImportReport) {
        report.baseMapLeftOut = leftOut
        guard !isEmpty else { return }
        let sorted = features.sorted { $0.key < $1.key }
        for (_, feature) in sorted { report.baseMap["\(feature.kind)", default: 0] += 1 }
        var records: [BaseMapRecord] = []
        var shapes = BinaryEncoder(capacity: 1 << 20)
        var cells: [UInt64: [UInt32]] = [:]
        var offset = 0
        for level in BaseMapLevel.allCases {
            for (key, feature) in sorted {
                guard let feature = level.simplified(feature) else { continue }
                var points = BinaryEncoder()
                BaseMapShapes.append(feature.parts, to: &points)
                let bytes = points.bytes
                let box = Self.box(feature)
                for byte in bytes { shapes.append(byte: byte) }
                let (columns, rows) = level.cells(box)
                for row in rows {
                    for column in columns {
                        cells[level.key(column: column, row: row), default: []].append(UInt32(records.count))
                    }
                }
                records.append(
                    BaseMapRecord(
                        key: key, offset: UInt64(offset), length: UInt32(bytes.count), kind: feature.kind.rawValue,
                        level: level.rawValue, name: writer.text(feature.name),
                        low: PointRecord(Coordinate(latitude: box.south, longitude: box.west)),
                        high: PointRecord(Coordinate(latitude: box.north, longitude: box.east))))
                offset += bytes.count
            }
        }
        writer.set(.baseMapFeatures, records)
        writer.set(.baseMapShapes, shapes.bytes)
        write(cells, to: &writer)
    }

    private func write(_ cells: [UInt64: [UInt32]], to writer: inout RoadFileWriter) {
        var rows: [CellRecord] = []
        var items: [UInt32] = []
        for (key, features) in cells.sorted(by: { $0.key < $1.key }) {
            rows.append(CellRecord(key: key, start: UInt32(items.count)))
            items += features
        }
        rows.append(CellRecord(key: .max, start: UInt32(items.count)))
        writer.set(.baseMapCells, rows)
        writer.set(.baseMapItems, items)
    }

    /// In OSM nothing crosses the antimeridian: what does is cut there.
    private static func box(_ feature: BaseMapFeature) -> Bounds {
        var box = Bounds(south: 90, west: 180, north: -90, east: -180)
        for place in feature.parts.lazy.flatMap(\.line) {
            (box.south, box.north) = (min(box.south, place.latitude), max(box.north, place.latitude))
            (box.west, box.east) = (min(box.west, place.longitude), max(box.east, place.longitude))
        }
        return box
    }
}
