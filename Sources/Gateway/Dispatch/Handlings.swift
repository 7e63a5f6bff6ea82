import Fleet
import Messages
import Store
import Wire

/// Which alerts dispatchers see to: each from its taking until it is closed or the alert ends. One that is taken after its
/// end, as a passed bridge, until it is closed.
struct Handlings: Sendable {
    /// The most there are at once: nobody sees to more.
    static let countMax = 1_000

    /// By alert.
    private(set) var all: [String: Handling] = [:]
    private var revision = 0

    init() {}

    /// - Parameter entries: the last of each alert, in the order of their revisions.
    init(_ entries: [HistoryEntry]) {
        for handling in entries.compactMap({ Handling(payload: $0.payload) }) { set(handling) }
    }

    /// What a dispatcher wants.
    ///
    /// - Parameters:
    ///   - isOpen: whether the alert is open.
    ///   - isUntaken: whether somebody has to take it.
    mutating func take(
        _ request: HandlingRequest, isOpen: Bool, isUntaken: Bool, at now: Timestamp
    ) -> HandlingOutcome {
        let current = all[request.alert]
        guard request.isExpected(current?.revision) else { return .changed }
        guard isOpen || isUntaken || current != nil else { return .unknown }
        guard current != nil || all.count < Self.countMax else { return .full }
        let isSameHand = current?.by == request.by
        let handling = Handling(
            alert: request.alert, vehicle: request.vehicle, status: request.status, by: request.by, note: request.note,
            takenAt: isSameHand ? current?.takenAt ?? now : now, time: now, revision: revision + 1,
            isAlertOpen: isOpen)
        set(handling)
        return .stored(handling)
    }

    /// The alert of a message has ended.
    ///
    /// - Returns: what is to be kept of that; nil where nobody has taken it while it was open.
    mutating func end(with message: AlertMessage, at now: Timestamp) -> Handling? {
        guard var handling = all[message.id], handling.isAlertOpen else { return nil }
        handling.status = .ended
        handling.isAlertOpen = false
        handling.time = now
        handling.revision = revision + 1
        set(handling)
        return handling
    }

    /// Forgets those of some vehicles, and those of ended alerts that are older than that.
    mutating func remove(_ vehicles: Set<VehicleID>, before oldest: Timestamp?) {
        guard !all.isEmpty, !vehicles.isEmpty || oldest != nil else { return }
        all = all.filter { _, handling in
            !vehicles.contains(handling.vehicle)
                && (handling.isAlertOpen || oldest.map { handling.time >= $0 } ?? true)
        }
    }

    /// Those of a vehicle's open alerts, the oldest first.
    func ofOpenAlerts(_ vehicle: VehicleID) -> [Handling] {
        all.values.filter { $0.vehicle == vehicle && $0.isAlertOpen }
            .sorted { ($0.takenAt, $0.alert) < ($1.takenAt, $1.alert) }
    }

    private mutating func set(_ handling: Handling) {
        revision = max(revision, handling.revision)
        all[handling.alert] = handling.status == .taken ? handling : nil
    }
}

extension HistoryEntry {
    init(_ handling: Handling) {
        self.init(
            id: handling.alert, sequence: handling.revision, vehicle: handling.vehicle, type: .handling,
            time: handling.time, payload: JSONWriter.object { $0.members(of: handling) })
    }

    /// A driver has acknowledged a message of an alert.
    init(acknowledgementOf alert: String, sequence: Int, by vehicle: VehicleID, at time: Timestamp) {
        let payload = JSONWriter.object { writer in
            writer.member("id", alert)
            writer.member("sequence", sequence)
            writer.member("type", "acknowledgement")
            writer.member("vehicle", vehicle.text)
            writer.member("time", time)
        }
        self.init(
            id: alert, sequence: sequence, vehicle: vehicle, type: .acknowledgement, time: time, payload: payload)
    }
}
