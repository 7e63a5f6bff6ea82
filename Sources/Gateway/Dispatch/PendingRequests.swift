import Broker
import Fleet
import Hashing
import Messages
import MQTT
import Wire

/// The gateway thread's side of `InputPublisher`: publishes orders, and knows them again when they come back.
struct PendingRequests {
    /// Orders that are published at once: the window is the outbox's, too.
    private static let underWayMax = 100

    private let publisher: InputPublisher
    private let qos: QoS
    private let topics: GatewayTopics
    private let inbound: InboundTopics
    /// In a cluster, those that other gateways are told to expect, by their numbers there; published once all know.
    private var announced: [UInt64: InputPublisher.Order] = [:]
    /// The numbers of those that are published, by the publication's id.
    private var announcements: [Int32: UInt64] = [:]
    /// What other gateways publish counts down from here: the broker's own ids count up.
    private var foreignID: Int32 = 0
    private var queue: [InputPublisher.Order] = []
    /// By the publication's id.
    private var underWay: [Int32: InputPublisher.Order] = [:]
    /// Come back; answered once what they caused is committed.
    private var returned: [InputPublisher.Order] = []

    init(_ publisher: InputPublisher, _ configuration: GatewayConfiguration) {
        self.publisher = publisher
        qos = configuration.qos == .atMostOnce ? .atLeastOnce : configuration.qos
        topics = configuration.topics
        inbound = InboundTopics(topics, pattern: configuration.pattern, inputs: configuration.inputs)
    }

    /// Publishes what waits.
    ///
    /// - Parameter exchange: that of a cluster, where another gateway may be given what is published.
    mutating func publish(over link: BrokerLink, _ exchange: GatewayExchange? = nil) {
        for order in publisher.takeOrders() {
            if let exchange, isOfOne(order.topic) {
                announced[exchange.expect(order.topic, order.payload)] = order
            } else {
                queue.append(order)
            }
        }
        publishQueue(over: link)
    }

    /// What is about all vehicles comes to every gateway.
    private func isOfOne(_ topic: String) -> Bool {
        switch inbound.parse(topic) {
        case .vehicle, .forget, .input: true
        case .clearance, .fence, .misnamed, .result, .unknown: false
        }
    }

    private mutating func publishQueue(over link: BrokerLink) {
        while underWayCount < Self.underWayMax, let order = queue.first {
            do throws(BrokerError) {
                let id = try link.publish(
                    Publication(topic: order.topic, payload: order.payload, qos: qos, retain: order.isRetained))
                underWay[id] = order
                if let number = order.announcement { announcements[id] = number }
            } catch {
                if error.code == .windowFull { return }
                let isGone = [.notConnected, .connectionLost].contains(error.code)
                order.answer.resume(returning: isGone ? .notConnected : .failed(reason: "\(error)"))
            }
            queue.removeFirst()
        }
    }

    // MARK: In a cluster

    /// All gateways that run have been told of an order.
    mutating func noteAnnounced(_ number: UInt64) {
        guard var order = announced.removeValue(forKey: number) else { return }
        order.announcement = number
        queue.append(order)
    }

    /// Another gateway was given an order's message, and says what became of it.
    mutating func settle(_ number: UInt64, _ outcome: DispatchOutcome) {
        guard let id = announcements.first(where: { $0.value == number })?.key else { return }
        announcements[id] = nil
        underWay.removeValue(forKey: id)?.answer.resume(returning: outcome)
    }

    /// Another gateway is about to publish something.
    mutating func expect(_ topic: String, _ payload: [UInt8], answer: Answer<DispatchOutcome>) {
        guard foreignCount < InputPublisher.ordersMax else { return }
        foreignID -= 1
        underWay[foreignID] = InputPublisher.Order(
            topic: topic, payload: payload, isRetained: false, deadline: .now + InputPublisher.timeout, answer: answer)
    }

    private var foreignCount: Int { underWay.keys.count { $0 < 0 } }
    /// How many are published and have not come back.
    var underWayCount: Int { underWay.count - foreignCount }

    /// The broker has answered for a publication, or is not asked for an answer any more.
    mutating func settle(_ answer: BrokerAnswer) {
        switch answer {
        case .published(let id, let reason) where reason.isRefusal:
            underWay.removeValue(forKey: id)?.answer.resume(returning: .refused(reason))
        case .discarded:
            for order in underWay.filter({ $0.key >= 0 }).values { order.answer.resume(returning: .notConnected) }
            underWay = underWay.filter { $0.key < 0 }
        case .published, .reconnected: break
        }
    }

    /// Messages have come in, which may be orders'.
    mutating func note(_ messages: [ReceivedMessage]) {
        guard !underWay.isEmpty else { return }
        for message in messages {
            for (id, order) in underWay where order.$topic == message.$topic && order.payload == message.payload {
                (underWay[id], announcements[id]) = (nil, nil)
                returned.append(order)
            }
        }
    }

    /// Whether something came back in this pass.
    var hasReturned: Bool { !returned.isEmpty }

    /// What came back and was handled is in force, or why it is not.
    ///
    /// - Parameters:
    ///   - turns: of all shards: an entry of one vehicle is in the turn of its shard.
    ///   - isWaiting: whether a message of some topic and payload has come and is not handled.
    mutating func answer(_ turns: [Turn], isWaiting: (_ topic: String, _ payload: [UInt8]) -> Bool) {
        expire()
        guard !returned.isEmpty else { return }
        var outcomes: [BytewiseText: DispatchOutcome] = [:]
        for turn in turns {
            for rejection in turn.taken.rejections where !rejection.isPart {
                outcomes[BytewiseText(rejection.topic)] = .failed(reason: rejection.reason.rawValue)
            }
        }
        for registration in turns.flatMap({ $0.taken.registrations + $0.effects.registrations }) {
            outcomes[BytewiseText(topics.entry(of: registration))] = DispatchOutcome(registration)
        }
        let handled = returned.partition { !isWaiting($0.topic, $0.payload) }
        for order in returned[handled...] {
            order.answer.resume(returning: outcomes[order.$topic] ?? .inForce(note: nil))
        }
        returned.removeSubrange(handled...)
    }

    private mutating func expire() {
        let now = ContinuousClock.now
        for (id, order) in underWay where order.deadline < now {
            (underWay[id], announcements[id]) = (nil, nil)
            // Of what another gateway publishes most comes elsewhere.
            if id >= 0 { order.answer.resume(returning: .timedOut) }
        }
        for (number, order) in announced where order.deadline < now {
            announced[number] = nil
            order.answer.resume(returning: .notConnected)
        }
    }

    /// The gateway ends.
    mutating func end() {
        publisher.end()
        let own = underWay.filter { $0.key >= 0 }.values
        for order in queue + Array(own) + Array(announced.values) + returned {
            order.answer.resume(returning: .notConnected)
        }
        (queue, underWay, announced, returned) = ([], [:], [:], [])
    }
}

extension DispatchOutcome {
    fileprivate init(_ registration: Registration) {
        switch registration.outcome {
        case .monitoring(let note, let was): self = .inForce(note: note, was: was, unknown: registration.unknown)
        case .failed(let reason): self = .failed(reason: reason)
        }
    }
}
