package import Broker
package import Geo
import Hashing

/// What becomes of an entry that the console publishes for dispatch.
package enum DispatchOutcome: Hashable, Sendable, Codable {
    /// The gateway goes by it.
    ///
    /// - Parameters:
    ///   - note: what whoever entered it should know, as that no road was found near it.
    ///   - was: the known clearance that it raises or lifts.
    ///   - unknown: members that mean nothing here.
    case inForce(note: String?, was: Centimetres? = nil, unknown: [String] = [])
    /// Published, and not used; what was in force stays.
    case failed(reason: String)
    /// The broker does not let the gateway publish there.
    case refused(ReasonCode)
    case notConnected
    /// The store does not work, and nothing is taken in before it does.
    case storeFails
    /// Too many are under way.
    case busy
    /// It did not come back from the broker in time; it may still come.
    case timedOut
}

/// Takes inputs from other threads to the gateway thread, which publishes them, and brings back what became of them.
///
/// The broker is the only way in: an input is published like anybody's, and is in force when it has come back.
package final class InputPublisher: Sendable {
    /// The most orders that wait at once; a fence file of a whole country is no matter for single requests.
    static let ordersMax = 10_000
    /// A loopback broker takes milliseconds; after so long the person before the screen wants to know.
    static let timeout: Duration = .seconds(10)

    struct Order {
        @BytewiseText var topic: String
        /// Empty: takes back what is there.
        var payload: [UInt8]
        var isRetained: Bool
        var deadline: ContinuousClock.Instant
        /// Its number among those that other gateways were told to expect; nil: they were not.
        var announcement: UInt64?
        var answer: Answer<DispatchOutcome>
    }

    private let orders = OrderQueue<Order>(limit: ordersMax)
    private let topics = KeyedLock<BytewiseText>()

    init() {}

    /// Publishes a retained entry, and waits until it has come back and the gateway has taken it in.
    ///
    /// Two changes of one entry are not under way at once, or both could be made of the version before. That holds for what
    /// passes here: whoever publishes on the topic elsewhere, another gateway of a cluster included, is not waited for.
    ///
    /// - Parameter check: what the change depends on, once the changes before it are in force; nothing is published where it
    ///   throws.
    package func putEntry<Failure: Error>(
        _ payload: [UInt8], on topic: String, check: () async throws(Failure) -> Void
    ) async throws(Failure) -> DispatchOutcome {
        try await topics.withLock(BytewiseText(topic)) { () async throws(Failure) -> DispatchOutcome in
            try await check()
            return await put(payload, on: topic, isRetained: true)
        }
    }

    package func putEntry(_ payload: [UInt8], on topic: String) async -> DispatchOutcome {
        await putEntry(payload, on: topic) {}
    }

    /// Publishes a message that is not retained, and waits until it has come back and the gateway has taken it in.
    package func putMessage(_ payload: [UInt8], on topic: String) async -> DispatchOutcome {
        await put(payload, on: topic, isRetained: false)
    }

    private func put(_ payload: [UInt8], on topic: String, isRetained: Bool) async -> DispatchOutcome {
        await withCheckedContinuation { continuation in
            let order = Order(
                topic: topic, payload: payload, isRetained: isRetained, deadline: .now + Self.timeout,
                answer: Answer(continuation))
            switch orders.add(order) {
            case .added: break
            case .full: continuation.resume(returning: .busy)
            case .closed: continuation.resume(returning: .notConnected)
            }
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { orders.begin(wake) }

    func takeOrders() -> [Order] { orders.take() }

    /// Nothing that waits is published.
    func refuse(_ outcome: DispatchOutcome) { for order in takeOrders() { order.answer.resume(returning: outcome) } }

    /// Nobody waits for a gateway that has ended.
    func end() {
        orders.end()
        refuse(.notConnected)
    }
}
