import Clearances
import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

@Suite("A road file is read as it was written, or refused with a reason")
struct RoadFileTests {
    private static let drawing = """
        a 0 0
        b 100 0 maxheight=3.8
        c 200 0
        d 100 100
        abc primary name=Straße+nach+Süden ref=B+3 maxspeed=50 hgv=destination
        bd tertiary_link oneway=yes maxheight=13'6"
        cd service service=driveway name=Straße+nach+Süden
        no_left_turn abc bd cd
        """

    // MARK: Round trip

    @Test("what the drawing says comes back")
    func roundTrip() throws {
        let drawn = try DrawnNetwork(Self.drawing)
        let network = drawn.network
        try network.verify()
        #expect(network.nodeCount == 4)
        #expect(network.wayCount == 3)
        #expect(network.clearanceCount == 2)
        let (road, link, drive) = (try drawn.edge("ab"), try drawn.edge("bd"), try drawn.edge("cd"))
        #expect(network.name(road) == "Straße nach Süden")
        #expect(network.number(road) == "B 3")
        #expect(network.title(road) == "Straße nach Süden")
        #expect(network.title(link) == nil)
        #expect([road, link, drive].map(network.roadClass) == [.primary, .tertiary, .service])
        #expect([road, link, drive].map(network.isLink) == [false, true, false])
        #expect([road, link, drive].map(network.isService) == [false, false, true])
        #expect([road, link, drive].map(network.isDestinationOnly) == [true, false, true])
        #expect(abs(network.usualSpeed(road) - 50 / 3.6) < 1e-5)
        #expect(network.wayID(link) == (try drawn.id(way: "bd")))
        #expect(network.isSameRoad(road, drive))
        #expect(!network.isSameRoad(road, link))
        #expect(network.summary.hasPrefix("3 drivable ways, 0.4 km, 4 junctions, 7 directed edges, 2 clearances"))
    }

    @Test("positions come back to OSM's 1e-7 degrees")
    func positions() throws {
        let drawn = try DrawnNetwork(Self.drawing)
        let position = drawn.network.coordinate(drawn.network.to(try drawn.edge("bd")))
        let expected = LocalPlane(latitude: 0).coordinate(
            Vector(east: 100, north: 100), from: Coordinate(latitude: 0, longitude: 9))
        #expect(abs(position.latitude - expected.latitude) <= 0.5e-7)
        #expect(abs(position.longitude - expected.longitude) <= 0.5e-7)
    }

    @Test("what a point clearance says beyond its place and height comes back")
    func pointClearances() throws {
        let drawn = try SnappingDrawing(Self.underpass + "\n@q 5000 0 3.2 approach=12.34,271.5 detour=-20,7 date=2025")
        let (snapped, unsnapped) = (
            drawn.network.clearance(try drawn.clearance("p")), drawn.network.clearance(try drawn.clearance("q"))
        )
        #expect(snapped.approach == [90])
        #expect(snapped.date == "2026-05")
        #expect(unsnapped.approach == [12.34, 271.5])
        #expect(unsnapped.date == "2025")
        let detour = try #require(unsnapped.detours.first)
        #expect(unsnapped.detours.count == 1)
        #expect(detour.distance(to: DrawnNetwork.place(-20, 7)) < 0.01)
        #expect(drawn.network.unsnappedClearances == [try drawn.clearance("q")])
        let mapped = drawn.network.clearance(try drawn.clearance("osm:way:1001"))
        #expect(mapped.approach.isEmpty && mapped.detours.isEmpty && mapped.date.isEmpty)
    }

    @Test("a network without roads is a sound file too")
    func noRoads() throws {
        var builder = RoadNetworkBuilder()
        builder.finishWays()
        let network = try RoadNetwork(RoadFileBuffer(builder.build().file))
        try network.verify()
        #expect(network.edgeCount == 0)
        #expect(network.edges(within: 100, of: Coordinate(latitude: 0, longitude: 9)).isEmpty)
        #expect(HazardTable(network, height: 400).hazards.isEmpty)
    }

