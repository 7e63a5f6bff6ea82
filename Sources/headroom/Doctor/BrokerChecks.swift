import Broker
import Gateway
import Messages
import MQTT
import Wire

/// Whether the broker takes and grants what the gateway needs.
///
/// Belongs to one thread.
final class BrokerChecks {
    /// In whose name is published: no fleet has a vehicle of that id.
    private static let vehicle = VehicleID("headroom-doctor")!
    /// Bytes of the largest message that a gateway must be able to publish: `regions` and states of vehicles are smaller.
    private static let packetBytesMin = 256 << 10
    /// How long it takes until a broker has sent what it retains on a few topics.
    private static let retainedMax: Duration = .seconds(1)

    private let gateway: GatewayConfiguration
    private let timeout: Duration
    private let listen: Duration
    private let mayEndSession: Bool
    private let decoder: WireDecoder
    private var results: [CheckResult] = []
    private var isProbeBack = false
    private var lags: [Double] = []
    private var brokerVersion: String?
    private var gatewayStatus: [UInt8]?

    /// - Parameters:
    ///   - timeout: for each answer.
    ///   - listen: for how long fixes are waited for.
    ///   - mayEndSession: as of `BrokerConversation`.
    init(_ gateway: GatewayConfiguration, timeout: Duration, listen: Duration, mayEndSession: Bool) {
        (self.gateway, self.timeout, self.listen) = (gateway, timeout, listen)
        self.mayEndSession = mayEndSession
        decoder = WireDecoder(pattern: gateway.pattern, inputs: gateway.inputs)
    }

    func run() -> [CheckResult] {
        let address = "\(gateway.broker.host):\(gateway.broker.port)"
        do {
            let conversation = try BrokerConversation(
                gateway.broker, name: "doctor", mayEndSession: mayEndSession, timeout: timeout)
            conversation.onMessage = { [unowned self] in receive($0) }
            try check(conversation, address)
            conversation.close()
        } catch let error as BrokerConversation.SessionKeptError {
            add("broker", .warning, "not asked: \(error.finding)", advice: error.advice)
        } catch {
            add(
                "broker", .failed, "\(address): \(error)",
                advice: "see `broker` in the configuration, and the broker's log")
        }
        return results
    }

    private func add(_ subject: String, _ status: CheckResult.Status, _ finding: String, advice: String? = nil) {
        results.append(CheckResult(subject, status, finding, advice: advice))
    }

    private func check(_ conversation: BrokerConversation, _ address: String) throws {
        let wanted = try gateway.subscriptions
        let others = [gateway.topics.status, "$SYS/broker/version"]
        try conversation.open(wanted + others.map { try Subscription($0, gateway.qos) })
        try conversation.wait(Self.retainedMax) { self.brokerVersion != nil && self.gatewayStatus != nil }
        let version = gateway.broker.protocolVersion.rawValue
        add("broker", .ok, "\(address): \(brokerVersion ?? "connected"), MQTT \(version)")
        if let end = conversation.certificateExpiry {
            results.append(FileChecks.certificate("the broker's", validUntil: end))
        }
        checkStatus()
        // What a broker does not take is not tried: to publish it would be an error here.
        guard checkLimits(conversation.serverLimits) else { return }
        try conversation.publish(probe, Array("doctor".utf8))
        try conversation.wait(timeout) { self.isProbeBack }
        checkReading(conversation, wanted)
        try checkWriting(conversation)
        guard listen > .zero else { return }
        try conversation.wait(listen) { false }
        results.append(ClockCheck.compare(lags, within: listen))
    }

    /// The topic on which a gateway sends itself messages; not one that it takes for its own.
    private var probe: String { gateway.topics.probe }

    // MARK: Rights

    private func checkReading(_ conversation: BrokerConversation, _ wanted: [Subscription]) {
        let refused = conversation.refusedFilters.filter { filter, _ in wanted.contains { $0.filter == filter } }
        for (filter, reason) in refused.sorted(by: { $0.key < $1.key }) {
            add("read", .failed, "\(filter): refused: \(reason)", advice: "allow it in the broker's access rules")
        }
        let lowered = wanted.filter {
            conversation.granted[$0.filter].map { $0.rawValue < gateway.qos.rawValue } ?? false
        }
        if let first = lowered.first {
            add(
                "read", .warning,
                "\(lowered.count) subscriptions, such as \(first.filter), are granted at a lower QoS than asked",
                advice: "messages may be lost; raise the broker's limit, or lower `fleet.qos`")
        }
        if !isProbeBack {
            add(
                "read", .failed, "a message to \(probe) did not come back within \(timeout)",
                advice:
                    "allow reading and writing of \(gateway.topics.probe) and what is below it in the broker's access rules"
            )
        } else if refused.isEmpty {
            add("read", .ok, "\(wanted.count) subscriptions granted; a message came back")
        }
    }

