import Broker
import MQTT

/// Publishes on each connection that the gateway is online, and on later passes again until the broker has answered: while
/// as many publications are unacknowledged as the connection allows, nothing can be published, and the will of the
/// connection before says `offline`.
struct OnlineStatus {
    private enum Step: Equatable {
        case idle
        case toPublish
        case published(Int32)
    }

    private let publication: Publication
    private var step = Step.idle

    init(_ publication: Publication) { self.publication = publication }

    mutating func connected() { step = .toPublish }
    mutating func disconnected() { step = .idle }

    mutating func note(_ event: BrokerEvent) {
        if case .published(let id, _) = event, step == .published(id) { step = .idle }
    }

    /// Publishes it if that is due; where the connection has no room for it, a later call does.
    ///
    /// - Throws: where it can never be published on this connection; told once.
    mutating func advance(over connection: any MQTTConnection) throws(BrokerError) {
        guard step == .toPublish else { return }
        do throws(BrokerError) {
            step = .published(try connection.publish(publication))
        } catch {
            if error.code == .windowFull || error.code == .notConnected { return }
            step = .idle
            throw error
        }
    }
}
