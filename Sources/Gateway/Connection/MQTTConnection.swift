package import Broker
package import MQTT
import Wire

/// What the gateway needs of a connection to a broker: a `BrokerConnection`, or one in memory under test.
///
/// No message is acknowledged before `flush`, and one that is not is delivered again on the next connection.
package protocol MQTTConnection: AnyObject {
    var waker: Waker { get }
    var isConnected: Bool { get }
    /// Whether there is no connection and none coming about.
    var isIdle: Bool { get }
    /// How many publications of QoS 1 leave before the first of them is acknowledged.
    var inFlightMax: Int { get }
    /// So many messages at most are taken at once.
    var inboxLimit: Int { get set }

    func connect()
    func subscribe(_ additions: [Subscription])
    /// Has the broker send all that it retains for the subscriptions, as it does in a new session.
    func renewSubscriptions()
    /// Waits for something to happen, at most `timeout`, and returns what has happened.
    func poll(timeout: Duration) -> [BrokerEvent]
    /// The messages that have come since the last call, in their order.
    func takeMessages() -> [ReceivedMessage]
    /// - Returns: the id that its `published` event bears.
    func publish(_ publication: Publication) throws(BrokerError) -> Int32
    /// - Returns: the id that its `retainedRead` event bears.
    func readRetained(_ filters: [String]) throws(BrokerError) -> Int32
    /// Lets the acknowledgements of all messages taken so far leave, and with them all else that is queued.
    func flush()
    /// Publications that the broker has not acknowledged are not sent again over the next connection, and no `published` event
    /// comes for them.
    ///
    /// - Precondition: not `isConnected`.
    func discardUnacknowledged() throws(BrokerError)
    func disconnect(keepsWill: Bool, timeout: Duration)
}

extension BrokerConnection: MQTTConnection {
    /// To the configured broker, with `offline` as the gateway's will.
    convenience init(_ configuration: GatewayConfiguration) throws(BrokerError) {
        var settings = configuration.broker
        settings.will = StatusMessage(.offline, version: configuration.version).encoded(on: configuration.topics)
        try self.init(settings)
    }
}
