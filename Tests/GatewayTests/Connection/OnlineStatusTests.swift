import GatewayTestSupport
import MQTT
import Testing

@testable import Gateway

/// What is said of the gateway itself on `headroom/status`, and its probe, where the connection takes no publication yet.
struct OnlineStatusTests {
    private final class Link {
        let broker: TestBroker
        let connection: TestConnection
        let shared = SharedState(version: "1")
        private let link: BrokerLink

        init(clock: GatewayClock = GatewayClock()) throws {
            let configuration = try GatewayConfiguration.north()
            broker = TestBroker(configuration.topics)
            connection = broker.connection()
            link = try BrokerLink(
                configuration, over: connection, shared: shared, clock: clock, logger: LogLines().logger())
        }

        func passes(_ count: Int) throws {
            for _ in 0..<count {
                _ = try link.poll(timeout: .zero, underWay: 0)
                for message in link.takeMessages() where link.isProbe(message) { _ = link.probeAnswer(message) }
                link.acknowledge()
            }
        }

        var statuses: [String] {
            broker.published.filter { $0.topic == "headroom/status/north" }
                .map { String(decoding: $0.payload, as: UTF8.self) }
        }

        var hasProbeReturned: Bool {
            !shared.readiness.problems.contains(Readiness.Condition.probeReturned.problem)
        }
    }

    @Test("A broker that ends each connection for the gateway's status ends the gateway, which says what may be why")
    func refused() throws {
        let start = ContinuousClock.now
        var seconds = 0
        let clock = GatewayClock(elapsed: { start + .seconds(seconds) })
        let link = try Link(clock: clock)
        link.broker.endsConnection = { $0.topic == "headroom/status/north" }
        #expect(throws: GatewayError.self) {
            for _ in 0..<100 {
                seconds += 1
                try link.passes(1)
            }
        }
        #expect(seconds < 30)
    }

    @Test("Where the send window is full at first, online is said and the probe sent once there is room, each once")
    func fullWindow() throws {
        let link = try Link()
        link.connection.isWindowFull = true
        try link.passes(5)
        #expect(link.statuses.isEmpty && !link.hasProbeReturned)
        link.connection.isWindowFull = false
        try link.passes(10)
        #expect(link.statuses.count == 1)
        #expect(link.statuses.allSatisfy { $0.contains(#""online""#) }, "\(link.statuses)")
        #expect(link.hasProbeReturned)
    }

    @Test("Online is said again on every connection, also where the one before ended before it could be said")
    func reconnected() throws {
        let link = try Link()
        link.connection.isWindowFull = true
        try link.passes(2)
        link.connection.disconnect(keepsWill: false, timeout: .zero)
        try link.passes(2)
        link.connection.isWindowFull = false
        try link.passes(10)
        #expect(link.statuses.count == 1)
        link.connection.disconnect(keepsWill: false, timeout: .zero)
        try link.passes(10)
        #expect(link.statuses.count == 2)
    }
}
