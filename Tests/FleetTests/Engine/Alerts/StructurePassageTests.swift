import FleetTestSupport
import Roads
import Testing

@testable import Fleet

/// Whether the structure of an alert is behind the vehicle, where it may be on one of two roads.
struct StructurePassageTests {
    private let drawing: Drawing
    private let structures: [Structures]

    init() throws {
        drawing = try Drawing.bridge()
        let table = HazardTable(drawing.network, height: 412)
        structures = [Structures(drawing.network, table, try #require(table.hazards.first))]
    }

    /// - Parameters:
    ///   - edges: driven since the fix before.
    ///   - share: the probability of it.
    private func candidate(_ edges: String, _ share: Double) throws -> MatchCandidate {
        let route = try edges.split(separator: " ").map { try drawing.edge(String($0)) }
        return MatchCandidate(
            position: RoadPosition(edge: try #require(route.last), offset: 20), probability: share, route: route)
    }

    @Test(
        "Who was likelier on a parallel road when the bridge was passed has passed it once it is known that he was not",
        arguments: [
            // Likelier than not at once.
            ([[("je ef fg", 0.6), ("jn nm", 0.4)]], true, true),
            ([[("je ef fg", 0.4), ("jn nm", 0.6)]], false, false),
            ([[("je ef fg", 0.4), ("jn nm", 0.6)], [("fg", 0.7), ("nm", 0.3)]], true, true),
            (
                [[("je ef fg", 0.4), ("jn nm", 0.6)], [("fg", 0.4), ("nm", 0.6)], [("fg gz", 0.9), ("nm", 0.1)]], true,
                true
            ),
            // It was on the other road, which comes to the same one.
            ([[("je ef fg", 0.4), ("jn nm", 0.6)], [("nm mg gz", 1)]], false, false),
            // It has turned round behind the bridge, or before it.
            ([[("je ef fg", 0.4), ("jn nm", 0.6)], [("fg gf", 0.9), ("nm", 0.1)]], false, false),
            // Round on the road of the bridge, perhaps before it.
            ([[("je ef fe", 0.4), ("jn nm", 0.6)], [("fe ej", 1)]], false, false),
            // Back and forth behind the bridge.
            ([[("gz", 1)], [("gz", 1)]], false, false),
        ] as [([[(String, Double)]], Bool, Bool)])
    func passed(fixes: [[(edges: String, share: Double)]], isPassed: Bool, wentUnder: Bool) throws {
        var passage = StructurePassage()
        var last = false
        for fix in fixes {
            last = passage.take(try fix.map { try candidate($0.edges, $0.share) }, structures, drawing.network)
        }
        #expect(last == isPassed && passage.wentUnder == wentUnder)
    }

    @Test("Bytes are those of a truth value where no candidate is followed, and come back in any case")
    func bytes() throws {
        var passage = StructurePassage()
        #expect(passage.encoded(format: 1, capacity: 8).dropFirst() == [0])
        for share in [0.4, 0.6] {
            _ = passage.take(
                [try candidate("je ef fg", share), try candidate("jn nm", 1 - share)], structures, drawing.network)
            #expect(try StructurePassage(encoded: passage.encoded(format: 1, capacity: 8), format: 1) == passage)
        }
        #expect(passage.wentUnder)
    }
}
