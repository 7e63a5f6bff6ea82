import CMosquitto
import Glibc

/// The end of a connection that the broker can hear.
///
/// libmosquitto closes its socket as soon as DISCONNECT is written. Where something unread has come in meanwhile, the
/// kernel then resets the connection, and the broker, which sees the reset first, publishes the will. A duplicate of the
/// descriptor keeps the connection open until the broker has closed it.
struct GracefulDisconnect {
    private let client: Client
    private let line: CInt
    private let version: BrokerSettings.ProtocolVersion

    init(_ client: Client, _ version: BrokerSettings.ProtocolVersion) {
        self.client = client
        self.version = version
        line = dup(client.socket)
    }

    /// - Parameter keepsWill: whether the broker is to publish the will, as for one that ends without a word.
    func say(keepsWill: Bool, until deadline: ContinuousClock.Instant) {
        defer { close(line) }
        // Before MQTT 5 only one that ends without a word has its will published.
        guard !keepsWill || version == .v5 else {
            shutdown(line, CInt(SHUT_RDWR))
            return
        }
        guard (try? client.disconnect(keepsWill: keepsWill)) != nil else { return }
        while client.socket >= 0, client.write() == MOSQ_ERR_SUCCESS.rawValue, client.socket >= 0 {
            guard wait(for: POLLOUT, until: deadline) else { break }
        }
        shutdown(line, CInt(SHUT_WR))
        drain(until: deadline)
    }

    /// Throws away what still comes in: it was not acknowledged, so it comes again.
    private func drain(until deadline: ContinuousClock.Instant) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while wait(for: POLLIN, until: deadline), read(line, &bytes, bytes.count) > 0 {}
    }

    /// Whether `line` was ready in time.
    private func wait(for events: CInt, until deadline: ContinuousClock.Instant) -> Bool {
        var descriptor = pollfd(fd: line, events: Int16(events), revents: 0)
        return poll(&descriptor, 1, ContinuousClock.now.duration(to: deadline).pollMilliseconds) > 0
    }
}