    @Test("equal input gives equal bytes and fingerprints, another input others")
    func deterministic() throws {
        let (a, b) = (try DrawnNetwork(Self.drawing), try DrawnNetwork(Self.drawing))
        #expect(a.bytes.elementsEqual(b.bytes))
        #expect(a.network.fingerprint == b.network.fingerprint)
        let other = try DrawnNetwork(Self.drawing.replacing("3.8", with: "3.9"))
        #expect(a.network.fingerprint != other.network.fingerprint)
    }

    @Test("the order in which an object's tags were put together makes no difference")
    func tagOrder() {
        let keys = ["physical", "signed", "legal", "hgv", "lanes", "forward", "backward"].map { "maxheight:\($0)" }
        func build(_ keys: [String]) -> [UInt8] {
            var tags = ["highway": "residential"]
            for key in keys { tags[key] = "3.2" }
            var builder = RoadNetworkBuilder()
            builder.add(SourceWay(id: 1, nodes: [1, 2], tags: tags))
            builder.finishWays()
            for id in 1...2 {
                let position = Coordinate(latitude: 0, longitude: Degrees(id) / 1000)
                builder.add(SourceNode(id: Int64(id), position: position, tags: tags))
            }
            return builder.build().file
        }
        #expect(build(keys).elementsEqual(build(keys.reversed())))
    }

