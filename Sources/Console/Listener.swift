import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle

/// An HTTP server on one port.
package final class Listener: Service {
    private let address: NetworkAddress
    private let setting: String
    private let bound: BoundPort
    /// What `run` runs, and what tests send requests to.
    let application: Application<RouterResponder<ConsoleContext>>

    /// - Parameters:
    ///   - address: port 0 stands for any free one.
    ///   - setting: that says the address, such as `console.listen`.
    ///   - certificate: nil: plain HTTP.
    init(
        _ router: Router<ConsoleContext>, on address: NetworkAddress, setting: String,
        certificate: ServerCertificate? = nil, logger: Logger
    ) {
        let bound = BoundPort()
        self.address = address
        self.setting = setting
        self.bound = bound
        application = Application(
            router: router, server: Self.server(PeerConnections(max: ConsoleLimits.connectionsOfPeer), certificate),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: .maximum(ConsoleLimits.connections, logger: logger)),
            onServerRunning: { channel in bound.settle(.success(channel.localAddress?.port ?? address.port)) },
            logger: logger)
    }

    /// The port listened on, once it is bound.
    ///
    /// - Throws: `PortUnavailableError` where it could not be had; `CancellationError` where the waiting task was
    ///   cancelled, or the server stopped before it came to listen.
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
        return PortUnavailableError(host: address.host, port: address.port, reason: reason, setting: setting)
    }

    private static func server(_ peers: PeerConnections, _ certificate: ServerCertificate?) -> HTTPServerBuilder {
        let plain = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: channelHandlers(peers),
                idleTimeout: .seconds(ConsoleLimits.idleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: ConsoleLimits.head, maxHeaderListSize: ConsoleLimits.head,
                    maxHeaderFieldCount: ConsoleLimits.headFields)))
        guard let certificate else { return plain }
        do {
            return try .tls(plain, tlsConfiguration: certificate.configuration)
        } catch {
            preconditionFailure("the pair was tried when it was read: \(error)")
        }
    }

    /// What every connection passes through, in this order.
    static func channelHandlers(_ peers: PeerConnections) -> [any RemovableChannelHandler] {
        [PeerConnectionLimit(peers), RequestTimeout(), SlowConsumerTimeout()]
    }
}
