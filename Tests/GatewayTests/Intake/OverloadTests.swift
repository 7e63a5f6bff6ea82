import FleetTestSupport
import GatewayTestSupport
import Geo
import MQTT
import Messages
import Testing

@testable import Gateway

/// Fixes of QoS 1 that come faster than they can be judged.
struct OverloadTests {
    /// Their first fixes are more than one turn takes.
    private static let vehicles = 3_000

    private func fixes(at time: Timestamp) -> [Script.Message] {
        (0..<Self.vehicles).map { number in
            let fix = Fix(position: Drawing.place(Metres(number % 10), 0), time: time, accuracy: 5, speed: 0)
            return Script.location("T\(number)", fix)
        }
    }

    /// Some fixes have waited for six seconds when a newer one of each vehicle is to come.
    private func late() throws -> PipelineRun {
        let run = try PipelineRun()
        try run.take([Script.fence("depot", east: 0, "")], at: .at(-10))
        try run.go(fixes(at: .at(10)), at: .at(10), passes: 1)
        return run
    }

    @Test("Newer fixes displace older ones that wait, and no acknowledgement leaves before what stays is committed")
    func displaced() throws {
        let run = try late()
        let (metrics, all) = (run.shared.metrics, 2 * Self.vehicles)
        #expect(run.broker.unacknowledged.count == Self.vehicles)
        var acknowledged: [Int] = []
        run.connection.willFlush = { count, _ in if count > 0 { acknowledged.append(count) } }
        try run.go(fixes(at: .at(16)), at: .at(16), passes: 4)
        #expect(metrics.rejected[.displaced].value > Self.vehicles / 4)
        #expect(metrics.fixes.value + metrics.rejected[.displaced].value == all)
        // With messages of the gateway's own.
        #expect(try #require(acknowledged.first) >= all, "\(acknowledged)")
    }

    @Test("Those that were displaced come again after a kill, as what displaced them is not committed")
    func killed() throws {
        let run = try late()
        run.connection.mayGo = { if case .acknowledge = $0 { false } else { true } }
        try run.go(fixes(at: .at(16)), at: .at(16), passes: 4)
        #expect(run.shared.metrics.rejected[.displaced].value > 0)
        try run.kill()
        for time in [30.0, 40] { try run.passWithoutWaiting(at: .at(time)) }
        let told = run.broker.published.filter { $0.topic.hasSuffix("/event") }.map(\.topic)
        #expect(told.count == Self.vehicles && Set(told).count == Self.vehicles)
    }

    @Test("As long as messages wait at the broker, readyz tells for how long, and no longer")
    func readiness() throws {
        let run = try PipelineRun()
        try run.take([Script.fence("depot", east: 0, "")], at: .at(-10))
        func lateness() -> [String] {
            run.shared.readiness.problems.filter { $0.hasPrefix("messages wait at the broker for") }
        }
        try run.go([], at: .at(0), passes: 3)
        #expect(lateness().isEmpty)
        run.connection.messagesAtOnce = 0
        for second in [1.0, 20] { try run.go([], at: .at(second), passes: 3) }
        #expect(lateness() == ["messages wait at the broker for 20 s"])
        run.connection.messagesAtOnce = .max
        try run.go([], at: .at(21), passes: 3)
        #expect(lateness().isEmpty)
    }
}
