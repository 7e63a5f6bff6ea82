import Fleet
import Messages
import Store

/// The alerts that dispatch has to take: each that ended `passed`, and each at `stop` that its driver has not acknowledged, also
/// after it has ended.
struct UntakenAlerts {
    /// The most there are at once: nobody goes through more by hand, and a gateway that nobody looks at must not grow. Beyond,
    /// the oldest at `stop` go, and after them the oldest that passed.
    static let countMax = 1_000

    /// The oldest first.
    private(set) var all: [UntakenAlert] = []

    init(_ all: [UntakenAlert] = []) { self.all = all }

    func contains(_ id: String) -> Bool { all.contains { $0.id == id } }

    /// What a turn changes; nothing is changed here before it is committed.
    ///
    /// - Parameters:
    ///   - ids: of alerts that somebody takes or closes.
    ///   - handlings: as they are after that.
    ///   - oldest: what is older goes.
    ///   - latest: of this time or before, a `stop` that nobody has answered escalates; nil: none does.
    func changes(
        _ effects: Effects, taking ids: Set<String> = [], handled handlings: Handlings = Handlings(),
        before oldest: Timestamp? = nil, of engine: Engine, escalating latest: Timestamp? = nil, at now: Timestamp
    ) -> (untaken: [UntakenAlert], taken: Set<String>) {
        // Of several messages of one alert the last.
        var last: [String: UntakenAlert] = [:]
        for case .alert(let message) in effects.envelopes.lazy.map(\.message)
        where message.stage == .passed || message.stage == .stop && handlings.all[message.id] == nil {
            last[message.id] = UntakenAlert(message)
        }
        var new = last.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        guard !all.isEmpty else { return (new, []) }
        var taken = ids.filter(contains)
        for alert in all where alert.stage == .stop && effects.changed.contains(alert.vehicle) {
            let open = engine.vehicle(alert.vehicle)?.alerts.first { $0.id == alert.id }
            if let acknowledged = open?.acknowledged, acknowledged >= alert.sequence { taken.insert(alert.id) }
        }
        if let oldest { taken.formUnion(all.filter { $0.time < oldest }.map(\.id)) }
        let excess = max(0, all.count + new.count - Self.countMax)
        taken.formUnion((all.filter { $0.stage == .stop } + all.filter { $0.stage != .stop }).prefix(excess).map(\.id))
        // Taken at `stop`, and passed meanwhile: that is another matter.
        taken.subtract(new.map(\.id))
        if let latest {
            new += escalations(at: now, latest: latest).filter { last[$0.id] == nil && !taken.contains($0.id) }
        }
        return (new, taken)
    }

    private func escalations(at now: Timestamp, latest: Timestamp) -> [UntakenAlert] {
        all.filter { $0.stage == .stop && $0.escalatedAt == nil && $0.time <= latest }.map { alert in
            var alert = alert
            alert.escalatedAt = now
            return alert
        }
    }

    /// The batch is on the disk.
    mutating func note(_ batch: StoreBatch) {
        guard !batch.untaken.isEmpty || !batch.taken.isEmpty || !batch.removed.isEmpty else { return }
        let gone = batch.taken.union(batch.untaken.map(\.id))
        all.removeAll { gone.contains($0.id) || batch.removed.contains($0.vehicle) }
        all += batch.untaken
        all.sort { ($0.time, $0.id) < ($1.time, $1.id) }
    }
}
