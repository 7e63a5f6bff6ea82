import Messages

extension RequestMessage {
    /// Asks for a height where none is known or the last has run out: at most once an hour, and not before a profile that
    /// is on its way has had time to arrive.
    static func due(
        for vehicle: inout Vehicle, _ height: EffectiveHeight, _ style: TextStyle, at time: Timestamp
    ) -> RequestMessage? {
        guard height.status != .ok, let first = vehicle.firstFix, time.since(first) >= RuleTime.requestAfterFirstFix
        else { return nil }
        let kind = height.requestKind
        guard vehicle.requests.admit(RequestCause(kind), at: time) else { return nil }
        let text = style.text(kind == .heightStale ? .heightStale : .heightRequired)
        return RequestMessage(kind, of: vehicle.id, cause: kind.rawValue, at: time, text: text)
    }

    /// Answers a profile that is not used: at once, since it was just sent, and at most once an hour for one mistake.
    ///
    /// - Parameter height: which stays in force.
    static func answer(
        to refused: RefusedReport, for vehicle: inout Vehicle, _ height: EffectiveHeight, _ style: TextStyle,
        at time: Timestamp
    ) -> RequestMessage? {
        guard vehicle.requests.admit(refused, at: time) else { return nil }
        let kind = height.requestKind
        // It asks for what is missing, too.
        if height.status != .ok { _ = vehicle.requests.admit(RequestCause(kind), at: time) }
        let source = height.status == .stale ? style.text(.outOfDate, ["source": height.source]) : height.source
        let values = [
            "problem": refused.problem, "height": AlertText.height(height.height, style), "source": source,
        ]
        return RequestMessage(
            kind, of: vehicle.id, cause: refused.problem, at: time, text: style.text(.profileRefused, values))
    }

    /// - Parameter cause: tells it from others of its kind and time.
    init(_ kind: Kind, of vehicle: VehicleID, cause: String, at time: Timestamp, text: String) {
        self.init(
            id: DerivedID.of("request", vehicle.text, cause, "\(time.milliseconds)"), kind: kind, time: time,
            text: text)
    }
}

extension EffectiveHeight {
    /// What to ask for: a height, or the height again.
    fileprivate var requestKind: RequestMessage.Kind { status == .assumed ? .heightRequired : .heightStale }
}
