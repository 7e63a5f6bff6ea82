import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import MQTT
import Messages
import Testing

@testable import Gateway

/// A gateway that is told to stop does so within five seconds, whatever is left to do.
struct StoppingTests {
    /// Many vehicles in many fences have just reported; the broker takes nothing that is said about that.
    ///
    /// - Parameter count: 300 are more than one turn takes.
    private func loaded(_ count: Int = 300) throws -> PipelineRun {
        let run = try PipelineRun()
        let fences = (0..<20).map { Script.fence("f\($0)", east: 0, "") }
        try run.take(fences, at: .at(-10))
        let fixes = (0..<60).map { number in
            let fix = Fix(position: Drawing.place(Metres(number % 10), 0), time: .at(0), accuracy: 5, speed: 0)
            return Script.location("T\(number)", fix)
        }
        try run.take(fixes, at: .at(1))
        let next = (0..<count).map { number in
            let fix = Fix(position: Drawing.place(Metres(number % 10), 5), time: .at(10), accuracy: 5, speed: 0)
            return Script.location("T\(number)", fix)
        }
        try run.go(next, at: .at(10), passes: 1)
        return run
    }

    @Test(
        "However long each pass takes, and whatever the broker answers",
        arguments: [0.001, 0.2, 0.7, 1.2, 2.4, 3.5], [60, 300])
    func bound(seconds: Double, count: Int) throws {
        let stopped = try loaded(count).finish(at: .at(20), passTakes: seconds)
        #expect(stopped.since(.at(20)) <= 5, "\(stopped.since(.at(20)))")
    }

    @Test("What is not sent by then is stored, and sent after the next start")
    func later() throws {
        let (stopped, whole) = (try loaded(), try loaded())
        _ = try stopped.finish(at: .at(20), passTakes: 1.1)
        #expect(stopped.outboxCount > 0)
        try stopped.kill()
        for run in [stopped, whole] { try run.passWithoutWaiting(at: .at(40)) }
        #expect(stopped.outboxCount == 0)
        #expect(try events(stopped) == events(whole))
        #expect(try events(stopped).count >= 300 * 20)
    }

    private func events(_ run: PipelineRun) throws -> Set<String> {
        Set(
            try run.broker.published.filter { $0.topic.hasSuffix("/event") }.map {
                let event = try #require(try JSONSerialization.jsonObject(with: Data($0.payload)) as? [String: Any])
                return try #require(event["id"] as? String)
            })
    }
}
