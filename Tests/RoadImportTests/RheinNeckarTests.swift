import Foundation
import Geo
import RoadImport
import Roads
import RoadsTestSupport
import Testing

/// Of real data: ../shared/data/osm/rhein-neckar_de_2016.osm.pbf, which stands beside the project and not in it.
private let extract = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/data/osm/rhein-neckar_de_2016.osm.pbf").standardized.path

@Suite(
    "On a real extract",
    .enabled(
        if: FileManager.default.fileExists(atPath: extract), "needs ../shared/data/osm/rhein-neckar_de_2016.osm.pbf"))
struct RheinNeckarTests {
    /// Built once for all tests.
    private static let built = Result { try RoadBuild.build([extract]) { _ in } }

    @Test("what was read is what the file is known to hold; thirty metres are not understood")
    func report() throws {
        let report = try Self.built.get().report
        #expect(report.ways == 37_344)
        #expect(report.missingNodes == 0)
        #expect(report.heightTextsNotUnderstood == ["maxheight=30": 5])
        #expect(report.heightTexts["maxheight:lanes=none|3.2"] == 1)
        #expect(report.heightTexts["maxheight=3.90"] == 1)
        #expect(report.restrictions == 0)
    }

    @Test(
        "at every low zone the hazard table finds what the slow reference finds",
        arguments: [(360, 45), (400, 68), (450, 98)])
    func sameAsReference(height: Centimetres, entries: Int) throws {
        let network = try RoadNetwork(RoadFileBuffer(Self.built.get().file))
        #expect(SlowReference(network, height: height).entries.count == entries)
        let disagreements = SlowReference.disagreements(network, height: height)
        #expect(disagreements.isEmpty, "\(disagreements.joined(separator: "\n"))")
    }
}
