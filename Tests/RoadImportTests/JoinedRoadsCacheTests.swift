import Clearances
import Foundation
import Geo
import Hashing
import Roads
import Testing

@testable import RoadImport

/// The network that several road files are joined to is kept beside the store, and used while it is right.
struct JoinedRoadsCacheTests {
    private static let somewhere = PointClearance(
        id: "nbi:9", position: Coordinate(latitude: 42.280487, longitude: -83.7482), posted: "4")

    @Test("One file is mapped as it is; several are kept beside the store, and made anew when one was replaced")
    func cache() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects.demoSides()
        let paths = try directory.writeRoads(of: sides)
        let cache = JoinedRoads.Cache(beside: directory.path + "/gateway.sqlite", mayWrite: true)
        _ = try JoinedRoads.open([paths[0]], cache: cache)
        #expect(directory.files == ["east.roads", "west.roads"])
        let first = try JoinedRoads.open(paths, cache: cache)
        let kept = try #require(directory.files.first { $0.hasPrefix("gateway.sqlite-") })
        let written = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + kept)[.systemFileNumber]
        #expect(try JoinedRoads.open(paths, cache: cache).fingerprint == first.fingerprint)
        let again = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + kept)[.systemFileNumber]
        #expect(written as? Int == again as? Int)

        _ = try directory.write("not mine", to: "gateway.sqlite-old.roads")
        _ = try directory.write(MapObjects.build([sides[0]], clearances: [Self.somewhere]), to: "west.roads")
        let second = try JoinedRoads.open(paths, cache: cache)
        #expect(second.fingerprint != first.fingerprint)
        #expect(!directory.files.contains(kept))
        #expect(directory.files.count == 4)
        // What is mapped stays as it was.
        try first.verify()

        // A damaged one is made again, and who may not write has it in memory.
        let damaged = try #require(
            directory.files.first { $0.hasPrefix("gateway.sqlite-") && $0 != "gateway.sqlite-old.roads" })
        let fingerprint = second.fingerprint
        try FileManager.default.removeItem(atPath: directory.path + "/" + damaged)
        _ = try directory.write("HEADROOM", to: damaged)
        let reader = JoinedRoads.Cache(beside: directory.path + "/gateway.sqlite", mayWrite: false)
        #expect(try JoinedRoads.open(paths, cache: reader).fingerprint == fingerprint)
        #expect(try JoinedRoads.open(paths, cache: cache).fingerprint == fingerprint)
    }

    @Test("What a program with other rules joined of the same files is not used, and removed")
    func cacheOfEarlierProgram() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects.demoSides()
        let paths = try directory.writeRoads(of: sides)
        // Its key was made of the files alone.
        let key = try paths.map { try RoadNetwork.open($0).fingerprint }
            .reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ $1) &* 0x100_0000_01B3 }
        let earlier = "gateway.sqlite-\(key.hexadecimal).roads"
        _ = try directory.write(MapObjects.build([sides[0]]), to: earlier)
        let cache = JoinedRoads.Cache(beside: directory.path + "/gateway.sqlite", mayWrite: true)
        let joined = try JoinedRoads.open(paths, cache: cache)
        let expected = try JoinedRoads.open(paths)
        #expect(joined.fingerprint == expected.fingerprint)
        #expect(!directory.files.contains(earlier))
    }

    @Test("Where the joined file cannot be written, the roads are joined in memory, and why is told")
    func cacheNotWritable() throws {
        let directory = try TemporaryDirectory()
        let paths = try directory.writeRoads(of: MapObjects.demoSides())
        let expected = try JoinedRoads.open(paths).fingerprint
        // A file stands where its folder would be.
        let cache = JoinedRoads.Cache(beside: paths[0] + "/gateway.sqlite", mayWrite: true)
        var warnings: [String] = []
        let joined = try JoinedRoads.open(paths, cache: cache) { warnings.append($0) }
        #expect(joined.fingerprint == expected)
        #expect(warnings.count == 1 && warnings[0].contains("Not a directory"), "\(warnings)")
    }
}
