import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

/// How long a truck keeps to a known way, and where on it it is.
struct PathKnownWayTests {
    /// A main road with a parallel road 20 m beside, a side street back to its beginning, and a street off.
    private static let town = """
        a 0 0
        b 300 0
        c 600 0
        d 900 0
        e 1200 0
        p 300 20
        q 900 20
        n 600 400
        m 0 400
        bx tertiary
        x 300 -30
        ab primary
        bc primary
        cd primary
        de primary
        pq service
        cn residential
        nm residential
        ma residential
        """

    /// A truck on a way, told by names.
    private final class Truck {
        let drawn: DrawnNetwork
        private(set) var way: KnownWay

        init(_ names: String...) throws {
            drawn = try DrawnNetwork(town)
            way = KnownWay(try names.map(drawn.edge))
        }

        /// The next fix matches the last edge of `route`. Whether the truck is still on the way.
        func keeps(_ route: String..., offset: Metres = 100) throws -> Bool {
            keeps([try candidate(route, offset)])
        }

        func keeps(_ candidates: [MatchCandidate]) -> Bool { way.keep(to: candidates, drawn.network) }

        func candidate(_ route: [String], _ offset: Metres, probability: Double = 1) throws -> MatchCandidate {
            let edges = try route.map(drawn.edge)
            let position = RoadPosition(edge: edges[edges.count - 1], offset: offset)
            return MatchCandidate(position: position, probability: probability, route: edges)
        }
    }

    @Test("It is followed from the first fix on it, edge by edge, and tells what remains")
    func follows() throws {
        let truck = try Truck("ab", "bc", "cd", "de")
        #expect(!truck.way.isFollowed && truck.way.remaining.isEmpty)
        for (route, left) in [(["ab"], 4), (["ab", "bc"], 3), (["bc"], 3), (["bc", "cd", "de"], 1)] {
            let candidate = try truck.candidate(route, 50)
            #expect(truck.keeps([candidate]))
            #expect(truck.way.remaining.count == left)
            #expect(truck.way.position == candidate.position)
        }
    }

    @Test("A way is followed from where the truck comes onto it, and not in the other direction")
    func joins() throws {
        let truck = try Truck("ab", "bc", "cd")
        #expect(try !truck.keeps("cn"))
        #expect(try !truck.keeps("cb"))
        #expect(try truck.keeps("bc"))
        #expect(truck.way.step == 1)
    }

    @Test("Edges that a sparse fix skips are passed, whatever way the matcher thinks they were driven")
    func sparse() throws {
        let truck = try Truck("ab", "bc", "cn", "nm")
        #expect(try truck.keeps("ab"))
        #expect(try truck.keeps("ab", "am", "mn", "nm"))
        #expect(truck.way.step == 3)
    }

    @Test(
        "A less likely candidate on the way keeps the truck there; a hopeless one does not",
        arguments: [(0.12, true), (0.05, false)])
    func unlikely(probability: Double, isKept: Bool) throws {
        let truck = try Truck("ab", "bc", "cd")
        #expect(try truck.keeps("ab"))
        let likely = try truck.candidate(["cn"], 100, probability: 0.85)
        #expect(truck.keeps([likely, try truck.candidate(["bc"], 10, probability: probability)]) == isKept)
    }

    @Test("A fix on a road beside is noise once: it counts as where it lies beside the way; the second time it is not")
    func noise() throws {
        let truck = try Truck("ab", "bc", "cd", "de")
        #expect(try truck.keeps("bc", offset: 200))
        #expect(try truck.keeps("pq", offset: 400))
        let place = try #require(truck.way.position)
        #expect(truck.drawn.name(place.edge) == "cd")
        #expect(abs(place.offset - 100) < 0.5)
        #expect(try !truck.keeps("pq", offset: 550))
        #expect(truck.way.position == nil)
    }

    @Test("A truck farther off has left the way at once, and is on it again when it comes back, ahead or behind")
    func returns() throws {
        let truck = try Truck("ab", "bc", "cd", "de")
        #expect(try truck.keeps("bc"))
        #expect(try !truck.keeps("bc", "cn"))
        #expect(try !truck.keeps("cn", "nm"))
        #expect(try truck.keeps("nm", "ma", "ab"))
        #expect(truck.way.step == 0)
        #expect(try !truck.keeps("ma"))
        #expect(try truck.keeps("de"))
        #expect(truck.way.step == 3)
    }

    @Test("Beyond its end it is not followed")
    func end() throws {
        let truck = try Truck("ab", "bc")
        #expect(try truck.keeps("bc"))
        #expect(try !truck.keeps("bc", "cd"))
    }

    @Test("A loop passes the same edge twice, and each time counts as itself")
    func loop() throws {
        let truck = try Truck("ab", "bc", "cn", "nm", "ma", "ab", "bc", "cd")
        let timeline: [([String], Int)] = [
            (["ab"], 0), (["ab"], 0), (["ab", "bc"], 1), (["bc", "cn"], 2), (["cn", "nm", "ma"], 4),
            (["ma", "ab"], 5), (["ab", "bc"], 6), (["bc"], 6), (["bc", "cd"], 7),
        ]
        for (route, step) in timeline {
            #expect(truck.keeps([try truck.candidate(route, 20)]))
            #expect(truck.way.step == step)
        }
    }

    @Test("Between two sparse fixes on one edge the truck drove round the loop, if the matcher says so")
    func wholeLoop() throws {
        let truck = try Truck("ab", "bc", "cn", "nm", "ma", "ab", "bc")
        #expect(try truck.keeps("ab"))
        #expect(try truck.keeps("ab", "bc", "cn", "nm", "ma", "ab", offset: 50))
        #expect(truck.way.step == 5)
    }

    @Test("An edge that the way passes again much later is not taken for the later time")
    func later() throws {
        let truck = try Truck("ab", "bc", "cn", "nm", "ma", "ab", "bc")
        #expect(try truck.keeps("bc", offset: 10))
        #expect(try truck.keeps("bc", offset: 5))
        #expect(truck.way.step == 1)
        #expect(try truck.keeps("ab", "bc", offset: 5))
        #expect(truck.way.step == 1)
    }

    @Test("A way without edges is never followed")
    func empty() throws {
        let truck = try Truck()
        #expect(try !truck.keeps("ab"))
        #expect(truck.way.remaining.isEmpty)
    }

    @Test("The matcher's candidates keep a truck on its way past a parallel road, with noise")
    func matched() throws {
        var drive = try MatchingDrive(Self.town)
        let truck = try Truck("ab", "bc", "cd", "de")
        var random = SplitMix64(seed: 3)
        for east in stride(from: 10.0, through: 1_190, by: 59) {
            drive.fix(east, Double.random(in: -8...12, using: &random))
            #expect(truck.keeps(drive.candidates), "\(east) m east")
        }
        #expect(truck.way.step == 3)
    }
}
