import Broker
import Testing

struct BackoffTests {
    @Test("Pauses double from 1 s to 8 s, less up to a quarter")
    func doubles() {
        var backoff = Backoff(seed: 7)
        for step in [1.0, 2, 4, 8, 8, 8] {
            let pause = backoff.next()
            #expect(pause > .seconds(step * 0.75) && pause <= .seconds(step))
        }
    }

    @Test("A success begins again at 1 s")
    func resets() {
        var backoff = Backoff(seed: 7)
        for _ in 0..<5 { _ = backoff.next() }
        backoff.reset()
        #expect(backoff.next() <= .seconds(1))
    }

    @Test("One seed yields the same pauses again, another yields others")
    func seeds() {
        func pauses(seed: UInt64) -> [Duration] {
            var backoff = Backoff(seed: seed)
            return (0..<8).map { _ in backoff.next() }
        }
        #expect(pauses(seed: 1) == pauses(seed: 1))
        #expect(pauses(seed: 1) != pauses(seed: 2))
    }
}
