package import Gateway
package import Hummingbird
package import Logging
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
    private let listener: Listener
    /// Answers the health checks and metrics alone, on a port of its own, so that nothing that happens to the console's
    /// connections keeps a supervisor from its answer; nil where none is set. A service beside the console.
    package let health: Listener?
    /// Nil: the console speaks plain HTTP.
    package let certificate: ServerCertificate?
    /// What tests send requests to.
    package var application: Application<RouterResponder<ConsoleContext>> { listener.application }

    /// - Parameters:
    ///   - configuration: of the gateway it is for.
    ///   - shared: of that gateway, which need not run yet.
    /// - Throws: `ConsoleSettingsError` where the tokens or the certificate that are needed are missing or cannot be read, or a
    ///   document that belongs to the program is.
    package init(
        settings: ConsoleSettings, configuration: GatewayConfiguration, shared: SharedState, logger: Logger
    ) throws(ConsoleSettingsError) {
        let tokens = try Self.tokens(settings)
        var certificate: ServerCertificate?
        if let files = settings.tls { certificate = try ServerCertificate(files) }
        self.certificate = certificate
        let router = ConsoleRouter(
            settings: settings, tokens: tokens, configuration: configuration, shared: shared,
            descriptions: try DescriptionRoutes(), logger: logger)
        if !settings.needsToken && !settings.listen.isLoopback {
            logger.warning("The console asks nobody for a token", metadata: ["listen": "\(settings.listen.host)"])
        }
        listener = Listener(
            router.build(), on: settings.listen, setting: "console.listen", certificate: certificate, logger: logger)
        health = settings.health.map { address in
            Listener(router.buildHealth(), on: address, setting: "console.health", logger: logger)
        }
    }

    /// The port listened on, once it is bound.
    ///
    /// - Throws: `PortUnavailableError` where it could not be had; `CancellationError` where the waiting task was
    ///   cancelled, or the console stopped before it came to listen.
    package var port: Int {
        get async throws { try await listener.port }
    }

    /// Serves until graceful shutdown, which lets answers under way end and closes idle connections.
    ///
    /// - Throws: `PortUnavailableError` where the port could not be had.
    package func run() async throws { try await listener.run() }

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
}
