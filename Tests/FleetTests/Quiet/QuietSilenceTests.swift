import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// What is known of a silence in a quiet circle: where and when it may have ended.
struct QuietSilenceTests {
    private let circle = Circle(center: Drawing.place(0, 0), radius: 1000)

    private func exit(_ east: Metres, at seconds: Seconds, speed: MetresPerSecond?) -> Fix {
        let fix = Fix(position: Drawing.place(east, 0), time: .at(seconds), accuracy: 5, speed: speed)
        let last = Fix(position: Drawing.place(0, 0), time: .at(0), accuracy: 5, speed: 20)
        return QuietSilence(circle: circle, end: fix.time).exit(from: last, to: fix)
    }

    @Test(
        "It ended on the border towards the fix, as late as the speed allows, a second before at the latest",
        arguments: [(1020, 100, 20, 99), (1200, 100, 20, 90), (1360, 100, nil, 90), (1200, 5, 20, 0)]
            as [(Metres, Seconds, MetresPerSecond?, Seconds)])
    func outside(east: Metres, at seconds: Seconds, speed: MetresPerSecond?, exit: Seconds) {
        let it = self.exit(east, at: seconds, speed: speed)
        #expect(it.position.distance(to: Drawing.place(1000, 0)) < 2)
        #expect(abs(it.time.seconds - exit) < 0.2)
    }

    @Test("A fix inside of the circle ends it where and when it was taken")
    func inside() {
        let it = exit(900, at: 100, speed: 20)
        #expect(it.time.seconds == 100)
        #expect(it.position.distance(to: Drawing.place(900, 0)) < 0.01)
    }
}
