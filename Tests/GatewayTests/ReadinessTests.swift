import Broker
import Gateway
import Synchronization
import Testing

/// A clock that a test moves.
private final class Stopwatch: Sendable {
    private let start = ContinuousClock.now
    private let elapsed = Mutex(Duration.zero)

    @Sendable func now() -> ContinuousClock.Instant { start + elapsed.withLock { $0 } }

    func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
}

@Suite("Readiness")
struct ReadinessTests {
    private let stopwatch = Stopwatch()

    private func ready() -> Readiness {
        let readiness = Readiness(now: stopwatch.now)
        for condition in Readiness.Condition.allCases { readiness.set(condition, true) }
        return readiness
    }

    @Test("at first nothing holds, and each condition has its own problem")
    func start() {
        let problems = Readiness().problems
        #expect(problems.count == Readiness.Condition.allCases.count)
        #expect(Set(problems).count == problems.count)
        #expect(!Readiness().isReady)
    }

    @Test("any one condition that does not hold is the one problem", arguments: Readiness.Condition.allCases)
    func one(condition: Readiness.Condition) {
        let readiness = ready()
        #expect(readiness.isReady)
        readiness.set(condition, false)
        #expect(readiness.problems.count == 1)
        #expect(!readiness.isReady)
        readiness.set(condition, true)
        #expect(readiness.isReady)
    }

    @Test("a lost connection takes the subscriptions and the probe with it, and nothing else")
    func disconnected() {
        let readiness = ready()
        readiness.disconnected()
        #expect(readiness.problems.count == 2)
        readiness.set(.subscribed, true)
        readiness.set(.probeReturned, true)
        #expect(readiness.isReady)
    }

    @Test("a guarantee that does not hold is told beside, and leaves it ready")
    func degraded() {
        let readiness = ready()
        #expect(readiness.degradations == [])
        readiness.set(RetainedDelivery.exactTopics)
        readiness.setRetainedMissing(3)
        #expect(readiness.degradations.count == 2 && readiness.degradations[1].contains("lost 3 retained inputs"))
        #expect(readiness.isReady)
        readiness.set(RetainedDelivery.wildcards)
        readiness.setRetainedMissing(0)
        #expect(readiness.degradations == [])
    }

    @Test(
        "a gateway thread that has not ended a pass for 10 s is a problem until it ends one; one that has not begun is none"
    )
    func heartbeat() {
        let readiness = ready()
        stopwatch.advance(by: .seconds(100))
        #expect(readiness.heartbeat.problem == nil && readiness.isReady)
        readiness.heartbeat.beat()
        stopwatch.advance(by: .milliseconds(9_999))
        #expect(readiness.heartbeat.problem == nil && readiness.isReady)
        stopwatch.advance(by: .milliseconds(1))
        #expect(readiness.heartbeat.problem == "the gateway has not gone on for 10 s")
        #expect(readiness.problems == ["the gateway has not gone on for 10 s"])
        readiness.heartbeat.beat()
        #expect(readiness.heartbeat.problem == nil && readiness.isReady)
    }

    @Test("messages that are taken and not done with after 5 s are a problem, counted from the first of them")
    func waiting() {
        let readiness = ready()
        readiness.heartbeat.messagesTaken()
        stopwatch.advance(by: .seconds(4))
        readiness.heartbeat.messagesTaken()
        #expect(readiness.isReady)
        stopwatch.advance(by: .seconds(1))
        #expect(readiness.problems == ["messages have waited for 5 s"])
        #expect(readiness.heartbeat.problem == nil)
        readiness.heartbeat.messagesDone()
        stopwatch.advance(by: .seconds(60))
        #expect(readiness.isReady)
    }

    @Test(
        "messages that wait at the broker for 5 s are a problem, though none of those that have been taken waits",
        arguments: [(nil, true), (0.5, true), (4.9, true), (5.1, false), (90, false)] as [(Double?, Bool)])
    func lateness(delay: Double?, isReady: Bool) {
        let readiness = ready()
        readiness.setDelay(delay)
        #expect(readiness.isReady == isReady)
        #expect(isReady || readiness.problems == ["messages wait at the broker for \(Int(delay!)) s"])
        readiness.setDelay(1)
        #expect(readiness.isReady)
    }

    @Test("a refused publish shows with its reason for ten minutes, and the last one counts")
    func refused() {
        let readiness = ready()
        readiness.publishRefused(.notAuthorized)
        #expect(readiness.problems == ["the broker refused a publish: \(ReasonCode.notAuthorized)"])
        stopwatch.advance(by: .seconds(599))
        readiness.publishRefused(.packetTooLarge)
        stopwatch.advance(by: .seconds(599))
        #expect(readiness.problems == ["the broker refused a publish: \(ReasonCode.packetTooLarge)"])
        stopwatch.advance(by: .seconds(2))
        #expect(readiness.isReady)
    }
}
