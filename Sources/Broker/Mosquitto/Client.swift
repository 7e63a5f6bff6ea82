import CMosquitto
import Glibc
import MQTT

/// Owns one `mosquitto *`: each method is one call, its return code checked.
final class Client {
    private let pointer: OpaquePointer
    private let settings: BrokerSettings
    let arrivals: Inbox

    /// Once in a process; it is never undone, for a client may always follow.
    private static let library: Int32 = mosquitto_lib_init()

    /// - Parameter arrivals: of a client before it, if there was one.
    init(_ settings: BrokerSettings, arrivals: Inbox = Inbox()) throws(BrokerError) {
        try settings.validate()
        try BrokerError.check(Self.library, "Starting libmosquitto")
        guard let pointer = mosquitto_new(settings.clientID, settings.cleanStart, nil) else {
            throw BrokerError(.settings, "Expected a client id, got \"\(settings.clientID)\"")
        }
        self.pointer = pointer
        self.settings = settings
        self.arrivals = arrivals
        arrivals.register(with: pointer)
        try setOptions()
        try setTLS()
        try setWill()
    }

    /// Closes the connection without a DISCONNECT, so that the broker publishes the will and keeps the session.
    deinit { mosquitto_destroy(pointer) }

    // MARK: Settings

    private func setOptions() throws(BrokerError) {
        let version = settings.protocolVersion == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        // With `threaded` nothing is sent but by `mosquitto_loop_write`: an acknowledgement waits for the commit.
        try BrokerError.check(mosquitto_threaded_set(pointer, true), "Threaded mode")
        try set(MOSQ_OPT_PROTOCOL_VERSION, version)
        try set(MOSQ_OPT_RECEIVE_MAXIMUM, Limits.receiveMaximum)
        try set(MOSQ_OPT_SEND_MAXIMUM, CInt(Limits.unacknowledged))
        // Nagle's algorithm would hold a small packet back until the broker's delayed TCP acknowledgement.
        try set(MOSQ_OPT_TCP_NODELAY, 1)
        let code = mosquitto_username_pw_set(pointer, settings.username, settings.password?.text)
        try BrokerError.check(code, "Username and password")
    }

    private func set(_ option: mosq_opt_t, _ value: CInt) throws(BrokerError) {
        try BrokerError.check(mosquitto_int_option(pointer, option, value), "Option \(option.rawValue)")
    }

    private func setTLS() throws(BrokerError) {
        guard settings.usesTLS else { return }
        let tls = settings.tls
        // Not `MOSQ_OPT_TLS_USE_OS_CERTS`: with it, libmosquitto before 2.0.12 connects once, and then never again.
        let file = tls.caFile ?? OpenSSL.trustedFile
        let directory = tls.caFile == nil ? OpenSSL.trustedDirectory : nil
        let code = mosquitto_tls_set(pointer, file, directory, tls.certFile, tls.keyFile, nil)
        try BrokerError.check(code, "TLS files")
        // 1: SSL_VERIFY_PEER. The version is the lowest that is spoken.
        try BrokerError.check(mosquitto_tls_opts_set(pointer, 1, "tlsv1.2", nil), "TLS options")
    }

    private func setWill() throws(BrokerError) {
        guard let will = settings.will else { return }
        var properties = Properties()
        if settings.protocolVersion == .v5 { try properties.add(will) }
        let list = properties.list
        let code = will.payload.withUnsafeBytes { payload in
            mosquitto_will_set_v5(
                pointer, will.topic, CInt(payload.count), payload.baseAddress, CInt(will.qos.rawValue), will.retain,
                list)
        }
        try BrokerError.check(code, "Will on \(will.topic)")
        _ = properties.release()
    }

    // MARK: Connection

    /// Connects the socket, which blocks, and queues CONNECT. `host` must be known to answer.
    func connect(host: String) throws(BrokerError) {
        var properties = Properties()
        if settings.protocolVersion == .v5 { try properties.addSessionExpiry(seconds: settings.sessionExpirySeconds) }
        arrivals.logErrors(of: pointer)
        let code = mosquitto_connect_bind_v5(
            pointer, host, CInt(settings.port), CInt(settings.keepAliveSeconds), nil, properties.list)
        if code != MOSQ_ERR_SUCCESS.rawValue { throw failure(code) }
        arrivals.awaitsCommit = false
    }

    func stopLogging() { mosquitto_log_callback_set(pointer, nil) }

    /// Queues DISCONNECT; once that is written the socket is closed.
    ///
    /// - Parameter keepsWill: whether the broker is to publish the will; MQTT 5 only.
    func disconnect(keepsWill: Bool) throws(BrokerError) {
        let reason = keepsWill ? MQTT_RC_DISCONNECT_WITH_WILL_MSG.rawValue : MQTT_RC_NORMAL_DISCONNECTION.rawValue
        try BrokerError.check(mosquitto_disconnect_v5(pointer, CInt(reason), nil), "Disconnecting")
    }

