import CRabbitMQ
import Glibc

/// A connection to RabbitMQ over librabbitmq. For one thread at a time, which must call `poll` more often than
/// `heartbeatSeconds`.
///
/// One that publishes should not consume: a server that is short of memory or disk reads nothing more from a connection
/// that has published, acknowledgements neither, and these are what would give it room again.
package final class RabbitMQConnection {
    /// For declarations and questions; a failed one closes it.
    static let control: UInt16 = 1

    let state: OpaquePointer
    let settings: RabbitMQSettings
    private var lastChannel = control
    var publishing: Publishing?
    /// Whether the server takes no publications for now.
    package internal(set) var isBlocked = false
    /// False from the first error on that ends the connection.
    package internal(set) var isOpen = false

    /// Connects, which blocks up to three times `timeout`, and as long as the system looks a name up.
    package init(_ settings: RabbitMQSettings, password: String) throws(RabbitMQError) {
        self.settings = settings
        state = amqp_new_connection()
        try openSocket()
        try logIn(password)
        isOpen = true
        try open(Self.control)
    }

    /// Closes the socket without a word where `close` was not called.
    deinit { amqp_destroy_connection(state) }

    /// Readable when something has come; `poll` is to be called before the first wait, since messages may be read already.
    package var descriptor: CInt { amqp_get_sockfd(state) }

    /// Takes leave of the server: what is not acknowledged is delivered to others at once.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        _ = amqp_connection_close(state, CInt(AMQP_REPLY_SUCCESS))
    }

    // MARK: Connecting

    private func openSocket() throws(RabbitMQError) {
        guard let socket = settings.tls == nil ? amqp_tcp_socket_new(state) : amqp_ssl_socket_new(state) else {
            throw RabbitMQError(.unreachable, "librabbitmq has no memory for a socket")
        }
        if let tls = settings.tls { try set(tls, on: socket) }
        var time = settings.timeout.timeval
        let code = amqp_socket_open_noblock(socket, settings.host, CInt(settings.port), &time)
        guard code != AMQP_STATUS_OK.rawValue else { return }
        var error = RabbitMQError(returned: code, by: "\(settings.host):\(settings.port)")
        if error.kind == .lost { error.kind = .unreachable }
        throw error
    }

    private func set(_ tls: RabbitMQSettings.TLS, on socket: OpaquePointer) throws(RabbitMQError) {
        func require(_ code: CInt, _ file: String) throws(RabbitMQError) {
            if code != AMQP_STATUS_OK.rawValue { throw RabbitMQError(.settings, "\(file) cannot be read") }
        }
        try require(amqp_ssl_socket_set_cacert(socket, tls.caFile), tls.caFile)
        if let certFile = tls.certFile, let keyFile = tls.keyFile {
            try require(amqp_ssl_socket_set_key(socket, certFile, keyFile), "\(certFile) or \(keyFile)")
        }
        amqp_ssl_socket_set_verify_peer(socket, 1)
        amqp_ssl_socket_set_verify_hostname(socket, 1)
        _ = amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST)
    }

    private func logIn(_ password: String) throws(RabbitMQError) {
        var time = settings.timeout.timeval
        amqp_set_handshake_timeout(state, &time)
        amqp_set_rpc_timeout(state, &time)
        let memory = RabbitMQMemory()
        // What librabbitmq does not say of itself that it can do, the server does not do.
        let capabilities: [String: RabbitMQValue] = [
            "connection.blocked": .truth(true), "consumer_cancel_notify": .truth(true),
            "publisher_confirms": .truth(true), "exchange_exchange_bindings": .truth(true), "basic.nack": .truth(true),
        ]
        var properties = memory.table(["capabilities": .table(capabilities)])
        let reply = amqp_login_plain(
            state, settings.virtualHost, CInt(settings.heartbeatSeconds), &properties, settings.user, password)
        guard var error = error(in: reply, "Logging in as \(settings.user)") else { return }
        // The server says so, or closes the connection.
        if error.kind == .lost, reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION { error.kind = .refused }
        if error.kind == .lost { error.kind = .unreachable }
        throw error
    }

    // MARK: Channels

    func open(_ number: UInt16) throws(RabbitMQError) {
        amqp_channel_open(state, number)
        try check("Opening channel \(number)")
    }

    func openChannel() throws(RabbitMQError) -> RabbitMQChannel {
        lastChannel += 1
        try open(lastChannel)
        return RabbitMQChannel(number: lastChannel)
    }

    /// Has the server close the channel: what was delivered on it and not acknowledged goes to the queue's next consumer,
    /// and what is read of it already is dropped.
    package func close(_ channel: RabbitMQChannel) throws(RabbitMQError) {
        let reply = amqp_channel_close(state, channel.number, CInt(AMQP_REPLY_SUCCESS))
        if let error = error(in: reply, "Closing a channel") { throw error }
        amqp_maybe_release_buffers_on_channel(state, channel.number)
    }

    /// Acknowledges that the server closed it.
    func answerClosing(_ number: UInt16) throws(RabbitMQError) {
        var answer = amqp_channel_close_ok_t()
        try RabbitMQError.check(
            amqp_send_method(state, number, amqp_method_channel_close_ok, &answer), "Closing a channel")
        if number == Self.control { try open(number) }
    }

    // MARK: Answers

    /// Throws where the last call, which was made on that channel, was not answered as it should be.
    func check(_ action: @autoclosure () -> String, on channel: UInt16 = control) throws(RabbitMQError) {
        let reply = amqp_get_rpc_reply(state)
        guard reply.reply_type != AMQP_RESPONSE_NORMAL, let error = error(in: reply, action()) else { return }
        if case .channel = error.kind { try answerClosing(channel) }
        throw error
    }

    /// Nil: it is none of a failure.
    private func error(in reply: amqp_rpc_reply_t, _ action: String) -> RabbitMQError? {
        switch reply.reply_type {
        case AMQP_RESPONSE_NORMAL: return nil
        case AMQP_RESPONSE_LIBRARY_EXCEPTION:
            isOpen = false
            return RabbitMQError(returned: reply.library_error, by: action)
        default: return closing(reply.reply, action)
        }
    }

    /// What the server says in closing a channel or the connection.
    func closing(_ method: amqp_method_t, _ action: String) -> RabbitMQError {
        if method.id == amqp_method_channel_close {
            let closing = method.decoded.load(as: amqp_channel_close_t.self)
            return RabbitMQError(.channel(code: Int(closing.reply_code)), "\(action): \(closing.reply_text.text)")
        }
        isOpen = false
        guard method.id == amqp_method_connection_close else { return RabbitMQError(.lost, "\(action): no answer") }
        let close = method.decoded.load(as: amqp_connection_close_t.self)
        return RabbitMQError(
            Int(close.reply_code) == Int(AMQP_INTERNAL_ERROR) ? .serverFailed : .lost,
            "\(action): \(close.reply_text.text)")
    }
}

extension Duration {
    var timeval: Glibc.timeval {
        let time = max(self, .zero).components
        return Glibc.timeval(tv_sec: Int(time.seconds), tv_usec: Int(time.attoseconds / 1_000_000_000_000))
    }
}
