import Broker
import Testing

@Suite(.serialized)
struct SessionTakeoverTests {
    /// Seconds from one event to the next, and whether the broker said nothing (`lost`) or was away (`away`).
    @Test(
        "Three short connections in a row that the broker closed are a rival",
        arguments: [
            ("connected 1 lost 1 connected 1 lost 1 connected 1 lost", true),
            ("connected 1 lost 1 connected 1 lost", false),
            ("connected 900 lost 1 connected 900 lost 1 connected 900 lost", false),
            ("connected 1 lost 1 connected 900 lost 1 connected 1 lost 1 connected 1 lost", false),
            ("connected 1 lost 1 away 1 connected 1 lost 1 connected 1 lost", false),
        ])
    func timeline(text: String, certain: Bool) async throws {
        let lost = try await loss()
        var rivalry = SessionTakeover()
        var time = ContinuousClock.now
        var isCertain = false
        for word in text.split(separator: " ") {
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
                    if client.connection.isIdle { try client.connection.connect() }
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