    /// Empty and retained on topics of a vehicle that does not exist: nothing is removed, and nothing is left.
    private func checkWriting(_ conversation: BrokerConversation) throws {
        guard gateway.broker.protocolVersion == .v5 else {
            return add("write", .warning, "not checked: under MQTT 3.1.1 a broker does not tell what it refuses")
        }
        for topic in outputs + retainedInputs { try conversation.publish(topic, [], retain: true) }
        guard try conversation.settle() else {
            return add("write", .failed, "the broker did not answer for every message within \(timeout)")
        }
        judge("write", outputs, .failed, conversation, advice: "allow it in the broker's access rules")
        judge(
            "restore", retainedInputs, .warning, conversation,
            advice: "allow it in the broker's access rules: else the gateway cannot give back what the broker may lose")
    }

    /// - Parameter status: where the broker refuses one of the topics.
    private func judge(
        _ subject: String, _ topics: [String], _ status: CheckResult.Status, _ conversation: BrokerConversation,
        advice: String
    ) {
        let refused = conversation.refusedTopics.filter { topics.contains($0.key) }
        for (topic, reason) in refused.sorted(by: { $0.key < $1.key }) {
            let general = topic.replacing(Self.vehicle.text, with: "+")
            add(subject, status, "\(general): refused: \(reason)", advice: advice)
        }
        if refused.isEmpty { add(subject, .ok, "the broker accepts messages on all \(topics.count) topics") }
    }

    /// What the gateway publishes.
    private var outputs: [String] {
        topics(of: [.alert, .event, .visit, .state, .regions, .tracking, .handling, .request])
            + entries.map { $0 + "/result" }
    }

    /// What others publish, and the gateway again where the broker has lost it.
    private var retainedInputs: [String] { topics(of: TopicSuffix.retainedInputs) + entries }

    private func topics(of suffixes: [TopicSuffix]) -> [String] {
        let levels = gateway.pattern.names.map { _ in Self.vehicle.text }
        let address = VehicleAddress(vehicle: Self.vehicle, levels: levels)
        return suffixes.compactMap { gateway.pattern.topic(for: address, $0) }
    }

    private var entries: [String] {
        [gateway.topics.fence(Self.vehicle.text), gateway.topics.clearance(Self.vehicle.text)]
    }

    // MARK: What the broker says

    /// - Returns: whether a gateway can work with them.
    private func checkLimits(_ limits: ServerLimits) -> Bool {
        let found = results.count
        if let bytes = limits.packetBytesMax, bytes < Self.packetBytesMin {
            add(
                "limits", .warning, "packets of at most \(bytes) bytes: large states and fences are refused",
                advice: "raise the broker's largest packet to \(Self.packetBytesMin) bytes (Mosquitto: max_packet_size)"
            )
        }
        if let qos = limits.qosMax, qos < Int(gateway.qos.rawValue) {
            add(
                "limits", .failed, "QoS \(qos) at most, where `fleet.qos` is \(gateway.qos.rawValue)",
                advice: "use a broker that takes it, or lower `fleet.qos`: messages may be lost then")
        }
        if limits.retains == false {
            add(
                "limits", .failed, "the broker retains no messages: fences, heights and states would be lost",
                advice: "allow retained messages (Mosquitto: retain_available)")
        }
        if limits.takesWildcards == false {
            add("limits", .failed, "the broker takes no filters with wildcards", advice: "use another broker")
        }
        if results.count == found {
            add("limits", .ok, limits.receiveMaximum.map { "\($0) messages at a time" } ?? "none that matter")
        }
        return results[found...].allSatisfy { $0.status != .failed }
    }

    private func checkStatus() {
        guard let payload = gatewayStatus, !payload.isEmpty else {
            return add("gateway", .ok, "none has said that it is here as \(gateway.broker.clientID)")
        }
        add("gateway", .ok, String(decoding: payload, as: UTF8.self))
    }

    // MARK: Messages

    private func receive(_ message: ReceivedMessage) {
        switch message.topic {
        case probe: if message.payload == Array("doctor".utf8) { isProbeBack = true }
        case gateway.topics.status: gatewayStatus = message.payload
        case "$SYS/broker/version": brokerVersion = String(decoding: message.payload.prefix(80), as: UTF8.self)
        default: note(message)
        }
    }

    private func note(_ message: ReceivedMessage) {
        guard !message.retained else { return }
        let now = Timestamp.now
        let decoded = decoder.decode(
            topic: message.topic, payload: message.payload, retained: false, receivedAt: now)
        for case .location(let fixes) in decoded.lazy.flatMap(\.reports) {
            if let newest = fixes.map(\.time).max() { lags.append(now.since(newest)) }
        }
    }
}
