import GatewayTestSupport
import MQTT
import Testing

@testable import Gateway

/// Whether a resumed session shows that the broker, or the store, was restored from an earlier state.
struct ConnectionProbeTests {
    private final class Link {
        let broker: TestBroker
        let connection: TestConnection
        private let link: BrokerLink
        private let start = ContinuousClock.now
        private let elapsed = Elapsed()
        private(set) var earlierStates = 0
        private(set) var laterStates = 0
        /// Of each connection.
        private(set) var sessions: [ConnectedSession] = []

        private final class Elapsed { var seconds = 0 }

        init(_ broker: TestBroker? = nil) throws {
            let configuration = try GatewayConfiguration.north()
            self.broker = broker ?? TestBroker(configuration.topics)
            connection = self.broker.connection()
            let clock = GatewayClock(elapsed: { [start, elapsed] in start + .seconds(elapsed.seconds) })
            link = try BrokerLink(
                configuration, over: connection, shared: SharedState(version: "1"), clock: clock,
                logger: LogLines().logger())
        }

        /// A gateway that is started while the broker keeps its session.
        ///
        /// - Parameter isSessionKnown: whether its store has what the broker retained when the session began.
        static func started(_ broker: TestBroker, mark: Int?, isSessionKnown: Bool = true) throws -> Link {
            let link = try Link(broker)
            link.link.restore(mark: mark, isSessionKnown: isSessionKnown)
            try link.passes(12)
            return link
        }

        /// Passes of a second each.
        func passes(_ count: Int) throws {
            for _ in 0..<count {
                elapsed.seconds += 1
                for case .reconnected(let session) in try link.poll(timeout: .zero, underWay: 0) {
                    sessions.append(session)
                }
                for message in link.takeMessages() where link.isProbe(message) {
                    switch link.probeAnswer(message) {
                    case .earlierState: earlierStates += 1
                    case .laterState: laterStates += 1
                    case .nothing, .roundTrip, .probed, .retainedRead: break
                    }
                }
                link.acknowledge()
            }
        }

        /// The newest mark that the broker has taken.
        var mark: Int? { link.mark }

        /// The broker takes a mark of its own, the connection ends, and the gateway does not know what became of the mark.
        func cutWithMarkUnderWay() throws {
            link.inputsChanged()
            elapsed.seconds += 1
            _ = try link.poll(timeout: .zero, underWay: 0)
            connection.transmit(connection.waiting)
            connection.lose()
        }

        func inputChanges() { link.inputsChanged() }

        /// What is under way is not sent again, once there is no connection.
        func discard() { link.handOver([0]) }
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

    @Test(
        "A store that does not know of the last two marks is older than the session; of the last one alone it may not know",
        arguments: [(3, 0), (2, 0), (1, 1)])
    func olderStore(mark: Int, laterStates: Int) throws {
        let before = try Link()
        try before.passes(12)
        for _ in 0..<2 {
            before.inputChanges()
            try before.passes(3)
        }
        #expect(before.mark == 3)
        let restored = try Link.started(before.broker, mark: mark)
        #expect(restored.laterStates == laterStates && restored.earlierStates == 0)
        #expect(restored.sessions == [.resumed], "it is found out later")
        // What the store has now is marked anew.
        let after = try Link.started(before.broker, mark: restored.mark)
        #expect(after.laterStates == 0 && after.earlierStates == 0)
    }

    @Test("A mark that was given up makes no later one look like that of another store", arguments: 1...8)
    func discarded(passes: Int) throws {
        let link = try Link()
        try link.passes(12)
        try link.cutWithMarkUnderWay()
        link.discard()
        try link.passes(passes)
        let after = try Link.started(link.broker, mark: link.mark)
        #expect(after.laterStates == 0 && after.earlierStates == 0)
    }

    @Test("A store that does not know the session has the broker send all that it retains, until that has come")
    func unknownStore() throws {
        let before = try Link()
        try before.passes(12)
        before.inputChanges()
        try before.passes(3)
        let mark = try #require(before.mark)
        let new = try Link.started(before.broker, mark: nil, isSessionKnown: false)
        new.connection.lose()
        try new.passes(12)
        #expect(new.sessions == [.renewed, .resumed])
        #expect(new.laterStates == 0 && new.earlierStates == 0)
        // An earlier state of the broker's would not be known by marks that begin again.
        let newest = try #require(new.mark)
        #expect(newest > mark)
        let cut = try Link(before.broker)
        try cut.passes(1)
        cut.connection.lose()
        try cut.passes(12)
        #expect(cut.sessions == [.renewed, .renewed])
    }
}
