/// One layer of a Mapbox Vector Tile (github.com/mapbox/vector-tile-spec, version 2.1).
struct VectorTileLayer {
    /// Units along a side: a sixteenth of a pixel where a tile has 256.
    static let extent = 4096

    enum Value: Hashable {
        case text(String)
        case number(Double)
    }

    /// A whole point in the tile's units.
    struct Point: Hashable {
        var x: Int32
        var y: Int32
    }

    /// What a feature is, as the specification numbers it.
    enum Shape: UInt64 {
        case points = 1
        case lines, rings
    }

    private let name: String
    private var features: [[UInt8]] = []
    private var keys: [String] = []
    private var values: [Value] = []
    private var keyNumbers: [String: UInt32] = [:]
    private var valueNumbers: [Value: UInt32] = [:]
    /// About how many bytes it will have.
    private(set) var size = 0

    init(name: String) { self.name = name }

    /// A feature of one line or several, each of at least two points; of rings that do not repeat their first point; or of
    /// points.
    mutating func add(_ lines: [[Point]], as shape: Shape = .lines, _ members: [(key: String, value: Value)]) {
        var feature = ProtobufWriter()
        feature.field(2, packed: members.flatMap { [number(of: $0.key), number(of: $0.value)] })
        feature.field(3, shape.rawValue)
        feature.field(4, packed: Self.geometry(lines, shape))
        features.append(feature.bytes)
        size += feature.bytes.count + 4
    }

    /// The tile that has this layer alone; empty where there is nothing in it.
    var tile: [UInt8] { Self.tile(of: [self]) }

    /// Empty where there is nothing in any of them.
    static func tile(of layers: [VectorTileLayer]) -> [UInt8] {
        var tile = ProtobufWriter()
        for layer in layers where !layer.features.isEmpty { tile.field(3, layer.bytes) }
        return tile.bytes
    }

    private var bytes: [UInt8] {
        var layer = ProtobufWriter()
        layer.field(15, 2 as UInt64)
        layer.field(1, Array(name.utf8))
        for feature in features { layer.field(2, feature) }
        for key in keys { layer.field(3, Array(key.utf8)) }
        for value in values { layer.field(4, value.bytes) }
        layer.field(5, UInt64(Self.extent))
        return layer.bytes
    }

    /// Moves and strokes, each from where the one before has ended.
    private static func geometry(_ lines: [[Point]], _ shape: Shape) -> [UInt32] {
        var commands: [UInt32] = []
        var pen = Point(x: 0, y: 0)
        func go(to point: Point) {
            commands += [(point.x - pen.x).zigzag, (point.y - pen.y).zigzag]
            pen = point
        }
        for line in lines {
            commands.append(1 | 1 << 3)
            go(to: line[0])
            if shape == .points { continue }
            commands.append(2 | UInt32(line.count - 1) << 3)
            for point in line.dropFirst() { go(to: point) }
            if shape == .rings { commands.append(7 | 1 << 3) }
        }
        return commands
    }

    private mutating func number(of key: String) -> UInt32 {
        if let number = keyNumbers[key] { return number }
        let number = UInt32(keys.count)
        keys.append(key)
        keyNumbers[key] = number
        return number
    }

    private mutating func number(of value: Value) -> UInt32 {
        if let number = valueNumbers[value] { return number }
        let number = UInt32(values.count)
        values.append(value)
        valueNumbers[value] = number
        size += value.bytes.count + 2
        return number
    }
}

extension VectorTileLayer.Value {
    fileprivate var bytes: [UInt8] {
        var writer = ProtobufWriter()
        switch self {
        case .text(let text): writer.field(1, Array(text.utf8))
        case .number(let number): writer.field(3, number)
        }
        return writer.bytes
    }
}
