extension RequestMessage {
    /// Asks for a height where none is known or the last has run out: at most once an hour, and not before a profile that
    /// is on its way has had time to arrive.
    static func due(for vehicle: inout Vehicle, _ height: EffectiveHeight, at time: Timestamp) -> RequestMessage? {
        let kind: Kind
        switch height.status {
        case .ok: return nil
        case .assumed: kind = .heightRequired
        case .stale: kind = .heightStale
        }
        guard let first = vehicle.firstFix, time.since(first) >= RuleTime.requestAfterFirstFix else { return nil }
        if let last = vehicle.requests[kind], time.since(last) < RuleTime.requestEvery { return nil }
        vehicle.requests[kind] = time
        let text =
            switch kind {
            case .heightStale: "Is the vehicle still as high as you said? Send its height again."
            default: "How high is the vehicle? Measure the highest part and send it: the legal maximum is assumed."
            }
        return RequestMessage(
            id: DerivedID.of("request", vehicle.id.text, kind.rawValue, "\(time.milliseconds)"), kind: kind, time: time,
            text: text)
    }
}
