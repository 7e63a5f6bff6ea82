import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

/// Which edges the line of a routing engine drives.
struct MatchingLineTests {
    private func match(_ drawing: String, _ line: [(Metres, Metres)]) throws -> (DrawnNetwork, MatchedLine) {
        let drawn = try DrawnNetwork(drawing)
        let matcher = LineMatcher(drawn.network, FastestWay(drawn.network))
        return (drawn, matcher.match(line.map(MatchingDrive.place)))
    }

    private func edges(_ drawing: String, _ line: [(Metres, Metres)]) throws -> [String]? {
        let (drawn, matched) = try match(drawing, line)
        return matched.way?.edges.map(drawn.name)
    }

    /// A street, a parallel one 15 m beside, joined at their western ends by a bend: a U.
    private static let bend = """
        a 1000 0
        b 500 0
        c 0 0
        d 0 15
        e 500 15
        f 1000 15
        g 500 -300
        ab residential
        bc residential
        cd residential
        de residential
        ef residential
        bg residential
        """

    @Test(
        "A line gives the edges that it drives, whether its points are near or far apart",
        arguments: [2, 20, 99, 1_000])
    func straight(step: Int) throws {
        let line = stride(from: 1_000, through: 0, by: -step).map { (Metres($0), 0.0) }
        #expect(try edges(Self.bend, line) == ["ab", "bc"])
    }

    @Test("Offsets are those of the line's ends; an edge that is only touched at its end is not driven")
    func ends() throws {
        let (drawn, matched) = try match(Self.bend, [(900, 2), (500, -2), (200, 0)])
        let way = try #require(matched.way)
        #expect(way.edges.map(drawn.name) == ["ab", "bc"])
        #expect(abs(way.start.offset - 100) < 0.5)
        #expect(abs(way.end.offset - 300) < 0.5)
        #expect(abs(way.length(drawn.network) - 700) < 1)
        #expect(matched.gaps.isEmpty)
        #expect(try edges(Self.bend, [(500, 0), (0, 0)]) == ["bc"])
    }

