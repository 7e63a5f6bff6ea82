import Fleet
import Geo
import HTTPTypes
import Messages
import Roads
import Testing

@testable import Console

@Suite("Search for streets, places and bridges")
struct PlaceRoutesTests {
    @Test("A street is found by any part of its name, in any case, once")
    func street() async throws {
        let fixture = try ConsoleFixture(Stage())
        for text in ["W+Washington+Street", "washington", "WASHINGTON", "ashington+str"] {
            let items = try await fixture.get("/api/v1/places?q=\(text)").items
            let streets = items.filter { $0["kind"] as? String == "street" }
            #expect(streets.filter { $0["name"] as? String == "W Washington Street" }.count == 1, "\(text)")
            let latitude = try #require(streets.first?["lat"] as? Double)
            #expect(abs(latitude - 42.28) < 0.02)
        }
        #expect(try await fixture.get("/api/v1/places?q=nowhere+road").items.isEmpty)
    }

    @Test("At most as many are given as are asked for, the best match first")
    func limit() async throws {
        let fixture = try ConsoleFixture(Stage())
        let all = try await fixture.get("/api/v1/places?q=street&limit=50").items
        #expect(all.count > 2)
        let few = try await fixture.get("/api/v1/places?q=street&limit=2&near=42.28,-83.75").items
        #expect(few.count == 2)
    }

    @Test(
        "What cannot be searched for is refused with what is expected",
        arguments: ["", "?q=a", "?q=abc&near=1", "?q=abc&near=91,0", "?q=abc&limit=51"])
    func refused(query: String) async throws {
        let answer = try await ConsoleFixture(Stage()).get("/api/v1/places\(query)")
        #expect(answer.status == .badRequest)
        #expect(try answer.message.contains("xpected"))
    }

    @Test("Without a road file there is nothing to search in")
    func noRoads() async throws {
        #expect(try await ConsoleFixture().get("/api/v1/places?q=abc").status == .notFound)
    }

    @Test("Accents do not matter; streets of one name that lie apart are two, each with its place; the nearest first")
    func index() throws {
        var builder = RoadNetworkBuilder()
        for (way, longitude) in [(1, 8.0), (2, 8.01), (3, 9.0)] {
            builder.add(
                SourceWay(
                    id: Int64(way), nodes: [Int64(way * 2), Int64(way * 2 + 1)],
                    tags: ["highway": "residential", "name": "Große Allée"]))
            let name = longitude < 8.5 ? "Westort" : "Ostort"
            builder.add(
                BaseMapFeature(
                    source: .node(longitude < 8.5 ? 100 : 101), kind: .town, name: name,
                    parts: [.init(line: [Coordinate(latitude: 49.01, longitude: longitude)])]))
        }
        builder.finishWays()
        for (way, longitude) in [(1, 8.0), (2, 8.01), (3, 9.0)] {
            for end in 0...1 {
                builder.add(
                    SourceNode(
                        id: Int64(way * 2 + end),
                        position: Coordinate(latitude: 49, longitude: longitude + Double(end) * 0.002)))
            }
        }
        let network = try RoadNetwork(RoadFileBuffer(builder.build().file))
        let index = PlaceIndex(of: network)
        let list = ClearanceList(MapSnapshot())
        let east = Coordinate(latitude: 49, longitude: 9.1)
        let found = index.search("GROSSE ALLEE", list, from: east, limit: 10)
        #expect(found.map(\.name) == ["Große Allée", "Große Allée"])
        #expect(found.map(\.near) == ["Ostort", "Westort"])
        #expect(
            index.search("grosse allee", list, from: Coordinate(latitude: 49, longitude: 7), limit: 1).map(\.near) == [
                "Westort"
            ])
        #expect(index.search("ostort", list, from: nil, limit: 10).map(\.kind) == ["town"])
    }
}
