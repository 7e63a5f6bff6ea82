import Foundation
import Geo
import RoadsTestSupport
import Testing

@testable import Roads

/// What a fleet did at a junction before.
struct PathTurnCountsTests {
    /// A crossing: by the look of the roads straight on is likely. Behind it a bend without choice.
    private static let crossing = """
        a 0 0
        j 500 0
        b 1000 0
        c 500 500
        d 500 -500
        e 1500 0
        aj primary
        jb primary
        jc residential
        jd residential
        be primary
        """

    private let drawn: DrawnNetwork
    private var network: RoadNetwork { drawn.network }

    init() throws { drawn = try DrawnNetwork(Self.crossing) }

    private func counts(_ routes: [[String]]) throws -> TurnCounts {
        var counts = TurnCounts()
        for route in routes { counts.add(try route.map(drawn.edge), network) }
        return counts
    }

    private func turns(_ counts: TurnCounts, after edge: String) throws -> [String: Double] {
        let turns = TurnModel(counts: counts).turns(network, after: try drawn.edge(edge))
        return Dictionary(uniqueKeysWithValues: turns.map { (drawn.name($0.next), $0.probability) })
    }

    @Test("With counts the probability is (count + 3 P) / (total + 3)")
    func formula() throws {
        let prior = try turns(TurnCounts(), after: "aj")
        let counted = try turns(counts(Array(repeating: ["aj", "jc"], count: 5) + [["aj", "jb"]]), after: "aj")
        for (next, count) in [("jc", 5.0), ("jb", 1.0), ("jd", 0.0)] {
            let probability = try #require(prior[next])
            let wanted = (count + 3 * probability) / (6 + 3)
            #expect(abs(try #require(counted[next]) - wanted) < 1e-12)
        }
        let sum = counted.values.reduce(0, +)
        #expect(abs(sum - 1) < 1e-12)
    }

    @Test("Where the fleet never was, nothing changes")
    func elsewhere() throws {
        let counts = try counts([["aj", "jc"]])
        for edge in ["bj", "cj", "dj", "jb"] {
            let (counted, prior) = (try turns(counts, after: edge), try turns(TurnCounts(), after: edge))
            #expect(counted.keys.sorted() == prior.keys.sorted())
            for (next, probability) in prior { #expect(abs(try #require(counted[next]) - probability) < 1e-12) }
        }
    }

    @Test("A route counts each of its turns once; where there is no choice, and turning round, count nothing")
    func route() throws {
        let counts = try counts([["aj", "jb", "be"], ["bj", "jd"], ["jb", "bj", "jc"], ["aj"], []])
        let rows = counts.rows(network)
        let names = rows.map { row in
            let edges = EdgeIndex(network)
            return "\(edges.edge(row.arriving).map(drawn.name) ?? "?")>\(edges.edge(row.next).map(drawn.name) ?? "?")"
        }
        #expect(names.sorted() == ["aj>jb", "bj>jc", "bj>jd"])
        #expect(rows.allSatisfy { $0.count == 1 })
    }

    @Test("Turns onto and off shadows count as those of the edges on the map")
    func shadows() throws {
        let drawn = try DrawnNetwork(
            "a 0 0\nb 99 0\nc 199 0\nd 199 99\ne 299 0\nf 99 99\nab road\nbc road\nbf road\ncd road\nce road\nno_turn ab bc cd"
        )
        let edges = try #require(FastestWay(drawn.network).edges(from: drawn.edge("ab"), to: drawn.edge("ce")))
        #expect(drawn.network.original(edges[1]) != edges[1])
        var counts = TurnCounts()
        counts.add(edges, drawn.network)
        #expect(counts.taken(drawn.network, after: try drawn.edge("ab")).count(of: try drawn.edge("bc")) == 1)
        let turns = TurnModel(counts: counts).turns(drawn.network, after: try drawn.edge("ab"))
        #expect(abs(turns.reduce(0) { $0 + $1.probability } - 1) < 1e-12)
        let onto = try #require(turns.first { drawn.name($0.next) == "bc" })
        #expect(onto.probability > 0.25)
    }

    @Test("Rows come back as the same counts; those whose turn is gone from the map are passed over")
    func rows() throws {
        let counts = try counts([["aj", "jb"], ["aj", "jb"], ["aj", "jc"], ["cj", "jd"]])
        let rows = counts.rows(network)
        #expect(rows.map(\.count).sorted() == [1, 1, 2])
        let index = EdgeIndex(network)
        #expect(TurnCounts(rows, index).rows(network) == rows)
        var changed = rows
        changed[0].arriving.way += 1_000
        changed[1].next = try network.key(drawn.edge("be"))
        changed[2].count = 0
        #expect(TurnCounts(changed, index).isEmpty)
    }

    @Test("At the bound all counts are halved, and turns taken once are forgotten")
    func bound() throws {
        var counts = TurnCounts(turnsMax: 2)
        for route in [["aj", "jb"], ["aj", "jb"], ["aj", "jb"], ["aj", "jb"], ["aj", "jc"], ["cj", "jd"]] {
            counts.add(try route.map(drawn.edge), network)
        }
        #expect(counts.size == 2)
        #expect(counts.taken(network, after: try drawn.edge("aj")).count(of: try drawn.edge("jb")) == 2)
        #expect(counts.taken(network, after: try drawn.edge("aj")).count(of: try drawn.edge("jc")) == 0)
        #expect(counts.taken(network, after: try drawn.edge("cj")).count(of: try drawn.edge("jd")) == 1)
    }
}
