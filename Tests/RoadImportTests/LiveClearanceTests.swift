import Clearances
import Geo
import RoadImport
import Roads
import Testing
import Wire

@Suite("Clearances that arrive later, on a real extract", .needsRheinNeckar)
struct LiveClearanceTests {
    /// Points beside nodes from all over the network, up to 55 m away, in turns with and without road name, approach
    /// and passage.
    private func points(on network: RoadNetwork) -> [PointClearance] {
        stride(from: 0, to: network.nodeCount, by: 97).map { index in
            let node = network.coordinate(NodeID(index))
            let offset = Vector(east: Metres(index * 7 % 79) - 39, north: Metres(index * 11 % 79) - 39)
            let road = network.arrivals(NodeID(index)).first.flatMap(network.title) ?? ""
            return PointClearance(
                id: "test:\(index)", position: LocalPlane(latitude: node.latitude).coordinate(offset, from: node),
                posted: "3.\(index % 10)", road: index % 3 == 0 ? road : "",
                approach: index % 4 == 0 ? [Degrees(index % 360)] : [],
                passage: [nil, .under, .over, nil, nil][index % 5])
        }
    }

    /// The ways that each clearance limits, which the import may have cut. Those of one structure are left aside: where
    /// the import cut a road in two, another of them may be the lowest on one part and not on the other.
    private func limitedWays(_ network: RoadNetwork) -> [String: Set<Int64>] {
        let merged = (0..<network.clearanceCount).compactMap { index -> ClearanceID? in
            if case .merged(let other) = network.status(ClearanceID(index)) { other } else { nil }
        }
        var ways: [String: Set<Int64>] = [:]
        for (edge, clearance) in network.limitedEdges where network.status(clearance) == .inForce {
            guard !merged.contains(clearance) else { continue }
            ways[network.clearance(clearance).id, default: []].insert(network.wayID(edge))
        }
        return ways
    }

    @Test("each is placed on the ways that the import finds for it, or on none for the reason that the import has")
    func sameAsImport() throws {
        let network = try RheinNeckar.network.get()
        let points = points(on: network)
        let collection = try ClearanceSheet.withFile(ClearanceGeoJSON.bytes(points)) { path in
            try ClearanceFile.readGeoJSON([path])
        }
        let imported = try RoadBuild.build([RheinNeckar.path], clearances: collection) { _ in }
        let importedNetwork = try RoadNetwork(RoadFileBuffer(imported.file))
        var live = LiveClearances(network)
        let outcomes = live.replaceAll(from: .file, with: points)
        for (point, outcome) in zip(points, outcomes) {
            let expected = imported.report.unsnapped[point.id].map { LiveClearances.Outcome.unsnapped($0) } ?? .snapped
            #expect(outcome == expected, "\(point)")
        }
        #expect(Set(outcomes) == [.snapped, .unsnapped(.tooFar), .unsnapped(.levels), .unsnapped(.noSuchApproach)])
        let (expected, found) = (limitedWays(importedNetwork), limitedWays(live.network))
        #expect(expected == found)
        #expect(points.count { expected[$0.id] != nil } > points.count / 2)
    }

    @Test("what is set and removed again leaves the network that the road file has")
    func removed() throws {
        let network = try RheinNeckar.network.get()
        let points = points(on: network)
        var live = LiveClearances(network)
        for point in points { _ = live.set(point) }
        #expect(live.network.clearanceCount == network.clearanceCount + points.count)
        for point in points { live.remove(point.id) }
        #expect(live.network === network)
    }
}
