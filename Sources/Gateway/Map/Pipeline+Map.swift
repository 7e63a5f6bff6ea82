import Fleet

/// What follows from the map, which other threads make.
extension Pipeline {
    /// Who was told that a changed clearance is in force finds it so, on all but large maps; there the map before is shown after this.
    private static let mapWaitMax: Duration = .milliseconds(500)

    /// From here on no pass waits for what follows from the map; call after `restore`.
    ///
    /// Waits for a second, so that on all but large maps no first fix finds its hazards missing.
    func doMapWorkElsewhere() throws {
        cluster?.doesMapWorkElsewhere = true
        try doMapWorkElsewhere(shards)
    }

    /// The same for shards that have just come.
    func doMapWorkElsewhere(_ shards: [Shard]) throws {
        let deadline = ContinuousClock.now + .seconds(1)
        for shard in shards { shard.doMapWorkElsewhere(waker: waker) }
        while shards.map({ $0.beginMapWork() }).contains(true) {
            for shard in shards { shard.waitForMapWork(until: deadline) }
            guard try installMapWork() else { return }
        }
    }

    /// What was sent after a clearance was changed is judged by it, where what follows from that is made soon enough.
    func waitForChangedMap() throws {
        // Of a map that was behind already it is not known when it is in force: nothing is held for it.
        guard shards.contains(where: { $0.inbox.isHeldByChange && $0.isChangeUnderWay }),
            let deadline = mapWait.deadline(at: .now)
        else { return }
        // What is under way may have begun before the change, which is then next.
        while shards.contains(where: \.isChangeUnderWay), .now < deadline {
            let began = ContinuousClock.now
            for shard in shards { shard.waitForMapWork(until: deadline) }
            mapWait.note(waited: .now - began, until: .now)
            try installMapWork()
            for shard in shards { shard.beginMapWork() }
        }
    }

    /// What has been made is in force from here on.
    ///
    /// - Returns: whether anything was.
    @discardableResult
    func installMapWork() throws -> Bool {
        var isAnyMade = false
        // Of each shard one piece at a time, which is a turn.
        while shards.contains(where: \.isMapWorkUnderWay) {
            try all(shards) { try $0.installMapWork() }
            guard !turns.isEmpty else { break }
            try carryOut()
            isAnyMade = true
        }
        return isAnyMade
    }

    /// Whether a clearance has just changed, and what follows from that is not in force yet: readers wait for it for a moment.
    func isMapAwaited() -> Bool {
        let isBehind = shards.contains { $0.engine.isMapBehind }
        let since = isBehind ? mapBehindSince ?? .now : nil
        mapBehindSince = since
        return since.map { .now - $0 < Self.mapWaitMax } ?? false
    }
}
