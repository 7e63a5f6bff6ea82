/// Exchanges, queues and bindings that are to be declared. All are durable.
package struct RabbitMQTopology: Hashable, Sendable {
    package struct Exchange: Hashable, Sendable {
        package var name: String
        package var type: String
        package var arguments: [String: RabbitMQValue]
        /// What RabbitMQ must have enabled for it; nil: nothing.
        package var plugin: String?

        package init(
            _ name: String, type: String, arguments: [String: RabbitMQValue] = [:], plugin: String? = nil
        ) {
            (self.name, self.type, self.arguments, self.plugin) = (name, type, arguments, plugin)
        }
    }

    package struct Queue: Hashable, Sendable {
        package var name: String
        package var arguments: [String: RabbitMQValue]

        package init(_ name: String, arguments: [String: RabbitMQValue]) {
            (self.name, self.arguments) = (name, arguments)
        }
    }

    package struct Binding: Hashable, Sendable, CustomStringConvertible {
        package enum Target: Hashable, Sendable {
            case queue(String)
            case exchange(String)
        }

        package var source: String
        package var target: Target
        package var key: String

        package init(_ source: String, to target: Target, key: String) {
            (self.source, self.target, self.key) = (source, target, key)
        }

        package var targetName: String {
            switch target {
            case .queue(let name), .exchange(let name): name
            }
        }

        package var description: String { "\(source) → \(targetName) (\(key))" }
    }

    package var exchanges: [Exchange]
    package var queues: [Queue]
    package var bindings: [Binding]

    package init(exchanges: [Exchange], queues: [Queue], bindings: [Binding]) {
        (self.exchanges, self.queues, self.bindings) = (exchanges, queues, bindings)
    }
}

extension RabbitMQConnection {
    /// Declares all of it, in its order; what is declared already stays as it is.
    package func declare(_ topology: RabbitMQTopology) throws(RabbitMQError) {
        for exchange in topology.exchanges { try declare(exchange) }
        for queue in topology.queues { try declare(queue) }
        for binding in topology.bindings { try declare(binding) }
    }
}