    /// The error behind a return code, with what OpenSSL said about it.
    func failure(_ code: Int32) -> BrokerError {
        let error = BrokerError(returned: code, by: "\(settings.host):\(settings.port)")
        guard error.code == .tls, let reason = arrivals.lastLoggedError else { return error }
        return BrokerError(.tls, "\(error.message) (\(reason))")
    }

    // MARK: Socket

    /// -1 where there is none.
    var socket: CInt { mosquitto_socket(pointer) }

    var wantsWrite: Bool { mosquitto_want_write(pointer) }

    /// Bytes that can be read without waiting, here or decrypted inside OpenSSL.
    var bytesToRead: Int {
        var count: CInt = 0
        guard socket >= 0, ioctl(socket, UInt(FIONREAD), &count) == 0 else { return 0 }
        return Int(count) + bytesDecrypted
    }

    /// Decrypted bytes, which no poll(2) tells of. A broker may put many packets into one TLS record, and
    /// `mosquitto_loop_read` leaves them there once the socket pair that it writes to for every PUBACK is full.
    var bytesDecrypted: Int {
        guard settings.usesTLS, let ssl = mosquitto_ssl_get(pointer) else { return 0 }
        return Int(OpenSSL.pending?(ssl) ?? 0)
    }

    /// What the broker has shown in the TLS handshake, for the caller to free.
    var peerCertificate: OpenSSL.Object? {
        guard settings.usesTLS, let ssl = mosquitto_ssl_get(pointer) else { return nil }
        return OpenSSL.peerCertificate?(ssl)
    }

    /// Reads a packet, or as many as there are unacknowledged publications: it ignores its `max_packets`.
    func read() -> Int32 { mosquitto_loop_read(pointer, 1) }

    /// Writes all that is queued, as far as the socket takes it: it too ignores its `max_packets`.
    func write() -> Int32 { mosquitto_loop_write(pointer, 1) }

    /// Sends a PINGREQ when one is due and closes the connection when its answer is not coming.
    func keepAlive() -> Int32 { mosquitto_loop_misc(pointer) }

    // MARK: Messages

    /// Queues a PUBLISH and returns its id. There must be a socket: without one it fails and queues all the same.
    func publish(_ publication: Publication) throws(BrokerError) -> Int32 {
        var properties = Properties()
        if settings.protocolVersion == .v5 { try properties.add(publication) }
        let list = properties.list
        var id: Int32 = 0
        let code = publication.payload.withUnsafeBytes { payload in
            mosquitto_publish_v5(
                pointer, &id, publication.topic, CInt(payload.count), payload.baseAddress,
                CInt(publication.qos.rawValue), publication.retain, list)
        }
        try BrokerError.check(code, "Publishing to \(publication.topic)")
        return id
    }

    /// Whether what is retained comes with a SUBSCRIBE. With MQTT 3.1.1 it always does.
    enum RetainHandling {
        /// With a new subscription, and not again with one that the session still has.
        case new
        case always

        fileprivate var options: CInt {
            switch self {
            case .new: CInt(MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue)
            case .always: CInt(MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue)
            }
        }
    }

    /// Queues a SUBSCRIBE and returns its id.
    func subscribe(_ subscription: Subscription, retained: RetainHandling) throws(BrokerError) -> Int32 {
        var id: Int32 = 0
        let code = mosquitto_subscribe_v5(
            pointer, &id, subscription.filter, CInt(subscription.qos.rawValue), retained.options, nil)
        try BrokerError.check(code, "Subscribing to \(subscription.filter)")
        return id
    }

    /// Queues one SUBSCRIBE of several filters at QoS 0 and returns its id. What is retained comes in any case. At QoS 1
    /// RabbitMQ 3.10 writes each such subscription to its disk, which takes 6 ms instead of 0.4.
    func subscribe(_ filters: [String]) throws(BrokerError) -> Int32 {
        var id: Int32 = 0
        let options = RetainHandling.always.options
        let code = withCStrings(filters) {
            mosquitto_subscribe_multiple(pointer, &id, CInt(filters.count), $0, 0, options, nil)
        }
        try BrokerError.check(code, "Subscribing to \(filters.count) topics")
        return id
    }

    /// Queues one UNSUBSCRIBE of several filters.
    func unsubscribe(_ filters: [String]) throws(BrokerError) {
        let code = withCStrings(filters) {
            mosquitto_unsubscribe_multiple(pointer, nil, CInt(filters.count), $0, nil)
        }
        try BrokerError.check(code, "Unsubscribing from \(filters.count) topics")
    }

    private func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return copies.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress!)) }
    }
}
