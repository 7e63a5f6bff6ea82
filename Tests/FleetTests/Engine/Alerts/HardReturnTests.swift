import Fleet
import FleetTestSupport
import Geo
import Messages
import Testing

/// Trucks that turn round on the road and come back.
struct HardReturnTests {
    /// Along Main Street to `east`, back to 500 m, and along it again to the end; the last turn-off is at 4,000 m.
    private func turningRound(at east: Metres) throws -> [Coordinate] {
        let drawing = try Drawing.bridge()
        return try drawing.line("a") + [Drawing.place(east, 0), Drawing.place(500, 0)] + drawing.line("z")
    }

    @Test(
        "Turning round before the last turn-off clears the alert; coming back raises a new one, with a life of its own",
        arguments: [0.0, 5])
    func before(noise: Metres) throws {
        for seed in UInt64(1)...(noise > 0 ? 10 : 1) {
            let dispatcher = Dispatcher(try Drawing.bridge().network)
            dispatcher.drive(try turningRound(at: 3_000), noise: noise, seed: seed)
            let lives = dispatcher.lives
            #expect(
                lives == [[.ahead, .cleared], [.ahead, .detour, .stop, .passed]], "seed \(seed): \(dispatcher.log)")
            #expect(dispatcher.alerts.first { $0.stage == .cleared }?.reason == .leftPath)
        }
    }

    @Test("Turning round behind the last turn-off, right before the bridge, does too", arguments: [0.0, 5])
    func behind(noise: Metres) throws {
        for seed in UInt64(1)...(noise > 0 ? 10 : 1) {
            let dispatcher = Dispatcher(try Drawing.bridge().network)
            dispatcher.drive(try turningRound(at: 4_200), noise: noise, seed: seed)
            let lives = dispatcher.lives
            #expect(
                lives == [[.ahead, .detour, .stop, .cleared], [.ahead, .detour, .stop, .passed]],
                "seed \(seed): \(dispatcher.log)")
        }
    }

    @Test("It is cleared ten seconds after the truck is seen driving back, whether it tells its course or not")
    func delay() throws {
        for isFluent in [true, false] {
            let dispatcher = Dispatcher(try Drawing.bridge().network)
            dispatcher.drive(Journey(line: try turningRound(at: 3_000), every: 1, offset: 0, isFluent: isFluent))
            let cleared = try #require(dispatcher.alerts.first { $0.stage == .cleared })
            // It turns at 150 s.
            #expect((160.0...165).contains(cleared.time.seconds), "\(isFluent): \(dispatcher.log)")
        }
    }

    @Test("A truck that drives back under the bridge it came through is told of it from the other side")
    func fromTheOtherSide() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("aza"), every: 5))
        #expect(dispatcher.lives == [[.ahead, .detour, .stop, .passed], [.ahead, .detour, .stop, .passed]])
        #expect(Set(dispatcher.alerts.map(\.clearance.id)).count == 1)
    }
}
