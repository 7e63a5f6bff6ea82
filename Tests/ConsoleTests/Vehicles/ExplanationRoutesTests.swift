import Fleet
import Foundation
import Geo
import HTTPTypes
import Hummingbird
import Messages
import Testing
import Wire

@testable import Console
@testable import Gateway

@Suite("Why a vehicle is alerted, over HTTP")
struct ExplanationRoutesTests {
    /// A truck on its way to the demo's bridge, so many seconds after its departure.
    private func fixture(seconds: Int, keepPositions: Seconds = 86_400) throws -> ConsoleFixture {
        let stage = try Stage(keepPositions: keepPositions)
        try stage.driveTo("T1", seconds: seconds)
        return try ConsoleFixture(stage)
    }

    /// The time of the first alert, and its id.
    private func firstAlert(_ fixture: ConsoleFixture) throws -> (time: String, id: String) {
        let message = try #require(fixture.stage.shared.messages.after(0)?.first { $0.kind == .alert })
        let alert = try #require(try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
        return (try #require(alert["time"] as? String), try #require(alert["id"] as? String))
    }

    private func hazards(_ answer: Answer) throws -> [[String: Any]] {
        let clearances = try #require(try answer.object["clearances"] as? [[String: Any]])
        return clearances.flatMap { $0["hazards"] as? [[String: Any]] ?? [] }
    }

    @Test("Without a time it is the vehicle as it stands: road, path, and each clearance with the rule that speaks")
    func present() async throws {
        let fixture = try fixture(seconds: 43, keepPositions: 0)
        let answer = try await fixture.get("/api/v1/vehicles/T1/explain")
        #expect(answer.status == .ok && answer.headers[.contentType] == "application/json")
        let object = try answer.object
        #expect(object["basis"] as? String == "present")
        #expect((object["text"] as? String)?.contains("warned: it is on the path") == true, "\(answer.text)")
        let line = (object["path"] as? [String: Any])?["line"] as? [String: Any]
        #expect(line?["type"] as? String == "LineString")
        let alert = try firstAlert(fixture)
        #expect(try hazards(answer).contains { ($0["alert"] as? [String: Any])?["id"] as? String == alert.id })
    }

    @Test("An earlier time is worked out from the kept track: the alert of that moment, under its id")
    func past() async throws {
        let fixture = try fixture(seconds: 100)
        let alert = try firstAlert(fixture)
        let answer = try await fixture.get("/api/v1/vehicles/T1/explain?at=\(alert.time)&units=metric")
        #expect(answer.status == .ok, "\(answer.text)")
        let object = try answer.object
        #expect(object["basis"] as? String == "track" && object["time"] as? String == alert.time)
        #expect((object["text"] as? String)?.contains(" km/h") == true, "\(answer.text)")
        let told = try #require(
            try hazards(answer).first { ($0["alert"] as? [String: Any])?["id"] as? String == alert.id })
        #expect(told["is_due"] as? Bool == true)
        #expect((told["alert"] as? [String: Any])?["stage"] as? String == "ahead")
    }

    @Test("Where positions are not kept, an earlier time is a 409 that names the setting, and the newest is explained")
    func notKept() async throws {
        let fixture = try fixture(seconds: 60, keepPositions: 0)
        let alert = try firstAlert(fixture)
        let answer = try await fixture.get("/api/v1/vehicles/T1/explain?at=\(alert.time)")
        #expect(answer.status == .conflict)
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(try answer.message.contains("privacy.keep_positions is 0"))
        let newest = try #require(try await fixture.get("/api/v1/vehicles/T1").object["time"] as? String)
        #expect(try await fixture.get("/api/v1/vehicles/T1/explain?at=\(newest)").status == .ok)
    }

    @Test("When consent ends nothing is explained any more, nor later what was before")
    func erased() async throws {
        let fixture = try fixture(seconds: 60)
        let alert = try firstAlert(fixture)
        try fixture.stage.report(.consent(Consent(.denied)), from: "T1", after: 1)
        #expect(try await fixture.get("/api/v1/vehicles/T1/explain").status == .notFound)
        try fixture.stage.report(.consent(Consent(.always)), from: "T1", after: 1)
        try fixture.stage.fix("T1", 42.28, -83.74)
        let answer = try await fixture.get("/api/v1/vehicles/T1/explain?at=\(alert.time)")
        #expect(answer.status == .notFound)
        #expect(try answer.message.contains("removed when consent ends"), "\(answer.text)")
        #expect(try await fixture.get("/api/v1/vehicles/T1/explain").status == .ok)
    }

    @Test("What cannot be explained is refused with why")
    func refused() async throws {
        let fixture = try fixture(seconds: 5)
        try fixture.stage.tellHeight("T2")
        for (path, status, part) in [
            ("T9/explain", 404, "no such vehicle"), ("T2/explain", 404, "has not sent a position yet"),
            ("T1/explain?at=2099-01-01T00:00:00Z", 400, "not in the future"),
            ("T1/explain?at=noon", 400, "RFC 3339"),
            ("T1/explain?at=2020-01-01T00:00:00Z", 404, "No position of T1 is stored"),
        ] {
            let answer = try await fixture.get("/api/v1/vehicles/\(path)")
            #expect(answer.status.code == status, "\(path): \(answer.text)")
            #expect(try answer.message.contains(part), "\(path): \(answer.text)")
        }
        fixture.stage.shared.engine.end()
        #expect(try await fixture.get("/api/v1/vehicles/T1/explain").status == .serviceUnavailable)
    }

    @Test("No more are worked out at once than may be, and the next one after")
    func bounded() async throws {
        let worker = WorkerThreads()
        let gate = DispatchSemaphore(value: 0)
        let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<ConsoleLimits.workers {
                group.addTask {
                    try await worker.work {
                        begun.yield()
                        gate.wait()
                    }
                }
            }
            var count = 0
            for await _ in beginnings {
                count += 1
                if count == ConsoleLimits.workers { break }
            }
            await #expect {
                try await worker.work {}
            } throws: {
                ($0 as? any HTTPResponseError)?.status.code == 503
            }
            for _ in 0..<ConsoleLimits.workers { gate.signal() }
            try await group.waitForAll()
        }
        #expect(try await worker.work { 1 } == 1)
    }
}
