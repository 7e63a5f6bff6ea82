package import RabbitMQ

/// What a gateway does over a connection to RabbitMQ; `RabbitMQConnection` says what each of it does.
package protocol QueueConnection: AnyObject {
    var descriptor: CInt { get }
    var isBlocked: Bool { get }

    func counts(of queue: String) throws(RabbitMQError) -> RabbitMQQueueCounts?
    func declareOwn(_ queue: RabbitMQTopology.Queue) throws(RabbitMQError)
    func declare(_ binding: RabbitMQTopology.Binding) throws(RabbitMQError)
    func consume(_ queue: String, prefetch: Int, tag: String) throws(RabbitMQError) -> RabbitMQChannel
    func close(_ channel: RabbitMQChannel) throws(RabbitMQError)
    func poll(timeout: Duration, limit: Int) throws(RabbitMQError) -> [RabbitMQEvent]
    func acknowledge(upTo tag: UInt64, on channel: RabbitMQChannel) throws(RabbitMQError)
    func publish(
        _ payload: [UInt8], to exchange: String, key: String, headers: [String: RabbitMQValue], isMandatory: Bool
    ) throws(RabbitMQError) -> UInt64
}

extension RabbitMQConnection: QueueConnection {}

extension QueueConnection {
    func publish(
        _ payload: [UInt8], to exchange: String, key: String, headers: [String: RabbitMQValue] = [:]
    ) throws(RabbitMQError) -> UInt64 {
        try publish(payload, to: exchange, key: key, headers: headers, isMandatory: false)
    }
}
