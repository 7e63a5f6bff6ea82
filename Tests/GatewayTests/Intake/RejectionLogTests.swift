import Broker
import Fleet
import Messages
import MQTT
import Testing
import Wire

@testable import Gateway

/// What the log says of messages that cannot be used.
struct RejectionLogTests {
    private static let now = Timestamp(milliseconds: 1_795_269_810_000)

    /// What is logged of these messages, in the order in which they come, so many seconds apart.
    private static func logged(
        _ messages: [(topic: String, payload: String)], every seconds: Double = 1, mayBeNamed: Bool = true
    ) throws -> [String] {
        let lines = LogLines()
        var log = RejectionLog(logger: lines.logger())
        let intake = Intake(
            GatewayConfiguration(
                broker: BrokerSettings(port: 1, clientID: "test"),
                pattern: try TopicPattern("fleet/{v}"),
                inputs: [FleetInput(topic: try InputTopic("traccar/{server}"), layout: .traccar)],
                topics: try GatewayTopics(clientID: "test"), qos: .atLeastOnce, engine: EngineSettings(),
                store: ":memory:", snapshotInterval: 60, keepEvents: 0, keepPositions: 0, version: "test"))
        for (index, message) in messages.enumerated() {
            let time = now.adding(Double(index) * seconds)
            var batch = Intake.Batch()
            intake.take(
                ReceivedMessage(
                    topic: message.topic, payload: Array(message.payload.utf8), qos: .atLeastOnce, retained: false),
                at: time, &batch)
            for rejected in batch.rejections { log.note(rejected, mayBeNamed: mayBeNamed, at: time) }
        }
        return lines.all
    }

    @Test("The member, what was expected and what stands there, with the topic and the reason that is counted")
    func words() throws {
        let lines = try Self.logged([
            ("fleet/T1/location", #"{"lat":"abc","lon":2}"#), ("fleet/T1/location", "$GPGGA,123519,4807.038,N"),
            ("fleet/T1/profile", #"{"height":"tall"}"#), ("traccar/eu", #"{"position":7}"#),
            ("headroom/fences/a", "<gpx/>"), ("fleet//location", #"{"lat":1,"lon":2}"#),
        ])
        #expect(
            lines == [
                #"Rejected location on fleet/T1/location: lat: expected a number from -90 to 90, got "abc" (wrong-type)"#,
                "Rejected location on fleet/T1/location: expected JSON, got NMEA 0183 (malformed-json)",
                #"Rejected profile on fleet/T1/profile: height: expected a height over 0 and up to 6 m, such as 4.11 or "13'6\"", got "tall" (unreadable-height)"#,
                "Rejected input traccar/{server} on traccar/eu: position: expected an object, got 7 (wrong-type)",
                "Rejected fence on headroom/fences/a: expected a GeoJSON Feature, got XML (unreadable-fence)",
                "Rejected message on fleet//location: invalid-vehicle-id",
            ])
    }

    @Test("One line for each kind, member and reason, whoever sends it; again after an hour, with how many there were")
    func once() throws {
        let bad = (0..<100).map { ("fleet/T\($0)/location", #"{"lat":"x\#($0)","lon":2}"#) }
        #expect(try Self.logged(bad).count == 1)
        #expect(try Self.logged(bad + [("fleet/T1/location", #"{"lat":1,"lon":"x"}"#)]).count == 2)
        let hours = try Self.logged(bad, every: 100)
        #expect(hours.count == 3 && hours[1].hasSuffix("; 35 more since the last such line"), "\(hours)")
    }

    @Test("Members that senders name do not make the log grow without end, and add no lines of their own")
    func bounded() throws {
        let many = (0..<2000).map { ("fleet/T/profile", #"{"parts":{"part \#($0)":"x"}}"#) }
        #expect(try Self.logged(many).count <= RejectionLog.linesMax + 1)
        let forged = try Self.logged([("fleet/T/location", #"{"lat":"x\nRejected all","lon":2}"#)])
        #expect(forged.count == 1 && forged.allSatisfy { !$0.contains("\n") })
    }

    @Test("Of a vehicle that may not be named neither its topic nor what it sent is logged")
    func unnamed() throws {
        let lines = try Self.logged(
            [("fleet/T1/location", #"{"lat":"Main St","lon":2}"#), ("fleet/T1/ack", "{}")], mayBeNamed: false)
        #expect(lines.count == 2 && lines.allSatisfy { !$0.contains("T1") && !$0.contains("Main St") })
        #expect(lines[0].contains("from a vehicle that is not kept: lat: expected a number from -90 to 90"))
    }
}
