import ArgumentParser
import Console
import Foundation
import Gateway
import HeadroomConfiguration
import Logging
import RoadImport
import ServiceLifecycle
import Synchronization
import UnixSignals
import Webhooks

/// `headroom serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the gateway.",
        discussion: """
            SIGTERM and SIGINT stop it cleanly; SIGHUP rereads the road file, the clearances, the fences and the console's \
            certificate. A road file in use is mapped: replace it by another file, as mv and install do, and do not write into \
            it, as cp does. Without --config the defaults serve a broker on loopback. Any key of the configuration can also be set in the environment: HEADROOM_BROKER_URL.
            """)

    @OptionGroup var config: ConfigOption

    func run() async throws {
        // A broker or a browser that goes away must not end the gateway.
        signal(SIGPIPE, SIG_IGN)
        // To read the files takes minutes where roads are joined.
        let hangups = HangupSignal()
        defer { hangups.cancel() }
        var warnings: [SettingsProblem] = []
        let settings = try config.checkedSettings { warnings.append($0) }
        let logger = makeLogger(settings)
        for warning in warnings { logger.warning("\(warning)") }
        let parts = try GatewayParts(settings, keepsJoinedRoads: true, logger) { logger.warning("\($0)") }
        if parts.files.network == nil {
            logger.warning("No road file: clearances are judged by straight line, which says Possible and no more")
        }
        let (configuration, shared) = (parts.configuration, parts.shared)
        let gateway = Gateway(configuration, files: parts.files, shared: shared, logger: logger)
        hangups.handle(reload(gateway, parts.console.certificate, parts.files, settings, logger))
        let sender = WebhookSender(configuration.webhooks, shared.webhooks, version: programVersion, logger: logger)
        try await run(parts.console, gateway, sender, parts.files, settings, logger)
    }

    /// The port is bound before the gateway starts: who cannot be looked at should not run.
    private func run(
        _ console: Console, _ gateway: Gateway, _ sender: WebhookSender, _ files: GatewayFiles, _ settings: Settings,
        _ logger: Logger
    ) async throws {
        let listeners: [any Service] = [console] + [console.health].compactMap(\.self)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: listeners.map(Self.stoppingOthers), gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Self.quiet))
        do {
            async let run: Void = services.run()
            do {
                let port = try await console.port
                let address = NetworkAddress(host: settings.console.listen.host, port: port)
                logger.info(
                    "The console listens",
                    metadata: ["address": "\(settings.console.scheme)://\(address)", "port": "\(port)"])
                _ = try await console.health?.port
                await services.addServiceUnlessShutdown(Self.stoppingOthers(gateway))
                await services.addServiceUnlessShutdown(Self.stoppingOthers(sender))
                let roadCheck = RoadCheck(files: files, settings: settings)
                await services.addServiceUnlessShutdown(Self.stoppingOthers(roadCheck))
            } catch {
                // Left at once, the group would be cancelled, and the HTTP server logs that as an error.
                await services.triggerGracefulShutdown()
                try await run
                throw error
            }
            try await run
        } catch is CancellationError {
            // A signal came before the console listened: there was nothing to stop.
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError.failed("\(error)")
        }
        logger.info("Stopped")
    }

    /// A service that fails ends the others as a signal does. Cancelled they would end otherwise: the gateway's thread not
    /// at all, and the HTTP server would close a second time what is closed already, and log that as an error.
    private static func stoppingOthers(_ service: any Service) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(service: service, failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    /// What the service group logs of itself would only say twice what is said here.
    private static let quiet: Logger = {
        var logger = Logger(label: "services")
        logger.logLevel = .critical
        return logger
    }()

    private func makeLogger(_ settings: Settings) -> Logger {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "headroom")
        logger.logLevel = settings.logLevel
        return logger
    }

    /// What SIGHUP orders: the files are read anew and handed to the gateway; where one cannot be read, all stay as they are.
    /// The certificate by itself: a mistake in one has nothing to do with the others.
    private func reload(
        _ gateway: Gateway, _ certificate: ServerCertificate?, _ files: GatewayFiles, _ settings: Settings,
        _ logger: Logger
    ) -> @Sendable () -> Void {
        let inForce = Mutex(files)
        return {
            do {
                try certificate?.reload()
            } catch {
                logger.error("SIGHUP: the certificate in force stays: \(error)")
            }
            do {
                try inForce.withLock { inForce in
                    let files = try GatewayFiles(settings, keepsJoinedRoads: true, replacing: inForce) {
                        logger.warning("\($0)")
                    }
                    try files.verifyRoads(of: settings)
                    gateway.replace(files)
                    inForce = files
                    logger.info("SIGHUP: read again: \(files.summary)")
                }
            } catch {
                logger.error("SIGHUP: the files in force stay: \(error)")
            }
        }
    }
}

/// Compares the road file's checksums while the gateway already runs: opening must not wait for the disk, and a damaged
/// file must not be trusted for long.
private struct RoadCheck: Service {
    let files: GatewayFiles
    let settings: Settings

    func run() async throws {
        let (outcome, end) = AsyncThrowingStream.makeStream(of: Never.self)
        // A file of gigabytes that is not in memory takes long to read, and a stop does not wait for that.
        let thread = Thread {
            do {
                try files.verifyRoads(of: settings)
                end.finish()
            } catch {
                end.finish(throwing: error)
            }
        }
        thread.start()
        for try await _ in outcome.cancelOnGracefulShutdown() {}
        try await gracefulShutdown()
    }
}
