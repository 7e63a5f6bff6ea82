import AsyncHTTPClient
package import Gateway
package import Logging
import NIOCore
import ServiceLifecycle

/// Posts what waits for webhooks, for each webhook one message after the other, until the program stops.
package struct WebhookSender: Service {
    private let hooks: [Webhook]
    private let queue: WebhookQueue
    private let version: String
    private let logger: Logger

    /// - Parameter version: of the program, for receivers.
    package init(_ hooks: [Webhook], _ queue: WebhookQueue, version: String, logger: Logger) {
        self.hooks = hooks
        self.queue = queue
        self.version = version
        self.logger = logger
    }

    package func run() async throws {
        guard !hooks.isEmpty else { return try await gracefulShutdown() }
        let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: Self.configuration)
        let posters = hooks.enumerated().map { index, hook in
            WebhookPoster(
                name: "hooks[\(index)]", hook: hook, queue: queue, client: client, agent: "headroom/\(version)",
                logger: logger)
        }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for poster in posters { group.addTask { await poster.run() } }
            }
        }
        try await client.shutdown()
    }

    /// A redirect is an answer like others that are no success: the operator has named the address.
    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(10))
        return configuration
    }
}
