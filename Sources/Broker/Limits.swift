/// Every limit of a connection, with its reason and what happens there.
enum Limits {
    /// Messages held in the inbox before the socket is read no further, unless the settings say otherwise: about a
    /// twentieth of a second at full speed. What does not fit waits in the kernel and then in the broker.
    static let inboxMessages = 4_096
    /// The same for payload bytes, so that few large messages do not fill the memory.
    static let inboxBytes = 64 << 20
    /// libmosquitto 2.0.11 keeps unacknowledged publications in a linear list: 71,000 a second pass through at 1,000
    /// of them, 13,000 at 40,000. `publish` throws there.
    static let unacknowledged = 1_000
    /// MQTT's own limit on the rest of a packet, where the broker sets no lower one. `publish` throws there.
    static let packetBytes = 268_435_455
    /// A length field of 16 bits: strings, and a will's payload.
    static let stringBytes = 65_535
    /// How many unacknowledged deliveries the broker may have under way. libmosquitto's own default is 20, and a batch
    /// would end there; what really limits is the broker's `max_inflight_messages` and the inbox.
    static let receiveMaximum: Int32 = 65_535
    /// Filters in one SUBSCRIBE that only asks for retained messages. RabbitMQ 3.10 takes 0.4 to 2 ms for each, so that one
    /// such packet holds up its connection for a fifth of a second at most.
    static let filtersAtOnce = 100
    /// What one address of several may take to answer before the next one is tried.
    static let address: Duration = .seconds(4)
    /// The keep-alive is looked at once in a pass, and the least keep-alive is 5 s.
    static let pass: Duration = .seconds(1)
}
