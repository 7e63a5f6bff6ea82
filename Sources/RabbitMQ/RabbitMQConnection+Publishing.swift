import CRabbitMQ

/// Publications whose confirmation is to come.
struct Publishing {
    let channel: RabbitMQChannel
    /// The number of the next one. The server counts them, too, from 1.
    var next: UInt64 = 1
    /// In order; a confirmation may be for one, or for all up to one.
    var unconfirmed: [UInt64] = []
}

extension RabbitMQConnection {
    /// How many publications are not confirmed.
    package var unconfirmedCount: Int { publishing?.unconfirmed.count ?? 0 }

    /// Publishes a persistent message; its `confirmed` event follows once the queues have it.
    ///
    /// Blocks where the socket takes no more, as it does while `isBlocked`: publish nothing then.
    ///
    /// - Parameters:
    ///   - exchange: must be there, or else the channel is closed and all that is not confirmed on it is unknown.
    ///   - isMandatory: whether it is to be returned where no queue is bound for it.
    /// - Returns: the number that its `confirmed` event bears.
    package func publish(
        _ payload: [UInt8], to exchange: String, key: String, headers: [String: RabbitMQValue] = [:],
        isMandatory: Bool = false
    ) throws(RabbitMQError) -> UInt64 {
        if publishing == nil { try openPublishing() }
        guard var publishing else { throw RabbitMQError(.lost, "No channel is open for publications") }
        let sequence = publishing.next
        let memory = RabbitMQMemory()
        var properties = amqp_basic_properties_t()
        properties._flags = UInt32(AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG)
        properties.delivery_mode = UInt8(AMQP_DELIVERY_PERSISTENT.rawValue)
        // A returned message bears no number of its own.
        properties.message_id = memory.bytes("\(sequence)")
        if !headers.isEmpty {
            properties._flags |= UInt32(AMQP_BASIC_HEADERS_FLAG)
            properties.headers = memory.table(headers)
        }
        let (name, routingKey, body) = (memory.bytes(exchange), memory.bytes(key), memory.bytes(payload))
        try send("Publishing with the key \(key)") {
            amqp_basic_publish(
                state, publishing.channel.number, name, routingKey, isMandatory ? 1 : 0, 0, &properties, body)
        }
        publishing.next += 1
        publishing.unconfirmed.append(sequence)
        self.publishing = publishing
        return sequence
    }

    private func openPublishing() throws(RabbitMQError) {
        let channel = try openChannel()
        amqp_confirm_select(state, channel.number)
        try check("Asking for confirmations", on: channel.number)
        publishing = Publishing(channel: channel)
    }

    func confirmations(_ method: amqp_method_t) -> [RabbitMQEvent] {
        let isTaken = method.id == amqp_method_basic_ack
        let tag: UInt64
        let isMultiple: Bool
        if isTaken {
            let ack = method.decoded.load(as: amqp_basic_ack_t.self)
            (tag, isMultiple) = (ack.delivery_tag, ack.multiple != 0)
        } else {
            let nack = method.decoded.load(as: amqp_basic_nack_t.self)
            (tag, isMultiple) = (nack.delivery_tag, nack.multiple != 0)
        }
        guard var publishing else { return [] }
        defer { self.publishing = publishing }
        // Mostly the first: quorum queues confirm in order.
        let end = publishing.unconfirmed.firstIndex { $0 > tag } ?? publishing.unconfirmed.endIndex
        let start = isMultiple ? 0 : max(0, end - 1)
        guard start < end, isMultiple || publishing.unconfirmed[start] == tag else { return [] }
        let confirmed = publishing.unconfirmed[start..<end]
        publishing.unconfirmed.removeSubrange(start..<end)
        return confirmed.map { .confirmed(sequence: $0, isTaken: isTaken) }
    }

    func returned(_ method: amqp_method_t, on channel: RabbitMQChannel) throws(RabbitMQError) -> RabbitMQEvent {
        let reason = method.decoded.load(as: amqp_basic_return_t.self).reply_text.text
        var message = amqp_message_t()
        let reply = amqp_read_message(state, channel.number, &message, 0)
        guard reply.reply_type == AMQP_RESPONSE_NORMAL else {
            isOpen = false
            throw RabbitMQError(returned: reply.library_error, by: "Receiving a returned message")
        }
        defer { amqp_destroy_message(&message) }
        return .returned(sequence: UInt64(message.properties.message_id.text) ?? 0, reason: reason)
    }
}
