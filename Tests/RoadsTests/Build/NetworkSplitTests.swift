import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Ways are cut into directed edges where a truck may choose, must stop or may not fit")
struct NetworkSplitTests {
    @Test("a way alone is one edge each way, however it bends, as long as its line")
    func oneWayAlone() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 300 0
            c 300 400
            abc residential
            """)
        #expect(drawn.edgeNames == ["ac", "ca"])
        let edge = try drawn.edge("ac")
        #expect(abs(drawn.network.length(edge) - 700) < 0.5)
        #expect(abs(drawn.network.startBearing(edge) - 90) < 0.1)
        #expect(drawn.network.endBearing(edge) < 0.1)
        #expect(drawn.network.reverse(edge) == (try drawn.edge("ca")))
        #expect(drawn.network.line(try drawn.edge("ca")) == drawn.network.line(edge).reversed())
        #expect(abs(drawn.network.startBearing(try drawn.edge("ca")) - 180) < 0.1)
        #expect(abs(drawn.network.endBearing(try drawn.edge("ca")) - 270) < 0.1)
        #expect(drawn.network.key(edge) == EdgeKey(way: try drawn.id(way: "abc"), from: 1, to: 3))
    }

    @Test("drivable ways that share a node are both cut there; a footpath cuts nothing")
    func sharedNode() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            c 200 0
            d 100 100
            e 150 0
            f 150 100
            abec residential
            bd residential
            ef footway
            """)
        #expect(drawn.edgeNames == ["ab", "ba", "bc", "bd", "cb", "db"])
    }

    @Test("a barrier that stops a truck cuts the way, and nothing goes on from it; a gate does not cut")
    func barriers() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0 barrier=bollard
            c 200 0
            d 300 0 barrier=gate
            e 400 0
            abcde residential
            """)
        #expect(drawn.edgeNames == ["ab", "ba", "be", "eb"])
        #expect(try drawn.successors("ab").isEmpty)
        #expect(try drawn.successors("eb").isEmpty)
    }

    @Test("a barrier on a junction stops every way through it")
    func barrierOnJunction() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0 barrier=block
            c 200 0
            d 100 100
            abc residential
            bd residential
            """)
        for edge in ["ab", "cb", "db"] { #expect(try drawn.successors(edge).isEmpty, "\(edge)") }
    }

    @Test("a closed way is cut where it begins; it can be gone round again, but not turned about on")
    func loop() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            c 100 100
            s -100 0
            sa residential
            abca residential
            """)
        #expect(drawn.edgeNames == ["aa", "aa", "as", "sa"])
        #expect(try drawn.successors("sa") == ["aa", "aa"])
        let loops = drawn.edges.filter { drawn.name($0) == "aa" }
        #expect(drawn.network.reverse(loops[0]) == loops[1])
        for loop in loops {
            #expect(drawn.network.successors(loop).map(drawn.name).sorted() == ["aa", "as"])
            #expect(drawn.network.successors(loop).contains(loop))
        }
    }

    @Test("a way that crosses itself is cut at the crossing")
    func selfCrossing() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            x 100 0
            b 200 0
            c 200 100
            d 100 -100
            axbcxd residential oneway=yes
            """)
        #expect(drawn.edgeNames == ["ax", "xd", "xx"])
        #expect(try drawn.successors("ax") == ["xd", "xx"])
        #expect(try drawn.successors("xx") == ["xd", "xx"])
    }

    @Test("a roundabout is one-way and cut at its arms")
    func roundabout() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 20 20
            c 0 40
            d -20 20
            s 0 -100
            n 0 140
            abcda tertiary junction=roundabout
            sa residential
            nc residential
            """)
        #expect(drawn.edgeNames == ["ac", "as", "ca", "cn", "nc", "sa"])
        #expect(try drawn.successors("sa") == ["ac"])
        #expect(try drawn.successors("ac") == ["ca", "cn"])
    }

    @Test(
        "nodes missing at an extract's border: the consecutive pieces are kept, single nodes are not",
        arguments: [
            ("abcde", "", ["ae", "ea"]), ("abcde", "a", ["be", "eb"]), ("abcde", "c", ["ab", "ba", "de", "ed"]),
            ("abcde", "b", ["ce", "ec"]), ("abcde", "bd", []), ("abcde", "abcde", []), ("abcde", "de", ["ac", "ca"]),
        ] as [(String, String, [String])])
    func border(way: String, missing: String, edges: [String]) throws {
        let nodes = way.enumerated().filter { !missing.contains($1) }.map { "\($1) \($0 * 100) 0" }
        let drawn = try DrawnNetwork((nodes + ["\(way) residential"]).joined(separator: "\n"))
        #expect(drawn.edgeNames == edges)
        #expect(drawn.report.missingNodes == missing.count)
    }

    @Test("a node that follows itself is a slip and no edge")
    func repeatedNode() throws {
        let drawn = try DrawnNetwork("a 0 0\nb 100 0\nc 200 0\nabbc residential")
        #expect(drawn.edgeNames.allSatisfy { $0 != "bb" })
        #expect(try drawn.allows("ac") || drawn.allows("ab", "bc"))
    }

    @Test("nodes at one place at an end of an edge say nothing of its course there")
    func nodesAtOnePlace() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 0 0
            c 100 0
            d 200 -100
            e 200 -100
            abcde residential
            """)
        let (along, against) = (try drawn.edge("ae"), try drawn.edge("ea"))
        #expect(abs(drawn.network.startBearing(along) - 90) < 0.1)
        #expect(abs(drawn.network.endBearing(along) - 135) < 0.1)
        #expect(abs(drawn.network.startBearing(against) - 315) < 0.1)
        #expect(abs(drawn.network.endBearing(against) - 270) < 0.1)
    }

    @Test("ways and restrictions that are read twice, as from extracts that overlap, are there once")
    func overlappingExtracts() {
        let ways = [("12", "residential"), ("23", "service"), ("24", "service")].enumerated().map { index, way in
            SourceWay(
                id: Int64(index + 1), nodes: way.0.compactMap { Int64(String($0)) },
                tags: ["highway": way.1, "maxheight": "3.2"])
        }
        let ban = SourceRelation(
            id: 1,
            members: [
                .init(kind: .way, id: 1, role: "from"), .init(kind: .node, id: 2, role: "via"),
                .init(kind: .way, id: 2, role: "to"),
            ], tags: ["type": "restriction", "restriction": "no_straight_on"])
        let nodes = (1...4).map { id in
            SourceNode(
                id: id, position: Coordinate(latitude: 0, longitude: Double(id) / 1000), tags: ["maxheight": "3"])
        }
        func build(copies: Int) -> (file: [UInt8], report: ImportReport) {
            var builder = RoadNetworkBuilder()
            for _ in 0..<copies {
                for way in ways { builder.add(way) }
                builder.add(ban)
            }
            builder.finishWays()
            for _ in 0..<copies {
                for node in nodes { builder.add(node) }
            }
            return builder.build()
        }
        #expect(build(copies: 2).report == build(copies: 1).report)
        #expect(build(copies: 2).file.elementsEqual(build(copies: 1).file))
    }
}
