import Foundation
import Geo
import Roads
import RoadsTestSupport
import Testing

/// How likely each turn is, by the published weights.
struct PathTurnModelTests {
    private func turns(_ drawing: String, after edge: String) throws -> [String: Double] {
        let drawn = try DrawnNetwork(drawing)
        let turns = TurnModel().turns(drawn.network, after: try drawn.edge(edge))
        return Dictionary(uniqueKeysWithValues: turns.map { (drawn.name($0.next), $0.probability) })
    }

    /// Two ways go on from `j`, due east: `jb` straight on, `jc` at a right angle. What `ab` and `ac` are decides.
    private func share(_ a: String, straight b: String, left c: String) throws -> Double {
        let turns = try turns("a 0 0\nj 500 0\nb 1000 0\nc 500 500\naj \(a)\njb \(b)\njc \(c)", after: "aj")
        return try #require(turns["jb"])
    }

    /// The share that the difference of two scores stands for.
    private func share(of difference: Double) -> Double { 1 / (1 + exp(-difference)) }

    struct Term: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var from: String
        var straight: String
        var left: String
        /// Score of going straight on minus that of turning left.
        var difference: Double

        init(_ name: String, _ from: String, _ straight: String, _ left: String, _ difference: Double) {
            (testDescription, self.from, self.straight, self.left) = (name, from, straight, left)
            self.difference = difference
        }
    }

    @Test(
        "Each term of the score",
        arguments: [
            Term("a right angle costs 1.6", "residential", "residential", "residential", 1.6),
            Term("a class up adds 0.55 each", "residential", "residential", "secondary", 1.6 - 3 * 0.55),
            Term("a class down takes 0.55 each", "secondary", "residential", "secondary", 1.6 - 3 * 0.55),
            Term("onto a link costs 1.0", "trunk", "trunk", "trunk_link", 1.6 + 1.0),
            Term("from link to link costs nothing", "trunk_link", "trunk", "trunk_link", 1.6),
            Term("service costs 0.5, and three classes", "residential", "residential", "service", 1.6 + 0.5 + 3 * 0.55),
            Term(
                "destination only costs 0.5", "residential", "residential", "residential access=destination", 1.6 + 0.5),
            Term("service for destination only costs 0.5 once", "service", "service", "service access=private", 1.6),
            Term("the same name adds 0.2", "tertiary name=A", "tertiary", "tertiary name=A", 1.6 - 0.2),
            Term("the same number adds 0.2", "tertiary ref=1", "tertiary ref=1", "tertiary ref=2", 1.6 + 0.2),
            Term("name and number together add 0.2", "tertiary ref=1 name=A", "tertiary", "tertiary ref=1 name=A", 1.4),
        ])
    func terms(_ term: Term) throws {
        let share = try share(term.from, straight: term.straight, left: term.left)
        #expect(abs(share - self.share(of: term.difference)) < 1e-4)
    }

    @Test("The same way adds 0.2 without any name")
    func sameWay() throws {
        let turns = try turns("a 0 0\nj 500 0\nb 1000 0\nc 500 500\najb tertiary\njc tertiary", after: "aj")
        #expect(abs(try #require(turns["jb"]) - share(of: 1.8)) < 1e-4)
    }

    @Test("The angle counts in proportion")
    func angle() throws {
        let turns = try turns("a 0 0\nj 500 0\nb 1000 0\nc 1000 500\naj road\njb road\njc road", after: "aj")
        #expect(abs(try #require(turns["jb"]) - share(of: 0.8)) < 1e-4)
    }

    @Test("Probabilities add up to 1 at a crossing, are 1 where there is no choice, and none at a dead end")
    func sums() throws {
        let drawing = """
            a 0 0
            j 500 0
            b 1000 0
            c 500 500
            d 500 -500
            e 1500 0
            aj primary
            jb tertiary
            be tertiary
            cjd residential
            """
        for edge in ["aj", "bj", "cj", "dj"] {
            let turns = try turns(drawing, after: edge)
            #expect(turns.count == 3)
            let sum = turns.values.reduce(0, +)
            #expect(abs(sum - 1) < 1e-12)
        }
        #expect(try turns(drawing, after: "jb") == ["be": 1])
        #expect(try turns(drawing, after: "be").isEmpty)
    }
}
