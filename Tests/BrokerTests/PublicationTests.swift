import Broker
import Foundation
import MQTT
import Testing
import ThreadTestSupport

@Suite(.serialized)
struct PublicationTests {
    @Test("A consumer sees expiry, content type and user properties; empty ones are left out")
    func properties() async throws {
        let line = try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a")
            _ = try driver.connection.publish(
                Publication(
                    topic: "fleet/T42/alert", payload: Array("{}".utf8), retain: true, expirySeconds: 600,
                    contentType: "application/json",
                    userProperties: [
                        .init("type", "low-clearance"), .init("stage", "ahead"), .init("", "x"), .init("y", ""),
                    ]))
            _ = try driver.connection.publish(
                Publication(topic: "fleet/T42/plain", payload: [48], retain: true, contentType: ""))
            try driver.run { $0.connection.unacknowledged == 0 }
            return try Mosquitto.output(
                of: "mosquitto_sub",
                [
                    "-V", "5", "-p", "\(broker.port)", "-t", "fleet/T42/alert", "-C", "1", "-W", "5", "-F",
                    "%t|%q|%r|%C|%E|%P|%p",
                ])
        }
        let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        try #require(fields.count == 7)
        #expect(fields[0...3] == ["fleet/T42/alert", "0", "1", "application/json"])
        #expect((590...600).contains(Int(fields[4]) ?? 0))
        #expect(fields[5] == "type:low-clearance stage:ahead")
        #expect(fields[6] == "{}\n")
    }

    @Test("Under MQTT 3.1.1 the properties are left out and the message goes")
    func withoutProperties() async throws {
        try await onThread {
            let driver = try Driver.connected(Mosquitto.started(), id: "a", subscriptions: ["t"]) {
                $0.protocolVersion = .v311
            }
            _ = try driver.connection.publish(
                Publication(
                    topic: "t", payload: [], expirySeconds: 1, contentType: "a/b", userProperties: [.init("a", "b")]))
            try driver.run { $0.messages.count == 1 }
        }
    }

    @Test(
        "What the broker would end the connection over is refused before it is sent",
        arguments: [
            (.invalidArgument, Publication("", "x")),
            (.invalidArgument, Publication("a/+", "x")),
            (.malformedUTF8, Publication("a\u{7}", "x")),
            (.malformedUTF8, Publication(topic: "t", payload: [], contentType: "a\nb")),
            (.malformedUTF8, Publication(topic: "t", payload: [], userProperties: [.init("a", "b\u{0}c")])),
            (
                .malformedUTF8,
                Publication(
                    topic: "t", payload: [], userProperties: [.init("a", String(repeating: "x", count: 65_536))])
            ),
            (.oversizePacket, Publication(topic: "t", payload: Array(repeating: 0, count: 200_000))),
        ] as [(BrokerError.Code, Publication)])
    func refusedHere(code: BrokerError.Code, publication: Publication) async throws {
        try await onThread {
            let broker = try Mosquitto.started(general: ["allow_anonymous true", "max_packet_size 100000"])
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["t"])
            let error = #expect(throws: BrokerError.self) { try driver.connection.publish(publication) }
            #expect(error?.code == code)
            #expect(driver.connection.unacknowledged == 0)
            _ = try driver.connection.publish(Publication("t", "next"))
            try driver.run { $0.payloads == ["next"] }
        }
    }

    @Test("A publication that the ACL denies comes back with its reason")
    func denied() async throws {
        try await onThread {
            let broker = try Mosquitto.started(
                general: ["allow_anonymous true", "acl_file $DIR/acl"], files: ["acl": "topic readwrite open/#\n"])
            let driver = try Driver.connected(broker, id: "a")
            let denied = try driver.connection.publish(Publication("closed/t", "x"))
            let granted = try driver.connection.publish(Publication("open/t", "x"))
            try driver.run { $0.connection.unacknowledged == 0 }
            #expect(driver.events.contains(.published(id: denied, .notAuthorized)))
            #expect(driver.events.contains(.published(id: granted, .noMatchingSubscribers)))
        }
    }
}
