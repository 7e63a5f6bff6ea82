import Clearances
import Geo
import Roads
import Testing

/// Roads drawn in a few lines, and point clearances beside them, built and opened as a real road file.
///
///     a 0 0                              a node, metres east and north of a point on the equator; tags may follow
///     ab residential name=Mill+Lane      a way along one-letter nodes, its `highway`, other tags (`+` is a space)
///     @p 100 5 3.2 road=Mill+Lane        a clearance: place, text; `approach=90,270`, `passage=under`, `source=nbi`,
///                                        `date=2026-05`, `detour=50,0`
struct SnappingDrawing {
    private(set) var network: RoadNetwork
    let report: ImportReport
    let bytes: [UInt8]

    init(_ drawing: String, snapDistance: Metres = 40) throws {
        var builder = RoadNetworkBuilder(snapDistance: snapDistance)
        var nodes: [SourceNode] = []
        var ways: Int64 = 100
        for line in drawing.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words[0].hasPrefix("@") {
                builder.add(try Self.clearance(String(line)))
            } else if words.count >= 3, let east = Metres(words[1]), let north = Metres(words[2]) {
                let position = Self.position(east, north)
                nodes.append(SourceNode(id: Self.id(words[0]), position: position, tags: Self.tags(words.dropFirst(3))))
            } else {
                ways += 1
                var tags = Self.tags(words.dropFirst(2))
                tags["highway"] = words[1] == "none" ? nil : words[1]
                builder.add(SourceWay(id: ways, nodes: words[0].map { Self.id(String($0)) }, tags: tags))
            }
        }
        builder.finishWays()
        for node in nodes { builder.add(node) }
        (bytes, report) = builder.build()
        network = try RoadNetwork(RoadFileBuffer(bytes))
    }

    /// The same drawing with clearances laid over it.
    func showing(_ network: RoadNetwork) -> SnappingDrawing {
        var drawn = self
        drawn.network = network
        return drawn
    }

    /// What limits the roads, as `id: from-to` with metres east of the ends, sorted: `p: 0>100` is the edge from 0 to 100.
    var limits: [String] {
        network.limitedEdges.map { edge, clearance in
            "\(network.clearance(clearance).id): \(place(network.from(edge)))>\(place(network.to(edge)))"
        }.sorted()
    }

    func status(_ id: String) throws -> ClearanceStatus { network.status(try clearance(id)) }

    func clearance(_ id: String) throws -> ClearanceID {
        let all = (0..<network.clearanceCount).map { ClearanceID($0) }
        return try #require(all.first { network.clearance($0).id == id }, "no clearance \(id)")
    }

    /// Whole metres east, and north where that is not 0.
    private func place(_ node: NodeID) -> String {
        let vector = LocalPlane(latitude: 0).vector(from: Self.reference, to: network.coordinate(node))
        let (east, north) = (Int(vector.east.rounded()), Int(vector.north.rounded()))
        return north == 0 ? "\(east)" : "\(east),\(north)"
    }

    private static let reference = Coordinate(latitude: 0, longitude: 9)

    static func position(_ east: Metres, _ north: Metres) -> Coordinate {
        LocalPlane(latitude: 0).coordinate(Vector(east: east, north: north), from: reference)
    }

    private static func id(_ name: String) -> Int64 { Int64(name.unicodeScalars.first?.value ?? 0) }

    private static func tags(_ words: ArraySlice<String>) -> [String: String] {
        var tags: [String: String] = [:]
        for word in words {
            guard let mark = word.firstIndex(of: "=") else { continue }
            tags[String(word[..<mark])] = String(word[mark...].dropFirst()).replacing("+", with: " ")
        }
        return tags
    }

    /// A point clearance from its line.
    static func clearance(_ line: String) throws -> PointClearance {
        let words = line.split(separator: " ").map(String.init)
        let tags = tags(words.dropFirst(4))
        func numbers(_ key: String) -> [Double] { (tags[key] ?? "").split(separator: ",").compactMap { Double($0) } }
        let detour = numbers("detour")
        return PointClearance(
            id: String(words[0].dropFirst()),
            position: position(try #require(Metres(words[1])), try #require(Metres(words[2]))), posted: words[3],
            name: tags["name"] ?? "", road: tags["road"] ?? "", approach: numbers("approach"),
            passage: tags["passage"].flatMap { PointClearance.Passage(rawValue: $0) },
            detours: detour.count == 2 ? [position(detour[0], detour[1])] : [], source: tags["source"] ?? "survey",
            date: tags["date"] ?? "")
    }
}
