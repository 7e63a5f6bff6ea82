import FleetTestSupport
import GatewayTestSupport
import Geo
import Messages
import MQTT
import Testing

@testable import Gateway

/// A turn is bounded by what it leads to, and nothing is lost by that.
struct BoundedTurnTests {
    private static let fences = 150
    private static let vehicles = 100

    /// Vehicles that come at once into a place where all fences overlap.
    private func flood(killsAfter passes: Int? = nil) throws -> (told: [String: Int], largest: Int, passes: Int) {
        let run = try PipelineRun()
        let fences = (0..<Self.fences).map { Script.fence("f\($0)", east: 0, #", "dwell": "1 h""#) }
        try run.go(fences, at: .at(-10), passes: 8)
        for number in 0..<Self.vehicles {
            let fix = Fix(position: Drawing.place(Metres(number % 10), 0), time: .at(0), accuracy: 5, speed: 0)
            try run.go([Script.location("T\(number)", fix)], at: .at(0.01 * Seconds(number)), passes: 1)
        }
        var (largest, passed) = (0, 0)
        for pass in 0..<2_000 where pass < 250 || run.outboxCount > 0 {
            if let passes, pass < 60, pass % passes == passes - 1 { try run.kill() }
            let before = run.outboxCount
            try run.go([], at: .at(14 + 0.2 * Seconds(pass)), passes: 1)
            largest = max(largest, run.outboxCount - before)
            if run.outboxCount > before { passed += 1 }
        }
        var told: [String: Int] = [:]
        for publication in run.broker.published where publication.topic.hasSuffix("/event") {
            told[String(decoding: publication.payload, as: UTF8.self), default: 0] += 1
        }
        return (told, largest, passed)
    }

    @Test("What falls due for many vehicles at once is spread over turns, and each of them is told everything once")
    func dueAtOnce() throws {
        let flood = try flood()
        #expect(flood.told.count == Self.fences * Self.vehicles)
        #expect(flood.told.values.allSatisfy { $0 == 1 })
        #expect(flood.largest <= TurnBudget.envelopesMax / 2 + 2 * Self.fences, "\(flood.largest)")
        #expect(flood.passes >= 5)
    }

    @Test("The same with a gateway that is killed in between: nothing is lost")
    func killed() throws {
        let flood = try flood(killsAfter: 7)
        #expect(flood.told.count == Self.fences * Self.vehicles)
    }
}
