import FleetTestSupport
import Messages
import Testing

@testable import Gateway

/// How much is read from the broker.
struct FlowControlTests {
    private typealias Amount = WaitingMessages.Amount
    private let held = Amount(count: 1_000, bytes: 150_000, unacknowledged: 1)

    @Test("While acknowledgements are held back nothing is read, but for one second where the gateway is overloaded")
    func holding() {
        var flow = FlowControl()
        #expect(flow.room(besides: held, isOverloaded: false, at: .at(0)) == 0)
        #expect(flow.room(besides: Amount(), isOverloaded: false, at: .at(1)) == 4_096)
        for (seconds, room) in [(10.0, 15_384), (10.9, 15_384), (11.1, 0), (20, 0)] {
            #expect(flow.room(besides: held, isOverloaded: true, at: .at(seconds)) == room)
        }
        #expect(flow.room(besides: Amount(), isOverloaded: true, at: .at(21)) == 16_384)
        #expect(flow.room(besides: held, isOverloaded: true, at: .at(21.5)) == 15_384)
    }

    @Test("Nothing is read while 64 MB wait, however few messages that are", arguments: [false, true])
    func bytes(isOverloaded: Bool) {
        var flow = FlowControl()
        #expect(flow.room(besides: Amount(count: 256, bytes: 64 << 20), isOverloaded: isOverloaded, at: .at(0)) == 0)
        #expect(flow.room(besides: Amount(count: 256, bytes: 63 << 20), isOverloaded: isOverloaded, at: .at(0)) > 0)
    }
}
