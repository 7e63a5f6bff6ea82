package import Messages
package import Store

/// Why there is no report.
package enum ReportError: Error, CustomStringConvertible {
    case tooMany(limit: Int)

    package var description: String {
        switch self {
        case .tooMany(let limit):
            "expected at most \(limit) alert messages, and changes of blind spots, in that time, got more; narrow it"
        }
    }
}

/// What the store has of a span of time.
struct ReportHistory {
    fileprivate static let pageSize = 1_000
    /// Seconds after the span in which it is looked up what became of its alerts.
    fileprivate static let followed: Double = 7 * 86_400

    /// By id, those whose first message is of that time, with its entry.
    var alerts: [String: (alert: ReportedAlert, entry: HistoryEntry)] = [:]
    var messages: [AlertMessage.Stage: Int] = [:]
    var passes: [FleetReport.Pass] = []
    var blind: [VehicleID: BlindTime] = [:]
    var unreadable = 0

    fileprivate mutating func add(_ entry: HistoryEntry) {
        guard let message = AlertPayload(entry) else {
            unreadable += 1
            return
        }
        messages[message.stage, default: 0] += 1
        if message.stage == .passed {
            passes.append(
                FleetReport.Pass(
                    time: entry.time, vehicle: entry.vehicle, alert: entry.id,
                    bridge: FleetReport.Bridge(message.clearance)))
        }
        if message.sequence == 1 { alerts[entry.id] = (ReportedAlert(message), entry) }
        alerts[entry.id]?.alert.add(message)
    }

    /// A message behind the span.
    fileprivate mutating func follow(_ entry: HistoryEntry) {
        guard alerts[entry.id] != nil, let message = AlertPayload(entry) else { return }
        alerts[entry.id]?.alert.add(message)
    }

    fileprivate var vehiclesWithOpenAlerts: Set<VehicleID> {
        Set(alerts.values.filter { !$0.alert.hasEnded }.map(\.entry.vehicle))
    }

    fileprivate mutating func note(_ response: HistoryEntry) {
        if response.type == .acknowledgement {
            alerts[response.id]?.alert.isAcknowledged = true
        } else {
            alerts[response.id]?.alert.isTaken = true
        }
    }
}

extension StoreReader {
    /// What happened in a span of time.
    ///
    /// - Parameters:
    ///   - now: blind time ends then, if the span does not end before.
    ///   - limit: of alert messages, and of changes of blind spots; each takes some 50 µs.
    /// - Throws: `StoreError`, `ReportError`.
    package func report(_ span: Range<Timestamp>, at now: Timestamp, limit: Int) throws -> FleetReport {
        var history = ReportHistory()
        try each(.alert, span, limit: limit) { history.add($0) }
        for type in [HistoryEntry.Kind.acknowledgement, .handling] {
            try each(type, span, limit: limit) { history.note($0) }
        }
        if span.upperBound < now { try follow(&history, after: span.upperBound, limit: limit) }
        let past = span.clamped(to: .distantPast..<max(now, span.lowerBound))
        guard let changes = try blindSpotChanges(in: past, limit: limit) else {
            throw ReportError.tooMany(limit: limit)
        }
        history.blind = BlindTime.times(changes, in: past)
        return FleetReport(span, history)
    }

    /// Adds what became of the alerts after the span.
    private func follow(_ history: inout ReportHistory, after end: Timestamp, limit: Int) throws {
        let span = end..<end.adding(ReportHistory.followed)
        for vehicle in history.vehiclesWithOpenAlerts.sorted() {
            try each(.alert, of: vehicle, span, limit: limit) { history.follow($0) }
            // None comes after an alert's end.
            try each(.acknowledgement, of: vehicle, span, limit: limit) { history.note($0) }
        }
        try each(.handling, span, limit: limit) { history.note($0) }
    }

    func each(
        _ type: HistoryEntry.Kind, of vehicle: VehicleID? = nil, _ span: Range<Timestamp>, limit: Int,
        _ body: (HistoryEntry) -> Void
    ) throws {
        var (cursor, count): (HistoryCursor?, Int) = (nil, 0)
        repeat {
            let page = try history(
                type: type, vehicle: vehicle, from: span.lowerBound, to: span.upperBound,
                limit: ReportHistory.pageSize, after: cursor)
            count += page.entries.count
            guard count <= limit else { throw ReportError.tooMany(limit: limit) }
            page.entries.forEach(body)
            cursor = page.next
        } while cursor != nil
    }
}
