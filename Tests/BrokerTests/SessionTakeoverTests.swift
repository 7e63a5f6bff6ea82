import Broker
import Testing
import ThreadTestSupport

@Suite(.serialized)
struct SessionTakeoverTests {
    private static let short = "connected 1 lost"

    /// Seconds from one event to the next, and whether the broker said nothing (`lost`) or was away (`away`).
    @Test(
        "Five connections in a row that the broker closed within five seconds are a rival, a network that cuts is none",
        arguments: [
            ([short, short, short, short, short], true),
            ([short, short, short, short], false),
            (
                [
                    "connected 20 lost", "connected 9 lost", "connected 6 lost", "connected 25 lost",
                    "connected 12 lost",
                ], false
            ),
            ([short, short, short, short, "connected 6 lost"], false),
            ([short, short, short, short, "connected 900 lost", short, short, short, short, short], true),
            ([short, short, short, short, "away", short], false),
        ])
    func timeline(connections: [String], certain: Bool) async throws {
        let lost = try await loss()
        var rivalry = SessionTakeover()
        var time = ContinuousClock.now
        var isCertain = false
        for word in connections.joined(separator: " 1 ").split(separator: " ") {
            switch word {
            case "connected": isCertain = rivalry.isCertain(after: .connected(sessionPresent: true), at: time)
            case "lost": isCertain = rivalry.isCertain(after: .lost(lost), at: time)
            case "away": isCertain = rivalry.isCertain(after: .unreachable(lost), at: time)
            default: time += .seconds(try #require(Double(word)))
            }
        }
        #expect(isCertain == certain)
    }

    @Test("Where the broker says that the session was taken over, that is enough")
    func said() {
        var rivalry = SessionTakeover()
        let isCertain = rivalry.isCertain(after: .disconnected(.sessionTakenOver), at: .now)
        #expect(isCertain)
    }

    @Test("Of two clients of one id on a real broker, one finds out")
    func quarrel() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let clients = try [Driver(broker, id: "same"), Driver(broker, id: "same")]
            var rivalries = [SessionTakeover(), SessionTakeover()]
            let deadline = ContinuousClock.now + .seconds(10)
            while .now < deadline {
                for (number, client) in clients.enumerated() {
                    if client.connection.isIdle { client.connection.connect() }
                    for event in client.connection.poll(timeout: .milliseconds(20)) {
                        if rivalries[number].isCertain(after: event, at: .now) { return }
                    }
                }
            }
            #expect(Bool(false), "nobody found out")
        }
    }
}

/// What a connection that another one of the same id has ended says of it, from a real broker.
private func loss() async throws -> BrokerError {
    try await onThread {
        let broker = try Mosquitto.started()
        let first = try Driver.connected(broker, id: "same")
        let second = try Driver.connected(broker, id: "same")
        try first.run { $0.connection.isIdle }
        guard second.connection.isConnected, case .lost(let error) = first.events.last else {
            throw Unexpected(events: first.events)
        }
        return error
    }
}

private struct Unexpected: Error { let events: [BrokerEvent] }
