package import Messages
package import MQTT

/// Turns the engine's messages into topics, payloads and how to deliver them. The same envelope and time give the same
/// bytes.
package struct WireEncoder: Sendable {
    /// A week: whoever comes back from a holiday still learns what holds, and what nobody keeps up goes away.
    package static let stateExpirySeconds: UInt32 = 7 * 86_400
    /// Half a day: a route is driven within a shift.
    package static let routeCheckExpirySeconds: UInt32 = 43_200

    private let pattern: TopicPattern

    package init(pattern: TopicPattern = .standard) {
        self.pattern = pattern
    }

    /// Nil where the vehicle was last heard under another topic pattern, so that it has no topic now.
    package func encode(_ envelope: Envelope, publishedAt: Timestamp) -> Publication? {
        let (message, vehicle) = (envelope.message, envelope.address.vehicle)
        guard let topic = pattern.topic(for: envelope.address, message.topicSuffix) else { return nil }
        let payload = JSONWriter.object { writer in
            switch message {
            case .alert(let alert): writer.members(of: alert, publishedAt: publishedAt)
            case .routeCheck(let check): writer.members(of: check, vehicle, publishedAt: publishedAt)
            case .event(let event): writer.members(of: event, vehicle, publishedAt: publishedAt)
            case .visit(let visit): writer.members(of: visit, vehicle, publishedAt: publishedAt)
            case .state(let state): writer.members(of: state, vehicle, publishedAt: publishedAt)
            case .regions(let regions): writer.members(of: regions, vehicle, publishedAt: publishedAt)
            case .tracking(let tracking): writer.members(of: tracking, vehicle, publishedAt: publishedAt)
            case .request(let request): writer.members(of: request, vehicle, publishedAt: publishedAt)
            }
        }
        return Publication(
            topic: topic, json: payload, retain: message.isRetained,
            expirySeconds: message.expirySeconds(publishedAt: publishedAt), userProperties: message.userProperties)
    }

    /// Who of dispatch sees to which of a vehicle's open alerts; none: takes back what was said before.
    ///
    /// Nil where the vehicle was last heard under another topic pattern.
    package func encode(
        _ handlings: [Handling], of address: VehicleAddress, publishedAt: Timestamp
    ) -> Publication? {
        guard let topic = pattern.topic(for: address, .handling) else { return nil }
        guard let last = handlings.max(by: { $0.revision < $1.revision }) else { return .withdrawal(topic) }
        let payload = JSONWriter.object {
            $0.members(of: handlings, address.vehicle, last: last, publishedAt: publishedAt)
        }
        return Publication(
            topic: topic, json: payload, retain: true, expirySeconds: Self.stateExpirySeconds,
            userProperties: [.init("type", "handling")])
    }

    /// Takes back what is retained about vehicles of which nothing may be kept any more.
    package func withdrawals(after effects: Effects) -> [Publication] {
        let asked = Set(effects.erasures.map(\.address))
        return effects.forgotten.flatMap { address in
            withdrawals(
                address, asked.contains(address) ? TopicSuffix.withdrawnByForgetting : TopicSuffix.withdrawnWithConsent)
        }
    }

    /// Takes back what is retained under addresses that vehicles no longer have.
    ///
    /// - Parameter current: where a vehicle is now, by its last fix; nil: it is not kept.
    package func withdrawals(
        from left: [VehicleAddress], besides current: (VehicleID) -> VehicleAddress?
    ) -> [Publication] {
        left.filter { left in current(left.vehicle).map { !$0.hasLevels(of: left) } ?? true }
            .flatMap { withdrawals($0, TopicSuffix.retainedOutputs) }
    }

    /// Takes back what is retained about a vehicle. None where it was last heard under another topic pattern.
    package func withdrawals(_ address: VehicleAddress, _ topicSuffixes: [TopicSuffix]) -> [Publication] {
        topicSuffixes.compactMap { pattern.topic(for: address, $0) }.map(Publication.withdrawal)
    }
}

extension Message {
    fileprivate var topicSuffix: TopicSuffix {
        switch self {
        case .alert, .routeCheck: .alert
        case .event: .event
        case .visit: .visit
        case .state: .state
        case .regions: .regions
        case .tracking: .tracking
        case .request: .request
        }
    }

    fileprivate var isRetained: Bool {
        switch self {
        case .state, .regions, .tracking: true
        case .alert, .routeCheck, .event, .visit, .request: false
        }
    }

    func expirySeconds(publishedAt: Timestamp) -> UInt32? {
        switch self {
        // MQTT has whole seconds; 0 would mean that it is never delivered.
        case .alert(let alert): UInt32(clamping: max(1, Int(alert.expiresAt.since(publishedAt).rounded(.up))))
        case .routeCheck: WireEncoder.routeCheckExpirySeconds
        case .state, .regions, .tracking: WireEncoder.stateExpirySeconds
        case .event, .visit, .request: nil
        }
    }

    fileprivate var userProperties: [UserProperty] {
        switch self {
        case .alert(let alert):
            [
                .init("type", "low-clearance"), .init("stage", alert.stage.rawValue),
                .init("attention", alert.attention.rawValue),
            ]
        case .routeCheck: [.init("type", "route-check")]
        case .event(let event): [.init("type", "fence"), .init("event", event.event.rawValue)]
        case .visit(let visit): [.init("type", "visit"), .init("phase", visit.phase.rawValue)]
        case .state: [.init("type", "state")]
        case .regions: [.init("type", "regions")]
        case .tracking: [.init("type", "tracking")]
        case .request: [.init("type", "request")]
        }
    }
}
