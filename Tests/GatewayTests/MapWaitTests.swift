import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import MQTT
import Messages
import Testing

@testable import Gateway

/// When positions are judged by a clearance that was changed just before them.
struct MapWaitTests {
    private static let fixes =
        Journey(line: [Drawing.place(2_400, 0), Drawing.place(2_900, 0)], every: 2).fixes.map {
            Script.location("T42", $0)
        }
    private static let change = Script.Message(
        topic: "headroom/clearances/low",
        payload: #"""
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(Script.pair(4_320, 0))}, "properties":
             {"clearance": "3.2 m"}}
            """#, isRetained: true)

    /// Times and ids of the alerts where the clearance changes behind the third of many positions that have waited.
    ///
    /// - Parameter waitMax: nil: what follows from the change is made at once.
    private func alerts(waitMax: Duration?) throws -> [String] {
        let run = try PipelineRun(network: Drawing.bridge("4.5").network)
        let profile = Script.Message(
            topic: "fleet/T42/profile", payload: #"{"height": 3.8, "source": "driver"}"#, isRetained: true)
        try run.take([profile], at: .at(-10))
        if let waitMax { try run.doMapWorkElsewhere(waitMax: waitMax) }
        let messages = Self.fixes.prefix(3) + [Self.change] + Self.fixes.dropFirst(3)
        try run.take(Array(messages), at: .at(25))
        return try run.broker.published.filter { $0.topic == "fleet/T42/alert" }.map {
            let payload = try #require(try JSONSerialization.jsonObject(with: Data($0.payload)) as? [String: Any])
            return "\(payload["time"] ?? "") \(payload["id"] ?? "")"
        }
    }

    @Test("What was sent after a changed clearance is judged by it, where that is made soon")
    func judgedAfter() throws {
        let expected = try alerts(waitMax: nil)
        #expect(!expected.isEmpty)
        #expect(try alerts(waitMax: .seconds(10)) == expected)
    }

    @Test("Waiting takes a tenth of the time at most")
    func rest() {
        var wait = MapWait()
        let start = ContinuousClock.now
        #expect(wait.isAllowed(at: start))
        wait.note(waited: .milliseconds(50), at: start)
        #expect(!wait.isAllowed(at: start + .milliseconds(449)))
        #expect(wait.isAllowed(at: start + .milliseconds(450)))
    }
}
