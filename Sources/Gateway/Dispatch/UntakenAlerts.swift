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

    /// What a turn changes; nothing is changed here before it is committed. Asked with every turn, so that it looks through all of
    /// them only where something may have become of one.
    ///
    /// - Parameters:
    ///   - ids: of alerts that somebody takes or closes.
    ///   - acknowledging: vehicles whose drivers have acknowledged something.
    ///   - handlings: as they are after that.
    ///   - oldest: what is older goes.
    ///   - latest: of this time or before, a `stop` that nobody has answered escalates; nil: none does.
    func changes(
        _ effects: Effects, taking ids: Set<String> = [], acknowledging: Set<VehicleID> = [],
        handled handlings: Handlings = Handlings(), before oldest: Timestamp? = nil, of engine: Engine,
        escalating latest: Timestamp? = nil, at now: Timestamp
    ) -> (untaken: [UntakenAlert], taken: Set<String>) {
        func isAcknowledged(_ alert: UntakenAlert) -> Bool {
            guard alert.stage == .stop, acknowledging.contains(alert.vehicle) else { return false }
            let open = engine.vehicle(alert.vehicle)?.alerts.first { $0.id == alert.id }
            return open?.acknowledged.map { $0 >= alert.sequence } ?? false
        }
        // Of several messages of one alert the last.
        var last: [String: UntakenAlert] = [:]
        for case .alert(let message) in effects.envelopes.lazy.map(\.message)
        where message.stage == .passed || message.stage == .stop && handlings.all[message.id] == nil {
            last[message.id] = UntakenAlert(message)
        }
        var new = last.values.filter { !isAcknowledged($0) }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        guard !all.isEmpty else { return (new, []) }
        var taken = ids.filter(contains)
        if !acknowledging.isEmpty { taken.formUnion(all.filter(isAcknowledged).map(\.id)) }
        if let oldest { taken.formUnion(all.filter { $0.time < oldest }.map(\.id)) }
        let excess = all.count + new.count - Self.countMax
        if excess > 0 {
            let order = all.filter { $0.stage == .stop } + all.filter { $0.stage != .stop }
            taken.formUnion(order.prefix(excess).map(\.id))
        }
        // Taken at `stop`, and passed meanwhile: that is another matter.
        taken.subtract(new.map(\.id))
        if let latest {
            new += escalations(at: now, latest: latest).filter { last[$0.id] == nil && !taken.contains($0.id) }
        }
        return (new, taken)
    }

    private func escalations(at now: Timestamp, latest: Timestamp) -> [UntakenAlert] {
        // By their places: to hand one over to a closure copies it.
        all.indices.prefix { all[$0].time <= latest }
            .filter { all[$0].stage == .stop && all[$0].escalatedAt == nil }
            .map { index in
                var alert = all[index]
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
