import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Of a table for other clearances, the hazards far from what has changed are taken over")
struct HazardReuseTests {
    /// More than the 30 km of a way back, the 30 km of a detour from there, and the 64 edges of a look ahead.
    private static let between: String = {
        let nodes = (1...100).map { "n\($0) \($0 * 1_470) 0" }
        let ends = ["e"] + (1...100).map { "n\($0)" } + ["S"]
        let roads = zip(ends, ends.dropFirst()).map { "\($0)-\($1) residential" }
        return (nodes + roads).joined(separator: "\n") + "\n"
    }()

    /// Two bridges 150 km apart, with a street round each.
    ///
    /// - Parameters:
    ///   - low: height of the first.
    ///   - north: how far north of the second its street leads, in metres: by the length of the detour one sees on which network
    ///     it was found.
    private func network(low: String, north: Int) throws -> DrawnNetwork {
        let first = DetourTests.drawing.replacing("maxheight=3.2", with: "maxheight=\(low)")
        let second = DetourTests.drawing.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            let name = words[0].uppercased()
            guard words.count == 3, let east = Int(words[1]) else {
                return ([name] + words.dropFirst()).joined(separator: " ")
            }
            return "\(name) \(150_000 + east) \(words[2] == "0" ? 0 : north)"
        }
        return try DrawnNetwork(first + Self.between + second.joined(separator: "\n"))
    }

    private func detour(_ table: HazardTable, _ drawn: DrawnNetwork, before entry: String) throws -> Metres? {
        let edge = try drawn.edge(entry)
        return table.hazards.first { $0.entry == edge }?.detours.first?.length
    }

    @Test("Where one bridge becomes too low, or is no longer", arguments: [("4.5", "3.2"), ("3.2", "4.5")])
    func far(before: String, after: String) throws {
        let (former, drawn) = (try network(low: before, north: 300), try network(low: after, north: 200))
        #expect(former.edgeNames == drawn.edgeNames)
        #expect(try former.edge("AB") == drawn.edge("AB"))
        let made = HazardTable(drawn.network, height: 400, from: [HazardTable(former.network, height: 400)])
        let fresh = HazardTable(drawn.network, height: 400)
        #expect(made.hazards.map(\.entry) == fresh.hazards.map(\.entry))
        #expect(try detour(made, drawn, before: "ab").map { $0.rounded() } == (after == "3.2" ? 1_100 : nil))
        // Twice 100 m more: not looked for on this network.
        let (taken, found) = (try detour(made, drawn, before: "AB"), try detour(fresh, drawn, before: "AB"))
        #expect(try abs(#require(taken) - #require(found) - 200) < 1)
    }
}
