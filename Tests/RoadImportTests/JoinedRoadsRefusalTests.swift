import Clearances
import Foundation
import Geo
import Hashing
import Roads
import Testing

@testable import RoadImport

/// Road files that do not go together are not joined.
struct JoinedRoadsRefusalTests {
    @Test("What cannot be joined is refused with the file's name and the reason")
    func refused() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects.demoSides()
        let west = try directory.write(MapObjects.build([sides[0]]), to: "west.roads")
        let east = MapObjects.build([sides[1]])
        func refusal(_ content: [UInt8]) throws -> String {
            let other = try directory.write(content, to: "other.roads")
            do {
                _ = try JoinedRoads.open([west, other])
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            try refusal(MapObjects.build([sides[0]])).hasSuffix(
                "other.roads: is the same road file as \(west); name it once"))
        #expect(
            try refusal(MapObjects.build([sides[1]], snapDistance: 25)).contains(
                "other.roads: was built with --snap-distance 25.0 m"))
        for distance in [Double.nan, -1, 1e300] {
            #expect(
                try refusal(MapObjects.build([sides[1]], snapDistance: distance)).contains(
                    "other.roads: this road file is damaged (sourceWays"))
        }
        var earlier = east
        earlier[8] = 2
        #expect(
            try refusal(earlier).contains(
                "other.roads: this road file has version 2, this program reads versions 3 and 4"))
        var damaged = east
        damaged[damaged.count - 9] ^= 0x40
        #expect(try refusal(damaged).contains("other.roads: this road file is damaged (source"))
        #expect(try refusal([]).contains("other.roads: expected a road file, got another file"))
    }
}
