import Geo
import RoadImport
import Roads
import RoadsTestSupport
import Testing

@Suite("On a real extract", .needsRheinNeckar)
struct RheinNeckarTests {
    @Test("what was read is what the file is known to hold; thirty metres are not understood")
    func report() throws {
        let report = try RheinNeckar.built.get().report
        #expect(report.ways == 37_344)
        #expect(report.missingNodes == 0)
        #expect(report.heightTextsNotUnderstood == ["maxheight=30": 5])
        #expect(report.heightTexts["maxheight:lanes=none|3.2"] == 1)
        #expect(report.heightTexts["maxheight=3.90"] == 1)
        #expect(report.restrictions == 0)
    }

    @Test(
        "at every low zone the hazard table finds what the slow reference finds",
        arguments: [(360, 45), (400, 69), (450, 99)])
    func sameAsReference(height: Centimetres, entries: Int) throws {
        let network = try RheinNeckar.network.get()
        #expect(SlowReference(network, height: height).entries.count == entries)
        let disagreements = SlowReference.disagreements(network, height: height)
        #expect(disagreements.isEmpty, "\(disagreements.joined(separator: "\n"))")
    }
}
