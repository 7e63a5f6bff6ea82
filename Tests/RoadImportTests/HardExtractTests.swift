import Clearances
import Foundation
import Geo
import Hashing
import RoadImport
import Roads
import RoadsTestSupport
import Testing

/// Of real data: ../shared/data/osm, which stands beside the project and not in it.
private func path(_ extract: String) -> String {
    URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/data/osm/\(extract).osm.pbf").standardized.path
}

@Suite("Extracts with turn restrictions, heights on nodes, heights in feet")
struct HardExtractTests {
    /// - entries: how many low edges are entered from one that is not, or from none: without any the test says nothing.
    private static let extracts: [(name: String, height: Centimetres, entries: Int)] = [
        ("newport_wales_uk_2023", 500, 12), ("porto_pt", 400, 20), ("muenchen-strip_de_2020", 400, 40),
        ("boston-strip_us_2020", 500, 7),
    ].filter { FileManager.default.fileExists(atPath: path($0.0)) }

    @Test(
        "at every low zone the hazard table finds what the slow reference finds",
        .enabled(if: !extracts.isEmpty, "needs ../shared/data/osm"), arguments: extracts)
    func sameAsReference(extract: String, height: Centimetres, entries: Int) throws {
        let built = try RoadBuild.build([path(extract)]) { _ in }
        #expect(built.report.restrictions > built.report.restrictionsIgnored.values.reduce(0, +))
        let network = try RoadNetwork(RoadFileBuffer(built.file))
        #expect(SlowReference(network, height: height).entries.count == entries)
        let disagreements = SlowReference.disagreements(network, height: height)
        #expect(disagreements.isEmpty, "\(disagreements.joined(separator: "\n"))")
    }

    @Test(
        "a table that is made from that of another height, and its zone, are those that are made from nothing",
        .enabled(if: !extracts.isEmpty, "needs ../shared/data/osm"), arguments: extracts)
    func fromAnotherHeight(extract: String, height: Centimetres, entries: Int) throws {
        let network = try RoadNetwork(RoadFileBuffer(RoadBuild.build([path(extract)]) { _ in }.file))
        let former = HazardTable(network, height: height - 60)
        let (table, made) = (
            HazardTable(network, height: height), HazardTable(network, height: height, from: [former])
        )
        #expect(made.hazards == table.hazards && made.decisions == table.decisions && made.tooLate == table.tooLate)
        let zone = AlertZone(network, [table], reach: 5_000)
        let madeZone = AlertZone(
            network, [made], reach: 5_000, from: [AlertZone(network, [former], reach: 5_000)])
        for node in stride(from: 0, to: network.nodeCount, by: 501) {
            let place = network.coordinate(NodeID(node))
            #expect(zone.distance(from: place, within: 9_000) == madeZone.distance(from: place, within: 9_000))
        }
        let edges = (0..<network.edgeCount).map { EdgeID($0) }
        let differing = edges.filter { zone.distanceToDecision(after: $0) != madeZone.distanceToDecision(after: $0) }
        #expect(differing.isEmpty && edges.contains { zone.distanceToDecision(after: $0) < 5_000 })
    }

    private static let dense = [("rhein-neckar_de_2016", 340), ("rhein-neckar_de_2016", 400), ("porto_pt", 400)]
        .filter { FileManager.default.fileExists(atPath: path($0.0)) }

    @Test(
        "a table is the one that is made from nothing while clearances of a map change",
        .enabled(if: !dense.isEmpty, "needs ../shared/data/osm"), arguments: dense)
    func fromOtherClearances(extract: String, height: Centimetres) throws {
        let network = try RoadNetwork(RoadFileBuffer(RoadBuild.build([path(extract)]) { _ in }.file))
        let mapped = (0..<network.clearanceCount).map { network.clearance(ClearanceID($0)) }
        var live = LiveClearances(network)
        var changed: Set<String> = []
        var random = SplitMix64(seed: UInt64(height))
        var former = HazardTable(live.network, height: height, avoiding: live.network.edgesBelowDefault)
        for round in 0..<10 {
            for _ in 0..<6 {
                guard let clearance = mapped.randomElement(using: &random) else { break }
                if changed.remove(clearance.id) != nil {
                    live.remove(clearance.id)
                } else {
                    changed.insert(clearance.id)
                    let posted = Bool.random(using: &random) ? "5.5" : "below_default"
                    _ = live.set(PointClearance(id: clearance.id, position: clearance.position, posted: posted))
                }
            }
            let unknown = live.network.edgesBelowDefault
            let table = HazardTable(live.network, height: height, avoiding: unknown)
            let made = HazardTable(live.network, height: height, avoiding: unknown, from: [former])
            #expect(made.hazards == table.hazards && made.decisions == table.decisions, "round \(round)")
            #expect(made.tooLate == table.tooLate && made.entries == table.entries && made.zones == table.zones)
            former = made
        }
        #expect(!former.hazards.isEmpty)
    }
}