    @Test("edges are numbered by where they lie, in whatever order ways are read", arguments: UInt64(1)...3)
    func edgeOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let places = (0..<200).map { _ in
            Coordinate(latitude: .random(in: 49...50, using: &random), longitude: .random(in: 8...9, using: &random))
        }
        let ways = places.indices.map { way in
            SourceWay(id: Int64(way), nodes: [Int64(2 * way), Int64(2 * way + 1)], tags: ["highway": "residential"])
        }
        func keys(_ ways: [SourceWay]) throws -> [EdgeKey] {
            var builder = RoadNetworkBuilder()
            for way in ways { builder.add(way) }
            builder.finishWays()
            for (way, place) in places.enumerated() {
                let end = Coordinate(latitude: place.latitude + 0.001, longitude: place.longitude)
                builder.add(SourceNode(id: Int64(2 * way), position: place))
                builder.add(SourceNode(id: Int64(2 * way + 1), position: end))
            }
            let network = try RoadNetwork(RoadFileBuffer(builder.build().file))
            return (0..<network.edgeCount).map { network.key(EdgeID($0)) }
        }
        let inOrder = try keys(ways)
        #expect(try keys(ways.shuffled(using: &random)) == inOrder)
        // The first node of each two edges of a way. Neighbours by number are near each other: of places in any order two are half
        // a map, 60 km, apart.
        let order = stride(from: 0, to: inOrder.count, by: 2).map { places[Int(inOrder[$0].way)] }
        let apart = zip(order, order.dropFirst()).map { $0.distance(to: $1) }.reduce(0, +) / Metres(order.count)
        #expect(apart < 10_000)
    }

    // MARK: Damage

    /// The layout, written down once more on purpose: magic (8 bytes), version and number of sections (4 each), length of
    /// the file and sum of the directory (8 each), then for each section its offset, length and sum (8 each).
    private enum Layout {
        static let header = 32
        static let entry = 24

        static func sections(_ bytes: [UInt8]) -> Int { Int(bytes[12]) }
        static func bodyStart(_ bytes: [UInt8]) -> Int { header + sections(bytes) * entry }
    }

    private func refusal(of bytes: [UInt8]) -> RoadFileError? {
        do throws(RoadFileError) {
            _ = try RoadNetwork(RoadFileBuffer(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test("any one byte of header and directory that is flipped is noticed at opening", arguments: [0x01, 0x80, 0xFF])
    func flippedDirectory(mask: UInt8) throws {
        let bytes = try DrawnNetwork(Self.drawing).bytes
        for position in 0..<Layout.bodyStart(bytes) {
            var damaged = bytes
            damaged[position] ^= mask
            let error = try #require(refusal(of: damaged), "byte \(position)")
            switch position {
            case 0..<8: #expect(error == .foreign)
            case 8..<12: if case .version = error {} else { Issue.record("\(error) at byte \(position)") }
            case 16..<24: #expect(error == .truncated)
            default: #expect(error == .damaged(section: "directory"))
            }
            #expect(error.description.contains("headroom roads build"))
        }
    }

    /// Something in every section: an underpass with two clearances on it, one of which outweighs the other.
    private static let underpass = """
        a 0 0
        b 500 0
        c 300 -50
        d 300 50
        ab residential maxheight=3.6
        cd none railway=rail bridge=yes
        @p 300 3 3.9 approach=90 detour=50,0 date=2026-05
        """

    @Test("any one byte of any section that is flipped is found by verify, which says in which section")
    func flippedSection() throws {
        let bytes = try SnappingDrawing(Self.underpass).bytes
        var sections: Set<String> = []
        for entry in 0..<Layout.sections(bytes) {
            for position in section(entry, of: bytes) {
                var damaged = bytes
                damaged[position] ^= 0x10
                let network = try RoadNetwork(RoadFileBuffer(damaged))
                let error = #expect(throws: RoadFileError.self, "byte \(position)") { try network.verify() }
                guard case .damaged(let section) = error else { continue }
                sections.insert(section)
            }
        }
        #expect(sections.count == Layout.sections(bytes))
    }

    private func section(_ entry: Int, of bytes: [UInt8]) -> Range<Int> {
        let start = Layout.header + entry * Layout.entry
        let (offset, length) = (word(at: start, in: bytes), word(at: start + 8, in: bytes))
        return Int(offset)..<Int(offset + length)
    }

    private func word(at position: Int, in bytes: [UInt8]) -> UInt64 {
        bytes[position..<(position + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test("a file cut off anywhere is refused, and one that goes on too")
    func truncated() throws {
        let bytes = try DrawnNetwork(Self.drawing).bytes
        for length in 0..<bytes.count {
            #expect(refusal(of: Array(bytes.prefix(length))) == (length < Layout.header ? .foreign : .truncated))
        }
        let longer = try #require(refusal(of: bytes + [0]))
        #expect(longer == .truncated)
        #expect(longer.description.contains("not as long as it says"))
    }

    @Test(
        "other files are no road files",
        arguments: ["", "<osm version=\"0.6\"></osm>", String(repeating: "headroom ", count: 100)])
    func foreign(content: String) {
        #expect(refusal(of: Array(content.utf8)) == .foreign)
    }

    @Test("another version is named")
    func version() throws {
        var bytes = try DrawnNetwork(Self.drawing).bytes
        let version = bytes[8]
        bytes[8] = 77
        let error = try #require(refusal(of: bytes))
        #expect(error == .version(found: 77))
        #expect(error.description.contains("77") && error.description.contains("\(version)"))
    }

    @Test(
        "a directory that points outside, or at rows cut in two, is refused even where its sum is right",
        arguments: [
            (0, 8, UInt64.max - 7), (0, 8, 1 << 62), (0, 0, UInt64.max - 7), (0, 0, 1 << 40), (0, 0, 444), (0, 8, 15),
            (2, 8, 43), (5, 8, 4), (7, 8, 4), (9, 8, 4),
        ] as [(Int, Int, UInt64)])
    func forged(entry: Int, member: Int, value: UInt64) throws {
        var bytes = try DrawnNetwork(Self.drawing).bytes
        write(value, at: Layout.header + entry * Layout.entry + member, in: &bytes)
        write(sum(bytes[Layout.header..<Layout.bodyStart(bytes)]), at: 24, in: &bytes)
        guard case .damaged = try #require(refusal(of: bytes)) else {
            Issue.record("not refused as damaged")
            return
        }
    }

    private func write(_ value: UInt64, at position: Int, in bytes: inout [UInt8]) {
        for byte in 0..<8 { bytes[position + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte))) }
    }

    /// The file's checksum, over whole words.
    private func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        let content = Array(bytes)
        return stride(from: 0, to: content.count, by: 8).reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(content.count)) {
            let mixed = ($0 ^ word(at: $1, in: content)) &* 0x100_0000_01B3
            return mixed ^ mixed >> 29
        }
    }
}
