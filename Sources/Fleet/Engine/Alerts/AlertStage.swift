public import Messages

/// What each stage means in CAP 1.2 words, and in which order stages come.
extension AlertMessage.Stage {
    /// Stages are only published in rising order: 1 for `ahead` to 4 for both ends.
    public var rank: Int {
        switch self {
        case .ahead: 1
        case .detour: 2
        case .stop: 3
        case .cleared, .passed: 4
        }
    }

    public var isEnd: Bool { rank == 4 }

    var urgency: AlertMessage.Urgency {
        switch self {
        case .ahead: .expected
        case .detour, .stop: .immediate
        case .cleared, .passed: .past
        }
    }

    var severity: AlertMessage.Severity { self == .stop ? .extreme : .severe }

    var certainty: AlertMessage.Certainty {
        switch self {
        case .ahead, .detour, .cleared: .likely
        case .stop, .passed: .observed
        }
    }
}

extension AlertMessage {
    /// The end of an alert that came to nothing.
    static func cleared(_ alert: OpenAlert, at time: Timestamp, reason: ClearedReason) -> AlertMessage {
        var message = ended(alert, .cleared, alert.last.attention, at: time)
        message.reason = reason
        message.probability = 0
        let isSilent = reason == .standing || reason == .positionLost
        message.text = alert.text.end(isSilent ? .clearedSilent : .cleared, of: message.clearance)
        return message
    }

    /// The end of an alert whose vehicle went through.
    static func passed(_ alert: OpenAlert, at time: Timestamp) -> AlertMessage {
        // Who went under what is too low is to be looked at, whatever was expected.
        var message = ended(alert, .passed, .alarm, at: time)
        message.probability = 1
        message.text = alert.text.end(.passed, of: message.clearance)
        return message
    }

    private static func ended(
        _ alert: OpenAlert, _ stage: Stage, _ attention: Attention, at time: Timestamp
    ) -> AlertMessage {
        var message = alert.last
        let time = time.following(message)
        message.sequence += 1
        message.stage = stage
        message.time = time
        if stage == .passed { (message.distance, message.eta, message.detour) = (0, 0, message.detour?.behind) }
        message.expiresAt = time.adding(max(2 * message.eta, 600))
        message.urgency = stage.urgency
        message.severity = stage.severity
        message.attention = attention
        // As of the stages before: not certain where no road or no height is known.
        message.certainty = alert.entry != nil && attention == .alarm ? stage.certainty : .possible
        return message
    }
}

extension Timestamp {
    /// The time of an alert's next stage. A profile may raise one stage at a moment before which the fix that calls for the
    /// next was taken: what is said later bears no earlier time.
    func following(_ last: AlertMessage?) -> Timestamp { Swift.max(self, last?.time ?? self) }
}
