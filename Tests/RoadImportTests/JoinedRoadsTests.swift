import Clearances
import Foundation
import Geo
import Hashing
import Roads
import Testing

@testable import RoadImport

/// Road files of two sides of a border become the network of both.
struct JoinedRoadsTests {
    /// A map that is not cut, and its network.
    private struct WholeMap {
        let objects: MapObjects
        let height: Centimetres
        let edges: Set<RoadNetwork.EdgeDescription>
        let approaches: [String]

        init(_ path: String, height: Centimetres) throws {
            objects = try MapObjects(path)
            self.height = height
            let network = try RoadNetwork(RoadFileBuffer(MapObjects.build([objects])))
            edges = network.edgeDescriptions
            approaches = network.approachDescriptions(height)
        }
    }

    private static let wholeDemo = Result { try WholeMap(MapObjects.demo, height: 412) }
    private static let wholeExtract = Result { try WholeMap(RheinNeckar.path, height: 400) }

    @Test(
        "The demo's map, cut through its middle in every way", arguments: Cut.allCases, [-83.7519, -83.7485, -83.7466])
    func demo(cut: Cut, longitude: Degrees) throws {
        try expectSeamless(Self.wholeDemo.get(), cut, at: longitude)
    }

    @Test("A real extract, cut through its middle in every way", .needsRheinNeckar, arguments: Cut.allCases)
    func extract(cut: Cut) throws {
        try expectSeamless(Self.wholeExtract.get(), cut, at: 8.47)
    }

    /// The joined network is the one that a single build of both sides makes, byte for byte; and of the same edges, turns,
    /// clearances and approaches as the uncut one.
    private func expectSeamless(_ whole: WholeMap, _ cut: Cut, at longitude: Degrees) throws {
        let directory = try TemporaryDirectory()
        let sides = whole.objects.sides(cut, at: longitude)
        let paths = try directory.writeRoads(of: sides)
        let joined = try JoinedRoads.open(paths)
        let together = MapObjects.build(sides)
        #expect(joined.fingerprint == (try RoadNetwork(RoadFileBuffer(together))).fingerprint)
        #expect(joined.edgeDescriptions == whole.edges)
        #expect(joined.approachDescriptions(whole.height) == whole.approaches)
        #expect(!whole.approaches.isEmpty)
        // Without joining them, a cut costs what each side alone does not have.
        guard cut == .ways else { return }
        let apart = try paths.flatMap { try RoadNetwork.open($0).approachDescriptions(whole.height) }
        #expect(Set(apart) != Set(whole.approaches))
    }

    @Test("The order of files is the order in which objects count; a joined file can be joined again")
    func again() throws {
        let directory = try TemporaryDirectory()
        let paths = try directory.writeRoads(of: MapObjects.demoSides(.nodes))
        let joined = try RoadBuild.build(paths) { _ in }.file
        let more = try directory.write(joined, to: "joined.roads")
        let twice = try RoadBuild.build([more, paths[1]]) { _ in }.file
        #expect(twice.elementsEqual(joined))
        let withOSM = try RoadBuild.build([MapObjects.demo, paths[0]]) { _ in }.file
        #expect(withOSM.elementsEqual(try RoadBuild.build([MapObjects.demo]) { _ in }.file))
    }

    @Test(
        "Clearances that were snapped when the files were built are snapped anew; of two under one id the lower counts")
    func clearances() throws {
        let directory = try TemporaryDirectory()
        func clearance(_ id: String, _ posted: String, longitude: Degrees = -83.7482) -> PointClearance {
            PointClearance(
                id: id, position: Coordinate(latitude: 42.280487, longitude: longitude), posted: posted,
                approach: [270], detours: [Coordinate(latitude: 42.281, longitude: -83.7489)], source: "nbi",
                date: "2025")
        }
        let sides = try MapObjects.demoSides()
        let lists = [
            [clearance("nbi:1", "3.9"), clearance("nbi:2", "4.1", longitude: -83.7467)],
            [clearance("nbi:1", "3.8"), clearance("nbi:2", "abc", longitude: -83.7467)],
        ]
        let paths = try zip(zip(sides, lists), ["west.roads", "east.roads"]).map { side, name in
            try directory.write(MapObjects.build([side.0], clearances: side.1), to: name)
        }
        let joined = try JoinedRoads.open(paths)
        let expected = MapObjects.build(sides, clearances: [lists[1][0], lists[0][1]])
        #expect(joined.fingerprint == (try RoadNetwork(RoadFileBuffer(expected))).fingerprint)
        #expect(joined.edgeDescriptions.contains { $0.clearances.contains { $0.id == "nbi:1" } })
    }
}
