package import Broker
import Synchronization

/// Whether the gateway does its work, and if not, what keeps it from it: what `GET /readyz` tells.
///
/// Written by the gateway thread, read by the HTTP threads.
package final class Readiness: Sendable {
    /// What must hold before, and while, the gateway can be relied on. None holds at first.
    package enum Condition: UInt8, CaseIterable, Sendable {
        /// The broker granted every subscription on the present connection.
        case subscribed
        /// A probe message came back on the present connection. Mosquitto grants a subscription that its ACL denies
        /// and then stays silent, so only this shows that messages arrive.
        case probeReturned
        /// The store is open and its last commit succeeded.
        case storeWritable
        /// Every configured road file is open; holds at once where none is configured.
        case roadsLoaded

        var problem: String {
            switch self {
            case .subscribed: "not subscribed at the broker"
            case .probeReturned: "no probe message has come back from the broker"
            case .storeWritable: "the store is not writable"
            case .roadsLoaded: "the road files are not loaded"
            }
        }
    }

    /// How long a refused publish counts as a problem. Time alone ends it: with an ACL that denies one topic, the
    /// publishes to all others go on succeeding, and an end by success would hide the refusal within milliseconds.
    package static let refusalShown: Duration = .seconds(600)

    /// One bit a condition.
    private let conditions = Atomic<UInt8>(0)
    /// 0: none; else milliseconds since `start`, plus one, above the reason code's eight bits: one word, never torn.
    private let refusal = Atomic<UInt64>(0)
    private let isLimitedToExactTopics = Atomic<Bool>(false)
    private let retainedMissing = Atomic<Int>(0)
    private let storeDamages = Atomic<Int>(0)
    private let isOutboxFull = Atomic<Bool>(false)
    /// Whole seconds.
    private let brokerDelay = Atomic<Int>(0)
    private let storeProblem = Mutex<String?>(nil)
    private let clusterProblem = Mutex<String?>(nil)
    /// Whether the gateway thread goes on.
    package let heartbeat: Heartbeat
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: the clock that ages a refused publish and a pass.
    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        heartbeat = Heartbeat(now: now)
        start = now()
    }

    /// Records whether `condition` holds from now on.
    package func set(_ condition: Condition, _ holds: Bool) {
        let bit: UInt8 = 1 << condition.rawValue
        if holds {
            conditions.bitwiseOr(bit, ordering: .relaxed)
        } else {
            conditions.bitwiseAnd(~bit, ordering: .relaxed)
        }
    }

    /// The store does not work.
    ///
    /// - Parameter reason: nil: it works.
    package func setStoreProblem(_ reason: String?) {
        storeProblem.withLock { $0 = reason }
        set(.storeWritable, reason == nil)
    }

    /// The queues of the cluster cannot be read.
    ///
    /// - Parameter reason: nil: they can, or there is no cluster.
    package func setClusterProblem(_ reason: String?) { clusterProblem.withLock { $0 = reason } }

    /// The connection to the broker is gone, and with it what held on it.
    package func disconnected() {
        set(.subscribed, false)
        set(.probeReturned, false)
    }

    /// The broker refused a publish; a problem for `refusalShown` from now.
    ///
    /// - Parameter reason: of the PUBACK.
    package func publishRefused(_ reason: ReasonCode) {
        let milliseconds = UInt64((now() - start) / .milliseconds(1))
        refusal.store((milliseconds + 1) << 8 | UInt64(reason.rawValue), ordering: .relaxed)
    }

    /// What is wrong now, as text for people; never names a vehicle, for `readyz` is open to all. Empty: ready.
    package var problems: [String] {
        let holding = conditions.load(ordering: .relaxed)
        let unmet = Condition.allCases.filter { holding & (1 << $0.rawValue) == 0 }.map(text)
        let outbox = isOutboxFull.load(ordering: .relaxed) ? Self.outboxFull : nil
        let progress = heartbeat.problem ?? heartbeat.delay ?? lateness
        return unmet + [clusterProblem.withLock(\.self), outbox, refusedPublish, progress].compactMap(\.self)
    }

    /// That messages come late, though none of those that have been taken waits for long: the others wait at the broker.
    private var lateness: String? {
        let seconds = brokerDelay.load(ordering: .relaxed)
        return .seconds(seconds) >= Heartbeat.waitMax ? "messages wait at the broker for \(seconds) s" : nil
    }

    /// Records for how many seconds messages wait before they are handled, at the broker or here; nil: that is not known.
    package func setDelay(_ seconds: Double?) {
        brokerDelay.store(Int(min(max(seconds ?? 0, 0), 1e9)), ordering: .relaxed)
    }

    private static let outboxFull =
        "the outbox is nearly full: messages are taken one at a time until the broker accepts what waits to be sent"

    /// Records whether messages are taken one at a time because too much waits to be sent.
    package func setOutboxFull(_ isFull: Bool) { isOutboxFull.store(isFull, ordering: .relaxed) }

    /// Records to which subscriptions the broker sends what it retains.
    package func set(_ delivery: RetainedDelivery) {
        isLimitedToExactTopics.store(delivery == .exactTopics, ordering: .relaxed)
    }

    /// Records how many retained inputs the broker has lost that are kept here.
    package func setRetainedMissing(_ count: Int) { retainedMissing.store(count, ordering: .relaxed) }

    /// Records in how many places the store is damaged, as far as is known.
    package func setStoreDamages(_ count: Int) { storeDamages.store(count, ordering: .relaxed) }

    /// Guarantees that do not hold now though the gateway does its work, as text for people; never names a vehicle.
    package var degradations: [String] {
        var texts: [String] = []
        if isLimitedToExactTopics.load(ordering: .relaxed) {
            texts.append(
                """
                the broker sends no retained messages to wildcard subscriptions: fences and clearances that were \
                published while this gateway had no session are not found, and a vehicle's height, route and consent \
                not before its first position
                """)
        }
        let missing = retainedMissing.load(ordering: .relaxed)
        if missing > 0 {
            texts.append("the broker has lost \(missing) retained inputs: they stay in force and are published again")
        }
        let damages = storeDamages.load(ordering: .relaxed)
        if damages > 0 { texts.append("the store is damaged in \(damages) places: restore it from a backup") }
        return texts
    }

    private func text(_ condition: Condition) -> String {
        guard condition == .storeWritable, let reason = storeProblem.withLock(\.self) else { return condition.problem }
        return "\(condition.problem): \(reason)"
    }

    package var isReady: Bool { problems.isEmpty }

    private var refusedPublish: String? {
        let word = refusal.load(ordering: .relaxed)
        guard word != 0 else { return nil }
        let at = start + .milliseconds(Int64(word >> 8) - 1)
        guard now() - at < Self.refusalShown else { return nil }
        return "the broker refused a publish: \(ReasonCode(rawValue: UInt8(truncatingIfNeeded: word)))"
    }
}
