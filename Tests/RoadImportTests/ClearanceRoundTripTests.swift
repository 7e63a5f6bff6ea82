import Clearances
import Geo
import Hashing
import RoadImport
import Roads
import Testing
import Wire

@Suite("Clearances from a file to a road file")
struct ClearanceRoundTripTests {
    /// Along the equator, a degree of it.
    private static func clearances(_ count: Int, seed: UInt64) -> [PointClearance] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let texts = ["\(Int.random(in: 100...999, using: &random))", "4,1 m", "13'6\"", "abc", "none", "\"\\ü\n"]
            let posted =
                index % 2 == 0 ? "\(Double(Int.random(in: 200...600, using: &random)) / 100)" : texts[index % 6]
            return PointClearance(
                id: "p\(index)",
                position: Coordinate(
                    latitude: Double.random(in: -0.0002...0.0002, using: &random),
                    longitude: 9 + Double(index) / 1000 + Double.random(in: 0...0.0005, using: &random)),
                posted: posted, name: ["", "Über\tdie \"Bahn\""].randomElement(using: &random) ?? "",
                road: ["", "Ring"].randomElement(using: &random) ?? "",
                approach: [[], [90], [270, 90]].randomElement(using: &random) ?? [],
                passage: [nil, .under].randomElement(using: &random) ?? nil,
                detours: [Coordinate(latitude: 0.1, longitude: 9.1)], source: "survey", date: "2026-05")
        }
    }

    @Test("what is written is what is read, and what the road file holds", arguments: 1...10 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        let written = Self.clearances(200, seed: seed)
        let read = try ClearanceSheet.withFile(ClearanceGeoJSON.bytes(written)) { path in
            try ClearanceFile.readGeoJSON([path])
        }
        #expect(read.clearances == written)
        #expect(read.rejects.isEmpty)

        var builder = RoadNetworkBuilder()
        builder.add(SourceWay(id: 1, nodes: [1, 2], tags: ["highway": "primary", "name": "Ring"]))
        for clearance in read.clearances { builder.add(clearance) }
        builder.finishWays()
        builder.add(SourceNode(id: 1, position: Coordinate(latitude: 0, longitude: 8.99)))
        builder.add(SourceNode(id: 2, position: Coordinate(latitude: 0, longitude: 9.21)))
        let (bytes, report) = builder.build()
        let network = try RoadNetwork(RoadFileBuffer(bytes))
        #expect(report.clearancesSnapped == 200)
        let held = (0..<network.clearanceCount).map { network.clearance(ClearanceID($0)) }
        for (clearance, source) in zip(held, written) {
            #expect(clearance.id == source.id)
            #expect(clearance.posted == source.posted)
            #expect(clearance.reading == source.reading)
            #expect(clearance.position.distance(to: source.position) < 0.02)
        }
        let limited = Set(network.limitedEdges.map(\.clearance))
        #expect(limited.count == 200)
        let length = (0..<network.edgeCount).reduce(0) { $0 + network.length(EdgeID($1)) }
        #expect(
            abs(
                length / 2
                    - Coordinate(latitude: 0, longitude: 8.99).distance(to: Coordinate(latitude: 0, longitude: 9.21)))
                < 1)
    }
}
