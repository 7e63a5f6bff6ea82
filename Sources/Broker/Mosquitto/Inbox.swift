import CMosquitto
import MQTT

/// What libmosquitto has told and nobody has dealt with yet. The callbacks only write down; `BrokerConnection` decides.
final class Inbox {
    enum Notice {
        case connack(code: Int32, sessionPresent: Bool, ServerLimits)
        /// A return code of libmosquitto, or a reason code of the broker, which begin at 0x80.
        case disconnected(code: Int32)
        case subscribed(id: Int32, codes: [Int32])
        case published(id: Int32, ReasonCode)
    }

    private(set) var messages: [ReceivedMessage] = []
    private var messageBytes = 0
    private var notices: [Notice] = []
    /// Whether acknowledgements wait in libmosquitto's queue for messages that nobody has committed.
    var awaitsCommit = false
    /// The latest error that libmosquitto logged: where TLS fails, only the log says why.
    private(set) var lastLoggedError: String?

    var isEmpty: Bool { messages.isEmpty }

    func hasRoom(for limit: Int) -> Bool { messages.count < limit && messageBytes < Limits.inboxBytes }

    func takeMessages() -> [ReceivedMessage] {
        defer {
            messages = []
            messageBytes = 0
        }
        return messages
    }

    func takeNotices() -> [Notice] {
        guard !notices.isEmpty else { return [] }
        defer { notices = [] }
        return notices
    }

    /// Has libmosquitto call back, here. The client must not outlive this object.
    func register(with client: OpaquePointer) {
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_v5_callback_set(client) { _, context, code, flags, properties in
            Inbox.at(context).notices.append(
                .connack(code: code, sessionPresent: flags & 1 == 1, ServerLimits(properties)))
        }
        mosquitto_disconnect_v5_callback_set(client) { _, context, code, _ in
            Inbox.at(context).notices.append(.disconnected(code: code))
        }
        mosquitto_subscribe_v5_callback_set(client) { _, context, id, count, codes, _ in
            let codes = Array(UnsafeBufferPointer(start: codes, count: Int(count)))
            Inbox.at(context).notices.append(.subscribed(id: id, codes: codes))
        }
        mosquitto_publish_v5_callback_set(client) { _, context, id, code, _ in
            Inbox.at(context).notices.append(
                .published(id: id, ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))))
        }
        mosquitto_message_callback_set(client) { _, context, message in
            if let message = message?.pointee { Inbox.at(context).receive(message) }
        }
    }

    /// Has libmosquitto tell its errors too. Only while a connection comes about: it formats a line for every packet.
    func logErrors(of client: OpaquePointer) {
        lastLoggedError = nil
        mosquitto_log_callback_set(client) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            Inbox.at(context).lastLoggedError = String(cString: text)
        }
    }

    private func receive(_ message: mosquitto_message) {
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        messages.append(
            ReceivedMessage(
                topic: String(cString: message.topic), payload: Array(payload),
                qos: QoS(rawValue: UInt8(message.qos)) ?? .atMostOnce, retained: message.retain))
        messageBytes += payload.count
        // libmosquitto queues the PUBACK before it calls back (lib/handle_publish.c).
        if message.qos > 0 { awaitsCommit = true }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Inbox {
        guard let context else { preconditionFailure("libmosquitto called back without its user data") }
        return Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue()
    }
}
