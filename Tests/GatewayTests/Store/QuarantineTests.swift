import Foundation
import GatewayTestSupport
import Messages
import MQTT
import Store
import Testing

@testable import Gateway

/// What can be neither stored nor sent ends neither the gateway nor the batch that it is in.
struct QuarantineTests {
    private static let noon = Timestamp(milliseconds: 1_795_266_000_000)

    private func lines(_ store: String) -> [String] {
        let content = FileManager.default.contents(atPath: store + ".quarantine") ?? Data()
        return String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("A message or a state beyond its limit is kept apart and counted, and everything else goes on")
    func limits() throws {
        var limits = StoreLimits()
        (limits.payloadBytes, limits.stateBytes) = (500, 600)
        let (whole, cut) = (try PipelineRun(), try PipelineRun(limits: limits))
        for step in Script.steps {
            try whole.take(step.messages, at: step.time)
            try cut.take(step.messages, at: step.time)
        }
        let sendable = whole.broker.published.filter { $0.payload.count <= limits.payloadBytes }
        #expect(cut.broker.published.map(\.payload) == sendable.map(\.payload))
        let quarantined = cut.shared.metrics.quarantined
        #expect(quarantined[.message].value == whole.broker.published.count - sendable.count)
        #expect(quarantined[.message].value > 0 && quarantined[.vehicleState].value > 0)
        let lines = lines(cut.storePath)
        #expect(lines.count == quarantined[.message].value + quarantined[.vehicleState].value)
        #expect(lines.contains { $0.contains("expected a payload of at most 500 bytes") && $0.contains("fleet/T42/") })
        #expect(lines.contains { $0.contains(#""vehicle":"T42""#) && $0.contains("expected at most 600 bytes") })
    }

    @Test("The file stays below its limit, and keeps the newest")
    func bounded() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: place + ".quarantine") }
        let quarantine = Quarantine(besides: place)
        let payload = [UInt8](repeating: 65, count: 2_000)
        for number in 0..<3_000 {
            quarantine.add(
                OutboxMessage(Publication(topic: "fleet/T\(number)/alert", payload: payload)), because: "too large",
                at: Self.noon)
        }
        let bytes = try #require(FileManager.default.contents(atPath: place + ".quarantine")).count
        #expect((Quarantine.bytesMax / 3...Quarantine.bytesMax).contains(bytes))
        #expect(lines(place).last?.contains("fleet/T2999/alert") == true)
    }

    @Test("A vehicle that is forgotten leaves it, and the others stay")
    func forgotten() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: place + ".quarantine") }
        let quarantine = Quarantine(besides: place)
        for vehicle in ["SECRET-7", "OPEN-1"] {
            let message = OutboxMessage(Publication(topic: "fleet/\(vehicle)/alert", payload: [1]))
            quarantine.add(message, because: "too large", at: Self.noon)
        }
        quarantine.remove([try #require(VehicleID("SECRET-7"))], topics: ["fleet/SECRET-7/alert"])
        #expect(lines(place).count == 1 && lines(place)[0].contains("OPEN-1"))
    }
}
