import CRabbitMQ

/// Declarations: each is repeated without effect where the same is declared already.
extension RabbitMQConnection {
    /// - Throws: `preconditionFailed` where one of that name has another type; RabbitMQ does not compare `arguments`.
    package func declare(_ exchange: RabbitMQTopology.Exchange) throws(RabbitMQError) {
        let memory = RabbitMQMemory()
        amqp_exchange_declare(
            state, Self.control, memory.bytes(exchange.name), memory.bytes(exchange.type), 0, 1, 0, 0,
            memory.table(exchange.arguments))
        try check("Declaring exchange \(exchange.name)")
    }

    /// - Throws: `preconditionFailed` where one of that name has other arguments.
    package func declare(_ queue: RabbitMQTopology.Queue) throws(RabbitMQError) {
        let memory = RabbitMQMemory()
        amqp_queue_declare(state, Self.control, memory.bytes(queue.name), 0, 1, 0, 0, memory.table(queue.arguments))
        try check("Declaring queue \(queue.name)")
    }

    /// Declares a queue that only this connection consumes, and that ends with it.
    ///
    /// - Throws: as the other; of channel 405 where another connection has one of that name.
    package func declareOwn(_ queue: RabbitMQTopology.Queue) throws(RabbitMQError) {
        let memory = RabbitMQMemory()
        amqp_queue_declare(state, Self.control, memory.bytes(queue.name), 0, 0, 1, 1, memory.table(queue.arguments))
        try check("Declaring queue \(queue.name)")
    }

    package func declare(_ binding: RabbitMQTopology.Binding) throws(RabbitMQError) {
        let memory = RabbitMQMemory()
        let (source, key) = (memory.bytes(binding.source), memory.bytes(binding.key))
        switch binding.target {
        case .queue(let name):
            amqp_queue_bind(state, Self.control, memory.bytes(name), source, key, memory.table([:]))
        case .exchange(let name):
            amqp_exchange_bind(state, Self.control, memory.bytes(name), source, key, memory.table([:]))
        }
        try check("Binding \(binding)")
    }

    /// Takes a binding back; without effect where it is not there, as long as what it binds is.
    package func delete(_ binding: RabbitMQTopology.Binding) throws(RabbitMQError) {
        let memory = RabbitMQMemory()
        let (source, key) = (memory.bytes(binding.source), memory.bytes(binding.key))
        switch binding.target {
        case .queue(let name):
            amqp_queue_unbind(state, Self.control, memory.bytes(name), source, key, memory.table([:]))
        case .exchange(let name):
            amqp_exchange_unbind(state, Self.control, memory.bytes(name), source, key, memory.table([:]))
        }
        try check("Taking back \(binding)")
    }

    /// Whether there is an exchange of that name, of whatever type.
    package func hasExchange(_ name: String) throws(RabbitMQError) -> Bool {
        let memory = RabbitMQMemory()
        amqp_exchange_declare(
            state, Self.control, memory.bytes(name), memory.bytes(""), 1, 1, 0, 0, memory.table([:]))
        return try isThere("Asking for exchange \(name)")
    }

    /// What a queue holds and who reads it; nil where there is none of that name.
    package func counts(of queue: String) throws(RabbitMQError) -> RabbitMQQueueCounts? {
        let memory = RabbitMQMemory()
        let answer = amqp_queue_declare(
            state, Self.control, memory.bytes(queue), 1, 1, 0, 0, memory.table([:]))
        let counts = answer.map {
            RabbitMQQueueCounts(ready: Int($0.pointee.message_count), consumers: Int($0.pointee.consumer_count))
        }
        return try isThere("Asking for queue \(queue)") ? counts : nil
    }

    private func isThere(_ action: String) throws(RabbitMQError) -> Bool {
        do {
            try check(action)
            return true
        } catch  where error.kind == RabbitMQError.notFound {
            return false
        }
    }

    package func delete(queue: String) throws(RabbitMQError) {
        let memory = RabbitMQMemory()
        amqp_queue_delete(state, Self.control, memory.bytes(queue), 0, 0)
        try check("Deleting queue \(queue)")
    }
}

package struct RabbitMQQueueCounts: Hashable, Sendable {
    /// Messages that wait to be delivered; those under way to a consumer are not among them.
    package var ready: Int
    /// Consumers; of a quorum queue with a single active one, only that.
    package var consumers: Int

    package init(ready: Int, consumers: Int) { (self.ready, self.consumers) = (ready, consumers) }
}