    @Test("A U of two roads 15 m apart is driven to its bend and back, with some metres of noise")
    func parallel() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20 {
            let out = stride(from: 1_000.0, through: 0, by: -40).map { ($0, Double.random(in: -3...3, using: &random)) }
            let back = stride(from: 0.0, through: 1_000, by: 40).map {
                ($0, Double.random(in: 12...18, using: &random))
            }
            #expect(try edges(Self.bend, out + back) == ["ab", "bc", "cd", "de", "ef"])
        }
    }

    @Test("A loop comes over the same edge twice")
    func loop() throws {
        let drawing = """
            s -300 0
            a 0 0
            b 100 0
            c 100 100
            d 0 100
            z 100 -300
            sa residential
            ab residential
            bc residential
            cd residential
            da residential
            bz residential
            """
        let line: [(Metres, Metres)] = [(-300, 0), (100, 0), (100, 100), (0, 100), (0, 0), (100, 0), (100, -300)]
        #expect(try edges(drawing, line) == ["sa", "ab", "bc", "cd", "da", "ab", "bz"])
    }

    @Test("A small roundabout is driven round as often as the line does", arguments: [1, 2, 3])
    func roundabout(rounds: Int) throws {
        let drawing = """
            w -300 0
            a -15 0
            s 0 -15
            e 15 0
            n 0 15
            z 300 0
            wa residential
            asena residential oneway=yes
            ez residential
            """
        let round: [(Metres, Metres)] = [
            (-15, 0), (-11, -11), (0, -15), (11, -11), (15, 0), (11, 11), (0, 15), (-11, 11),
        ]
        let line = [(-300.0, 0.0)] + (1..<rounds).flatMap { _ in round } + round.prefix(5) + [(300, 0)]
        let circle = (1..<rounds).flatMap { _ in ["ae", "ea"] } + ["ae"]
        #expect(try edges(drawing, line) == ["wa"] + circle + ["ez"])
    }

    @Test("On a divided road it is the carriageway in its direction")
    func divided() throws {
        let drawing = "a 0 0\nb 2000 0\nc 2000 12\nd 0 12\nab motorway\ncd motorway"
        #expect(try edges(drawing, [(100, 6), (1_900, 6)]) == ["ab"])
        #expect(try edges(drawing, [(1_900, 6), (100, 6)]) == ["cd"])
    }

    @Test("Where the line turns round on a road, so does the way")
    func turningRound() throws {
        let (drawn, matched) = try match(Self.bend, [(950, 0), (700, 0), (950, 0)])
        let way = try #require(matched.way)
        #expect(way.edges.map(drawn.name) == ["ab", "ba"])
        #expect(abs(way.length(drawn.network) - 500) < 25)
    }

    // MARK: What cannot be matched

    @Test("Ends off the network are told as gaps; the way is what lies between")
    func offNetworkEnds() throws {
        let (drawn, matched) = try match(Self.bend, [(800, -400), (800, 0), (500, 0), (500, -600)])
        #expect(matched.way?.edges.map(drawn.name) == ["ab", "bg"])
        #expect(matched.gaps.map(\.reason) == [.offNetwork, .offNetwork])
        #expect(abs(matched.gaps[0].range.upperBound - 380) < 30)
        #expect(abs(matched.gaps[1].range.lowerBound - 1_000) < 50)
        #expect(matched.gaps[1].range.upperBound == matched.length)
    }

    @Test("A line far from all roads, one of a single point and one of none have no edges")
    func nothing() throws {
        let (_, far) = try match(Self.bend, [(0, 5_000), (900, 5_000)])
        #expect(far.pieces.isEmpty)
        #expect(far.gaps == [MatchedLine.Gap(range: 0...far.length, reason: .offNetwork)])
        for line: [(Metres, Metres)] in [[], [(500, 0)], [(500, 0), (500, 0)]] {
            let (_, matched) = try match(Self.bend, line)
            #expect(matched.pieces.isEmpty && matched.gaps.isEmpty && matched.length == 0)
        }
    }

    @Test("A line longer than any trip is not looked at", .timeLimit(.minutes(1)))
    func tooLong() throws {
        let line = (0..<12_000).map { ($0.isMultiple(of: 2) ? 0.0 : 500_000, 0.0) }
        let (_, matched) = try match(Self.bend, line)
        #expect(matched.pieces.isEmpty)
        #expect(matched.gaps.map(\.reason) == [.tooLong])
    }

    @Test("A turn that may not be driven divides the way; against a one-way road there is none")
    func illegal() throws {
        let (drawn, matched) = try match(
            Self.bend + "\nno_left_turn ab b bg", [(900, 0), (500, 0), (500, -250)])
        #expect(matched.way == nil)
        #expect(matched.pieces.map { $0.way.edges.map(drawn.name) } == [["ab"], ["bg"]])
        #expect(matched.gaps.map(\.reason) == [.noWay])
        let (_, against) = try match("a 0 0\nb 900 0\nab residential oneway=yes", [(800, 0), (100, 0)])
        #expect(against.pieces.isEmpty)
        #expect(against.gaps.map(\.reason) == [.noWay])
    }

    @Test("A line that only crosses a road does not drive along it")
    func crossing() throws {
        let (_, matched) = try match("a 0 0\nb 900 0\nab residential", [(450, -500), (450, 500)])
        #expect(matched.pieces.isEmpty)
    }

    @Test(
        "Over a gap where the line leaves its road the fastest way is taken, if it is about as long",
        arguments: [true, false])
    func bridged(isConnected: Bool) throws {
        let drawing = """
            a 0 0
            b 1000 0
            c 1500 130
            d 2000 0
            e 3000 0
            ab secondary
            \(isConnected ? "bcd" : "cd") secondary
            de secondary
            """
        let (drawn, matched) = try match(drawing, [(0, 0), (1_000, 0), (2_000, 0), (3_000, 0)])
        if isConnected {
            #expect(matched.way?.edges.map(drawn.name) == ["ab", "bd", "de"])
            #expect(matched.gaps.isEmpty)
        } else {
            #expect(matched.pieces.first?.way.edges.map(drawn.name) == ["ab"])
            #expect(matched.pieces.last?.way.edges.map(drawn.name).last == "de")
            #expect(!matched.gaps.isEmpty)
        }
    }
}
