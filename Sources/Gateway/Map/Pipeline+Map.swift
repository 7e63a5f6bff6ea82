import Fleet

/// What follows from the map, which other threads make.
extension Pipeline {
    /// Who was told that a changed clearance is in force finds it so, on all but large maps; there the map before is shown after this.
    private static let mapWaitMax: Duration = .milliseconds(500)

    /// While hazards are made for the vehicles that were taken up, at a start or with shards that have joined, their messages wait where
    /// they are, and nothing is acknowledged; for so long at most. Where there are no vehicles, those for the assumed height are wanted,
    /// which on all but large maps are there within a second.
    static func hazardsWait(of shards: [Shard]) -> Duration {
        shards.contains { $0.engine.vehicleCount > 0 } ? .seconds(10) : .seconds(1)
    }

    /// From here on no pass waits for what follows from the map; call after `restore`. Shards that join later do the same.
    ///
    /// Waits, so that no fix finds the hazards of its vehicle missing.
    ///
    /// - Parameter isStopping: whether to wait no longer.
    func doMapWorkElsewhere(unless isStopping: () -> Bool = { false }) throws {
        cluster?.doesMapWorkElsewhere = true
        for shard in shards { shard.mapWork.doElsewhere(waker: waker) }
        let deadline = ContinuousClock.now + Self.hazardsWait(of: shards)
        while shards.contains(where: \.engine.awaitsHazards), .now < deadline, !isStopping() {
            shared.readiness.heartbeat.beat()
            let next = min(deadline, .now + .milliseconds(20))
            for shard in shards { shard.mapWork.wait(until: next) }
            try installMapWork()
            for shard in shards { shard.mapWork.begin() }
        }
    }

    /// What was sent after a clearance was changed is judged by it, where what follows from that is made soon enough.
    func waitForChangedMap() throws {
        // Of a map that was behind already it is not known when it is in force: nothing is held for it.
        guard shards.contains(where: { $0.inbox.isHeldByChange && $0.mapWork.isChangeUnderWay }),
            let deadline = mapWait.deadline(at: .now)
        else { return }
        // What is under way may have begun before the change, which is then next.
        while shards.contains(where: \.mapWork.isChangeUnderWay), .now < deadline {
            let began = ContinuousClock.now
            for shard in shards { shard.mapWork.wait(until: deadline) }
            mapWait.note(waited: .now - began, until: .now)
            try installMapWork()
            for shard in shards { shard.mapWork.begin() }
        }
    }

    /// What has been made is in force from here on.
    func installMapWork() throws {
        // Of each shard one piece at a time, which is a turn.
        while shards.contains(where: \.mapWork.isUnderWay) {
            try all(shards) { try $0.installMapWork() }
            guard !turns.isEmpty else { break }
            try carryOut()
        }
    }

    /// Whether a clearance has just changed, and what follows from that is not in force yet: readers wait for it for a moment.
    func isMapAwaited() -> Bool {
        let isBehind = shards.contains { $0.engine.isMapBehind }
        let since = isBehind ? mapBehindSince ?? .now : nil
        mapBehindSince = since
        return since.map { .now - $0 < Self.mapWaitMax } ?? false
    }
}
