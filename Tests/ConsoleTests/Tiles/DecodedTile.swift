/// A Mapbox Vector Tile, read by its specification and not by what wrote it: every field by its number and wire type, and
/// what the specification forbids is an error.
struct DecodedTile {
    struct Feature {
        var members: [String: Member] = [:]
        /// 1: points, 2: lines, 3: rings.
        var type: UInt64 = 2
        var lines: [[Point]] = []
    }

    enum Member: Equatable {
        case text(String)
        case number(Double)
    }

    struct Point: Hashable {
        var x: Int
        var y: Int
    }

    struct Malformed: Error {
        var what: String
    }

    var name = ""
    var version: UInt64 = 0
    var extent: UInt64 = 4096
    var features: [Feature] = []

    /// - Throws: `Malformed`; also where there is another number of layers than one.
    init(_ bytes: [UInt8]) throws {
        let layers = try Self.layers(bytes)
        guard layers.count == 1 else { throw Malformed(what: "\(layers.count) layers") }
        self = layers[0]
    }

    private init(layer: [UInt8]) throws { try read(layer) }

    static func layers(_ bytes: [UInt8]) throws -> [DecodedTile] {
        try Fields(bytes).all.map { number, value in
            guard number == 3, case .bytes(let layer) = value else {
                throw Malformed(what: "field \(number) of a tile")
            }
            return try DecodedTile(layer: layer)
        }
    }

    private mutating func read(_ layer: [UInt8]) throws {
        var (keys, values, raw): ([String], [Member], [[UInt8]]) = ([], [], [])
        for (number, value) in try Fields(layer).all {
            switch (number, value) {
            case (15, .varint(let version)): self.version = version
            case (1, .bytes(let name)): self.name = String(decoding: name, as: UTF8.self)
            case (2, .bytes(let feature)): raw.append(feature)
            case (3, .bytes(let key)): keys.append(String(decoding: key, as: UTF8.self))
            case (4, .bytes(let value)): values.append(try Self.member(value))
            case (5, .varint(let extent)): self.extent = extent
            default: throw Malformed(what: "field \(number) of a layer")
            }
        }
        guard Set(keys).count == keys.count else { throw Malformed(what: "a key stands twice") }
        features = try raw.map { try Self.feature($0, keys, values) }
    }

    private static func member(_ bytes: [UInt8]) throws -> Member {
        let fields = try Fields(bytes).all
        guard fields.count == 1 else { throw Malformed(what: "a value of \(fields.count) fields") }
        switch fields[0] {
        case (1, .bytes(let text)): return .text(String(decoding: text, as: UTF8.self))
        case (3, .fixed(let bits)): return .number(Double(bitPattern: bits))
        default: throw Malformed(what: "field \(fields[0].0) of a value")
        }
    }

    private static func feature(_ bytes: [UInt8], _ keys: [String], _ values: [Member]) throws -> Feature {
        var feature = Feature()
        var geometry: [UInt64] = []
        for (number, value) in try Fields(bytes).all {
            switch (number, value) {
            case (2, .bytes(let packed)):
                let tags = try Fields.varints(packed)
                guard tags.count.isMultiple(of: 2) else { throw Malformed(what: "a key without value") }
                for index in stride(from: 0, to: tags.count, by: 2) {
                    guard Int(tags[index]) < keys.count, Int(tags[index + 1]) < values.count else {
                        throw Malformed(what: "a tag that is none")
                    }
                    feature.members[keys[Int(tags[index])]] = values[Int(tags[index + 1])]
                }
            case (3, .varint(let value)): feature.type = value
            case (4, .bytes(let packed)): geometry = try Fields.varints(packed)
            default: throw Malformed(what: "field \(number) of a feature")
            }
        }
        guard (1...3).contains(feature.type) else { throw Malformed(what: "a feature of type \(feature.type)") }
        feature.lines = try lines(geometry, type: feature.type)
        return feature
    }

    /// Section 4.3.4: for each line a MoveTo with a count of 1 and a LineTo with a count over 0, for each ring a ClosePath after
    /// two places more; for a point a MoveTo alone.
    private static func lines(_ commands: [UInt64], type: UInt64) throws -> [[Point]] {
        var (lines, pen, rest): ([[Point]], Point, ArraySlice<UInt64>) = ([], Point(x: 0, y: 0), commands[...])
        var isClosed = false
        func signed(_ value: UInt64) -> Int { Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1) }
        while let command = rest.popFirst() {
            let count = Int(command >> 3)
            if type == 3, command == 15, lines.last?.count ?? 0 > 2 {
                isClosed = true
                continue
            }
            guard isClosed || type != 3 || lines.isEmpty || command & 7 == 2 else {
                throw Malformed(what: "an open ring")
            }
            isClosed = false
            guard (command & 7 == 1 && count == 1) || (command & 7 == 2 && count > 0 && lines.last?.count == 1) else {
                throw Malformed(what: "command \(command)")
            }
            if command & 7 == 1 { lines.append([]) }
            for _ in 0..<count {
                guard let x = rest.popFirst(), let y = rest.popFirst() else { throw Malformed(what: "half a point") }
                guard command & 7 == 1 || x != 0 || y != 0 else { throw Malformed(what: "a step of no length") }
                pen = Point(x: pen.x + signed(x), y: pen.y + signed(y))
                lines[lines.count - 1].append(pen)
            }
        }
        guard type != 3 || isClosed, lines.allSatisfy({ type == 1 ? $0.count == 1 : $0.count > 1 }) else {
            throw Malformed(what: "a line of one point, or an open ring")
        }
        return lines
    }
}

/// The fields of a message of the Protocol Buffers' wire format.
private struct Fields {
    enum Value {
        case varint(UInt64)
        case fixed(UInt64)
        case bytes([UInt8])
    }

    private(set) var all: [(UInt64, Value)] = []
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) throws {
        rest = bytes[...]
        while !rest.isEmpty {
            let key = try varint()
            switch key & 7 {
            case 0: all.append((key >> 3, .varint(try varint())))
            case 1:
                let bytes = try take(8)
                all.append((key >> 3, .fixed(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })))
            case 2: all.append((key >> 3, .bytes(try take(Int(try varint())))))
            default: throw DecodedTile.Malformed(what: "wire type \(key & 7)")
            }
        }
    }

    static func varints(_ bytes: [UInt8]) throws -> [UInt64] {
        var fields = try Fields([])
        fields.rest = bytes[...]
        var values: [UInt64] = []
        while !fields.rest.isEmpty { values.append(try fields.varint()) }
        return values
    }

    private mutating func varint() throws -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst(), shift < 64 {
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        throw DecodedTile.Malformed(what: "a number that does not end")
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        guard count <= rest.count else { throw DecodedTile.Malformed(what: "\(count) bytes of \(rest.count)") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
