import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing

/// A route that dispatch enters is answered.
struct RouteInputEndToEndTests {
    @Test("A route is answered by what is too low on the way there, and a way without", .timeLimit(.minutes(6)))
    func routeCheck() async throws {
        let scene = try await DispatchScene()
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let trip = try DemoTruck().trip
        let line = stride(from: 0, through: trip.duration, by: 5).map { trip.place(at: $0).position }
        let points = line.map { "[\($0.longitude), \($0.latitude)]" }.joined(separator: ", ")
        try await scene.broker.publish(
            "fleet/T42/route",
            #"{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [\#(points)]}}"#,
            retain: true)
        try await eventually(within: .seconds(10), "\(scene.listener.heard.map(\.payload))") {
            scene.alerts("route-check").count == 1
        }
        let check = try #require(scene.alerts("route-check")[0].object)
        let obstacles = try #require(check["clearances"] as? [[String: Any]])
        #expect(obstacles.compactMap { $0["posted"] as? String } == ["10'6\""])
        #expect((check["line"] as? [String: Any])?["type"] as? String == "LineString")
        #expect((check["safe_line"] as? [String: Any])?["type"] as? String == "LineString")
        try await scene.gateway.stop()
        try await scene.gateway.start()
        #expect(scene.alerts("route-check").count == 1)
        try await scene.gateway.stop()
    }
}
