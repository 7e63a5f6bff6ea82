import Foundation
package import Gateway
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle

/// The gateway's HTTP server. It reads what the gateway thread writes and never holds it up.
///
/// To have the port before anything else starts, run it and wait for `port`, then start the rest:
///
///     let services = ServiceGroup(services: [console], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
///     async let run: Void = services.run()
///     _ = try await console.port
///     await services.addServiceUnlessShutdown(gateway)
///     try await run
package final class Console: Service {
    private let settings: ConsoleSettings
    private let bound: BoundPort
    /// What `run` runs, and what tests send requests to.
    let application: Application<RouterResponder<ConsoleContext>>

    /// - Parameters:
    ///   - configuration: of the gateway it is for.
    ///   - shared: of that gateway, which need not run yet.
    /// - Throws: `ConsoleSettingsError` where the tokens that are needed are missing or cannot be read, or a
    ///   document that belongs to the program is.
    package init(
        settings: ConsoleSettings, configuration: GatewayConfiguration, shared: SharedState, logger: Logger
    ) throws(ConsoleSettingsError) {
        let tokens = try Self.tokens(settings)
        let router = ConsoleRouter(
            settings: settings, tokens: tokens, configuration: configuration, shared: shared,
            descriptions: try DescriptionRoutes(), logger: logger)
        let bound = BoundPort()
        if !settings.needsToken && !settings.listen.isLoopback {
            logger.warning("The console asks nobody for a token", metadata: ["listen": "\(settings.listen.host)"])
        }
        self.settings = settings
        self.bound = bound
        application = Application(
            router: router.build(), server: Self.server(PeerConnections()),
            configuration: Self.configuration(settings, logger),
            onServerRunning: { channel in bound.settle(.success(channel.localAddress?.port ?? settings.listen.port)) },
            logger: logger)
    }

    /// The port listened on, once it is bound.
    ///
    /// - Throws: `PortUnavailableError` where it could not be had; `CancellationError` where the waiting task was
    ///   cancelled, or the console stopped before it came to listen.
    package var port: Int {
        get async throws { try await bound.value }
    }

    /// Serves until graceful shutdown, which lets answers under way end and closes idle connections.
    ///
    /// - Throws: `PortUnavailableError` where the port could not be had.
    package func run() async throws {
        do {
            try await application.run()
            bound.settle(.failure(CancellationError()))
        } catch {
            // The server throws while it binds; later failures are those of single connections, and logged.
            let failure = error is CancellationError ? error : unavailable(error)
            throw bound.settle(.failure(failure)) ? failure : error
        }
    }

    private func unavailable(_ error: any Error) -> PortUnavailableError {
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        return PortUnavailableError(host: settings.listen.host, port: settings.listen.port, reason: reason)
    }

    /// The tokens that are asked for; nil where authentication is not in force. A file that is named is read in any
    /// case, so that a mistake in it shows when it is made.
    private static func tokens(_ settings: ConsoleSettings) throws(ConsoleSettingsError) -> TokenList? {
        guard let file = settings.tokensFile else {
            if settings.needsToken { throw .tokensNeeded(host: settings.listen.host) }
            return nil
        }
        let tokens = try TokenList(file: file)
        return settings.needsToken ? tokens : nil
    }

    private static func configuration(_ settings: ConsoleSettings, _ logger: Logger) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: .hostname(settings.listen.host, port: settings.listen.port),
            availableConnectionsDelegate: .maximum(ConsoleLimits.connections, logger: logger))
    }

    private static func server(_ peers: PeerConnections) -> HTTPServerBuilder {
        .http1(
            configuration: .init(
                additionalChannelHandlers: channelHandlers(peers),
                idleTimeout: .seconds(ConsoleLimits.idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: ConsoleLimits.head, maxHeaderListSize: ConsoleLimits.head,
                    maxHeaderFieldCount: ConsoleLimits.headFields)))
    }

    /// What every connection passes through, in this order.
    static func channelHandlers(_ peers: PeerConnections) -> [any RemovableChannelHandler] {
        [PeerConnectionLimit(peers), RequestTimeout(), SlowConsumerTimeout()]
    }
}
