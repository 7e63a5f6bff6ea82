import GatewayTestSupport
import MQTT
import Testing

@testable import Gateway

/// Whether a resumed session shows that the broker was restored from an earlier state.
struct ConnectionProbeTests {
    private final class Link {
        let broker: TestBroker
        let connection: TestConnection
        private let link: BrokerLink
        private let start = ContinuousClock.now
        private let elapsed = Elapsed()
        private(set) var earlierStates = 0

        private final class Elapsed { var seconds = 0 }

        init() throws {
            let configuration = try GatewayConfiguration.north()
            broker = TestBroker(configuration.topics)
            connection = broker.connection()
            let clock = GatewayClock(elapsed: { [start, elapsed] in start + .seconds(elapsed.seconds) })
            link = try BrokerLink(
                configuration, over: connection, shared: SharedState(version: "1"), clock: clock,
                logger: LogLines().logger())
        }

        /// Passes of a second each.
        func passes(_ count: Int) throws {
            for _ in 0..<count {
                elapsed.seconds += 1
                _ = try link.poll(timeout: .zero, underWay: 0)
                for message in link.takeMessages() where link.isProbe(message) {
                    if case .earlierState = link.probeAnswer(message) { earlierStates += 1 }
                }
                link.acknowledge()
            }
        }

        /// The broker takes a mark of its own, the connection ends, and the gateway does not know what became of the mark.
        func cutWithMarkUnderWay() throws {
            link.inputsChanged()
            elapsed.seconds += 1
            _ = try link.poll(timeout: .zero, underWay: 0)
            connection.transmit(connection.waiting)
            connection.lose()
        }

        func inputChanges() { link.inputsChanged() }
    }

    @Test("A mark that was under way when the connection ended is no sign of an earlier state, however often")
    func underWay() throws {
        let link = try Link()
        try link.passes(12)
        for _ in 0..<5 {
            try link.cutWithMarkUnderWay()
            try link.passes(12)
        }
        #expect(link.earlierStates == 0)
    }

    @Test(
        "A broker restored from before the newest mark is known by it, also where a later mark was under way",
        arguments: [false, true])
    func restored(isMarkUnderWay: Bool) throws {
        let link = try Link()
        try link.passes(12)
        let snapshot = link.broker.snapshot
        link.inputChanges()
        try link.passes(3)
        if isMarkUnderWay { try link.cutWithMarkUnderWay() } else { link.connection.lose() }
        link.broker.restore(snapshot)
        try link.passes(12)
        #expect(link.earlierStates == 1)
        // What the broker has now is marked anew.
        link.connection.lose()
        try link.passes(12)
        #expect(link.earlierStates == 1)
    }

    @Test("A second end of the connection before the mark sent again is acknowledged hides no earlier state")
    func twice() throws {
        let link = try Link()
        try link.passes(12)
        let snapshot = link.broker.snapshot
        link.inputChanges()
        try link.passes(3)
        try link.cutWithMarkUnderWay()
        link.broker.restore(snapshot)
        // Connected, and cut before anything is answered.
        try link.passes(1)
        link.connection.lose()
        try link.passes(12)
        #expect(link.earlierStates == 1)
    }
}
