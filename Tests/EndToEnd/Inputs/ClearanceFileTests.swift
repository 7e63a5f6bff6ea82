import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing

/// Files of clearances hold as they were last read, at the start and at SIGHUP; so does each entry of them.
struct ClearanceFileEndToEndTests {
    @Test("Clearances of a file hold from the start, and at SIGHUP as they are then", .timeLimit(.minutes(6)))
    func files() async throws {
        let scene = try await DispatchScene(clearances: DispatchScene.collection())
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let place = try #require(scene.alerts()[0].object?["clearance"] as? [String: Any])
        let id = try #require(place["id"] as? String)
        let feature = try DispatchScene.clearance("15'", at: place, id: id)
        _ = try scene.scratch.write(DispatchScene.collection(feature), to: "extra.geojson")
        scene.gateway.send(SIGHUP)
        try await scene.until(["ahead", "cleared"])
        #expect(scene.alerts()[1].object?["reason"] as? String == "map-changed")
        // A file that cannot be read changes nothing, and says so.
        _ = try scene.scratch.write("no JSON", to: "extra.geojson")
        scene.gateway.send(SIGHUP)
        try await eventually(within: .seconds(10), scene.gateway.errors) {
            scene.gateway.errors.contains("the files in force stay")
        }
        #expect(scene.stages == ["ahead", "cleared"])
        try await scene.gateway.stop()
    }

    @Test(
        "An entry of a file that cannot be read any more leaves what held before in force at SIGHUP, and is told of once",
        .timeLimit(.minutes(6)))
    func unreadableAtHangup() async throws {
        let place: [String: Any] = ["lat": 42.280597, "lon": -83.751891]
        let osm = "osm:way:1003"
        func clearances(_ ofMap: String, _ survey: String) throws -> String {
            DispatchScene.collection(
                try DispatchScene.clearance(ofMap, at: place, id: osm),
                try DispatchScene.clearance(survey, at: place, id: "survey-1"))
        }
        func fence(_ radius: String) -> String {
            """
            {"type": "Feature", "id": "yard", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]},
             "properties": {"radius": \(radius)}}
            """
        }
        // The truck of 4.12 m is told of the lowest: the other one is over the same road, and higher.
        let scene = try await DispatchScene(
            clearances: clearances(#"9'0\""#, "4.5"), fences: DispatchScene.collection(fence("200")))
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let client = ConsoleClient(gateway: scene.gateway, scratch: scene.scratch)
        for (number, posted) in ["nine", "10.6"].enumerated() {
            _ = try scene.scratch.write(clearances(posted, posted), to: "extra.geojson")
            _ = try scene.scratch.write(DispatchScene.collection(fence("\"wide\"")), to: "fences.geojson")
            scene.gateway.send(SIGHUP)
            try await eventually(within: .seconds(10), scene.gateway.errors) {
                scene.gateway.errors.split(separator: "\n").count { $0.contains("SIGHUP: read again") } == number + 1
            }
            let lines = scene.gateway.errors.split(separator: "\n")
            let told = lines.filter { $0.contains("\"\(posted)\"") || $0.contains("got \(posted)") }
            #expect(told.count == 2 && told.allSatisfy { $0.contains("what held before stays") }, "\(lines)")
            #expect(lines.count { $0.contains("yard") && $0.contains("what held before stays") } == number + 1)
            for (id, height) in [(osm, 2.74), ("survey-1", 4.5)] {
                let inForce = try await client.get("/clearances/\(id)").object
                #expect(inForce["height"] as? Double == height, "\(inForce)")
            }
            #expect(try await client.get("/fences/yard").status == 200)
        }
        #expect(scene.stages == ["ahead"])
        try await scene.gateway.stop()
    }
}
