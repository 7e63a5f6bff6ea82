import Broker
import Fleet
import Messages
import MQTT
import Wire

/// The gateway thread's side of the desk: publishes orders, and knows them again when they come back.
struct PendingRequests {
    /// Orders that are published at once: the window is the outbox's, too.
    private static let underWayMax = 100

    private let publisher: InputPublisher
    private let qos: QoS
    private let topics: GatewayTopics
    private var queue: [InputPublisher.Order] = []
    /// By the publication's id.
    private var underWay: [Int32: InputPublisher.Order] = [:]
    /// Come back in this pass; answered once what they caused is committed.
    private var returned: [InputPublisher.Order] = []

    init(_ publisher: InputPublisher, qos: QoS, topics: GatewayTopics) {
        self.publisher = publisher
        self.qos = qos == .atMostOnce ? .atLeastOnce : qos
        self.topics = topics
    }

    /// Publishes what waits.
    mutating func publish(over link: BrokerLink) {
        queue += publisher.takeOrders()
        while underWay.count < Self.underWayMax, let order = queue.first {
            do throws(BrokerError) {
                let id = try link.publish(
                    Publication(topic: order.topic, payload: order.payload, qos: qos, retain: order.isRetained))
                underWay[id] = order
            } catch {
                if error.code == .windowFull { return }
                let isGone = [.notConnected, .connectionLost].contains(error.code)
                order.answer.resume(returning: isGone ? .notConnected : .failed(reason: "\(error)"))
            }
            queue.removeFirst()
        }
    }

    /// The broker has answered for a publication.
    mutating func settle(_ answer: BrokerAnswer) {
        guard case .published(let id, let reason) = answer, reason.isRefusal, let order = underWay[id] else { return }
        underWay[id] = nil
        order.answer.resume(returning: .refused(reason))
    }

    /// Messages have come in, which may be orders'.
    mutating func note(_ messages: [ReceivedMessage]) {
        guard !underWay.isEmpty else { return }
        for message in messages {
            for (id, order) in underWay where order.topic == message.topic && order.payload == message.payload {
                underWay[id] = nil
                returned.append(order)
            }
        }
    }

    /// Whether something came back in this pass.
    var hasReturned: Bool { !returned.isEmpty }

    /// What came back in this pass is in force, or why it is not.
    mutating func answer(_ effects: Effects, _ taken: Intake.Batch) {
        let now = ContinuousClock.now
        for (id, order) in underWay where order.deadline < now {
            underWay[id] = nil
            order.answer.resume(returning: .timedOut)
        }
        guard !returned.isEmpty else { return }
        var outcomes: [String: DispatchOutcome] = [:]
        for rejection in taken.rejections { outcomes[rejection.topic] = .failed(reason: rejection.reason.rawValue) }
        for registration in taken.registrations + effects.registrations {
            outcomes[topics.entry(of: registration)] = DispatchOutcome(registration)
        }
        for order in returned { order.answer.resume(returning: outcomes[order.topic] ?? .inForce(note: nil)) }
        returned = []
    }

    /// The gateway ends.
    mutating func end() {
        publisher.end()
        for order in queue + Array(underWay.values) + returned { order.answer.resume(returning: .notConnected) }
        (queue, underWay, returned) = ([], [:], [])
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
