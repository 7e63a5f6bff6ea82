import CRabbitMQ
import Glibc

extension RabbitMQConnection {
    /// Has messages of a queue delivered, on a channel of their own: acknowledgements of one queue say nothing about others,
    /// and closing the channel gives the queue up.
    ///
    /// Where the queue has a single active consumer, that is the one that came first; another comes into its place when its
    /// channel or connection ends. RabbitMQ before 4.3 tells no consumer of AMQP 0-9-1 that it has become the active one: the
    /// first delivery says so. Nor is it told that it is no longer, but by the end of its channel or connection, and a
    /// client that was frozen hears of that late: what it writes must be refused where it writes it.
    ///
    /// - Parameters:
    ///   - prefetch: so many messages at most are delivered and not acknowledged; 1 to 65,535.
    ///   - tag: how the server names the consumer.
    package func consume(_ queue: String, prefetch: Int, tag: String) throws(RabbitMQError) -> RabbitMQChannel {
        let channel = try openChannel()
        let memory = RabbitMQMemory()
        amqp_basic_qos(state, channel.number, 0, UInt16(prefetch), 0)
        try check("Setting the prefetch of \(queue)", on: channel.number)
        amqp_basic_consume(
            state, channel.number, memory.bytes(queue), memory.bytes(tag), 0, 0, 0, memory.table([:]))
        try check("Consuming \(queue)", on: channel.number)
        return channel
    }

    /// Acknowledges all messages of the channel up to that tag. It leaves at once.
    package func acknowledge(upTo tag: UInt64, on channel: RabbitMQChannel) throws(RabbitMQError) {
        try send("Acknowledging") { amqp_basic_ack(state, channel.number, tag, 1) }
    }

    /// Returns what has happened, and waits for something to happen, at most `timeout`.
    ///
    /// - Parameter limit: so many events at most are returned; the others come with the next call.
    /// - Throws: `lost`. What was returned before stays true.
    package func poll(timeout: Duration, limit: Int = 1_000) throws(RabbitMQError) -> [RabbitMQEvent] {
        guard isOpen else { throw RabbitMQError(.lost, "The connection is closed") }
        var events: [RabbitMQEvent] = []
        let wait = isSomethingRead ? .zero : timeout
        var next: Duration = wait
        while events.count < limit, let found = try nextEvents(timeout: next) {
            events += found
            next = .zero
        }
        return events
    }

    private var isSomethingRead: Bool { amqp_frames_enqueued(state) != 0 || amqp_data_in_buffer(state) != 0 }

    /// Nil: nothing came in time. Heartbeats are sent and looked for meanwhile.
    private func nextEvents(timeout: Duration) throws(RabbitMQError) -> [RabbitMQEvent]? {
        // It searches all frames that are read and wait, for each channel: with eight queues that took nearly all the time.
        if amqp_frames_enqueued(state) == 0 { amqp_maybe_release_buffers(state) }
        var envelope = amqp_envelope_t()
        var time = timeout.timeval
        let reply = amqp_consume_message(state, &envelope, &time, 0)
        if reply.reply_type == AMQP_RESPONSE_NORMAL {
            defer { amqp_destroy_envelope(&envelope) }
            return [.delivered(RabbitMQDelivery(envelope))]
        }
        guard reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION else {
            isOpen = false
            throw closing(reply.reply, "Receiving")
        }
        switch reply.library_error {
        case AMQP_STATUS_TIMEOUT.rawValue: return nil
        // Something else than a delivery has come, and stays to be read.
        case AMQP_STATUS_UNEXPECTED_STATE.rawValue: return try otherEvents()
        default:
            isOpen = false
            throw RabbitMQError(returned: reply.library_error, by: "Receiving")
        }
    }

    private func otherEvents() throws(RabbitMQError) -> [RabbitMQEvent] {
        var frame = amqp_frame_t()
        var now = Duration.zero.timeval
        let code = amqp_simple_wait_frame_noblock(state, &frame, &now)
        if code == AMQP_STATUS_TIMEOUT.rawValue { return [] }
        guard code == AMQP_STATUS_OK.rawValue else {
            isOpen = false
            throw RabbitMQError(returned: code, by: "Receiving")
        }
        // What belongs to a message was dropped with its channel.
        guard frame.frame_type == UInt8(AMQP_FRAME_METHOD) else { return [] }
        return try events(of: frame.payload.method, on: RabbitMQChannel(number: frame.channel))
    }

    private func events(
        of method: amqp_method_t, on channel: RabbitMQChannel
    ) throws(RabbitMQError) -> [RabbitMQEvent] {
        switch method.id {
        case amqp_method_basic_ack, amqp_method_basic_nack: return confirmations(method)
        case amqp_method_basic_return: return [try returned(method, on: channel)]
        case amqp_method_basic_cancel: return [.cancelled(channel)]
        case amqp_method_connection_blocked:
            isBlocked = true
            let reason = method.decoded.load(as: amqp_connection_blocked_t.self).reason.text
            return [.blocked(reason: reason)]
        case amqp_method_connection_unblocked:
            isBlocked = false
            return [.unblocked]
        case amqp_method_channel_close:
            let error = closing(method, "RabbitMQ closed a channel")
            try answerClosing(channel.number)
            return [.closed(channel, error)]
        case amqp_method_connection_close: throw closing(method, "RabbitMQ closed the connection")
        default: return []
        }
    }

    /// Runs what librabbitmq writes to the socket.
    func send(_ action: String, _ call: () -> CInt) throws(RabbitMQError) {
        guard isOpen else { throw RabbitMQError(.lost, "The connection is closed") }
        do { try RabbitMQError.check(call(), action) } catch {
            isOpen = false
            throw error
        }
    }
}

extension RabbitMQDelivery {
    fileprivate init(_ envelope: amqp_envelope_t) {
        let properties = envelope.message.properties
        let hasHeaders = properties._flags & UInt32(AMQP_BASIC_HEADERS_FLAG) != 0
        self.init(
            channel: RabbitMQChannel(number: envelope.channel), tag: envelope.delivery_tag,
            routingKey: envelope.routing_key.text, payload: envelope.message.body.array,
            headers: hasHeaders ? properties.headers.texts : [:], isRedelivered: envelope.redelivered != 0)
    }
}
