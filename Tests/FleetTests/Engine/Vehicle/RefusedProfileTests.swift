import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// What a vehicle is told whose height profile is refused, and which height then counts.
struct RefusedProfileTests {
    private static let flat = RefusedReport(.profile, problem: "no road vehicle has this height, got 0")

    @Test("A profile that is refused is answered at once, and the last good height stays")
    func refused() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: 380)
        dispatcher.tell(.refused(Self.flat), at: 0)
        let request = try #require(dispatcher.requests.first)
        #expect(request.kind == .heightStale && request.time == .at(0))
        #expect(
            request.text == """
                The height profile is not used: no road vehicle has this height, got 0. In force, without the margin: \
                12'6" (driver).
                """)
        #expect(dispatcher.kept?.profile?.height == 380)
        #expect(dispatcher.states.last?.height == 380 && dispatcher.states.last?.heightStatus == .ok)
    }

    @Test("Where no height is known, the assumed one holds; it is asked for by the same answer, and not twice")
    func refusedAtFirst() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.refused(Self.flat), at: 0)
        for second in stride(from: 1.0, through: 3599, by: 30) {
            dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(second), speed: 0))
        }
        #expect(dispatcher.requests.map(\.kind) == [.heightRequired])
        #expect(dispatcher.requests[0].text.hasSuffix("In force, without the margin: 13'6\" (assumed)."))
        #expect(dispatcher.states.last?.heightStatus == .assumed)
        dispatcher.tick(3601)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(3602), speed: 0))
        #expect(dispatcher.requests.map(\.kind) == [.heightRequired, .heightRequired])
    }

    @Test("After one that has run out, the larger height holds and the answer says so, in the vehicle's units")
    func refusedStale() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 430, source: "driver", validFor: 60, units: .metric)), at: 0)
        dispatcher.tell(.refused(Self.flat), at: 100)
        #expect(dispatcher.requests.map(\.kind) == [.heightStale])
        #expect(dispatcher.requests[0].text.hasSuffix(": 4.30 m (driver, out of date)."))
    }

    @Test("One mistake is answered once an hour, over a restart too; another one is another answer")
    func refusedAgain() throws {
        let network = try Drawing.bridge().network
        let first = Dispatcher(network, height: 380)
        for second in [0.0, 10, 20] { first.tell(.refused(Self.flat), at: second) }
        first.tell(.refused(RefusedReport(.profile, problem: "got \"tall\"")), at: 30)
        #expect(first.requests.map(\.time.seconds) == [0, 30])
        #expect(Set(first.requests.map(\.id)).count == 2)
        let second = Dispatcher(network, height: nil)
        second.engine.restore(try #require(first.kept).roundTripped())
        for seconds in [40.0, 3599, 3600] { second.tell(.refused(Self.flat), at: seconds) }
        #expect(second.requests.map(\.time.seconds) == [3600])
    }

    @Test("Of a vehicle that does not consent a refused profile is told to nobody")
    func refusedWithheld() throws {
        let engine = Engine(EngineSettings(), network: nil)
        let effects = engine.handle([
            .report(.consent(Consent(.denied)), from: Dispatcher.truck, receivedAt: .at(0)),
            .report(.refused(Self.flat), from: Dispatcher.truck, receivedAt: .at(1)),
        ])
        #expect(effects.envelopes.isEmpty && effects.transient.isEmpty && effects.changed.isEmpty)
    }
}
