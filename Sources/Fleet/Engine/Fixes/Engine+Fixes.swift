import Geo
import Messages

/// Which fixes are used, and what for.
extension Engine {
    /// The fixes of one message, the oldest first.
    ///
    /// - Returns: when the last of them that was used was taken; nil: none was used.
    func apply(
        _ fixes: [Fix], to vehicle: inout Vehicle, receivedAt: Timestamp, _ effects: inout Effects
    ) -> Timestamp? {
        let fixes = fixes.count > 1 ? fixes.sorted(by: { $0.time < $1.time }) : fixes
        guard let newest = fixes.last else { return nil }
        let offset = vehicle.clockOffset(of: newest, receivedAt: receivedAt, ageMax: settings.fixes.ageMax)
        // Fixes that come one by one are as far apart as what brings them.
        if fixes.count > 1 || vehicle.gaps.uploads != nil {
            noteUpload(of: fixes, offset: offset, by: &vehicle, receivedAt: receivedAt)
        }
        var used: Timestamp?
        var unmatched: Timestamp?
        for var fix in fixes {
            fix.time = fix.time.adding(offset)
            let isUnmatched = !vehicle.alerts.isEmpty && isOffKnownWays(fix, among: vehicle.ordered)
            guard apply(FixFilter.plausible(fix), to: &vehicle, receivedAt: receivedAt, &effects) else { continue }
            used = fix.time
            if isUnmatched { unmatched = unmatched ?? fix.time }
        }
        if let unmatched { notePassages(of: &vehicle, byFixesFrom: unmatched, count: fixes.count) }
        return used
    }

    /// Notes how long the vehicle was not heard of before this upload, by its newest fix that can be used. One whose fixes are all
    /// late tells a driver nothing, as all pieces but the last do of one that is handled in several.
    ///
    /// - Parameter offset: what is to be added to the times of the fixes.
    private func noteUpload(
        of fixes: [Fix], offset: Seconds, by vehicle: inout Vehicle, receivedAt: Timestamp
    ) {
        let filter = FixFilter(settings: settings.fixes)
        let newest = fixes.lazy.reversed().map { fix in
            var fix = fix
            fix.time = fix.time.adding(offset)
            return fix
        }.first { filter.rejection($0, receivedAt: receivedAt) == nil }
        guard let newest, !isLate(newest, receivedAt: receivedAt) else { return }
        let gap = vehicle.lastFix.map { newest.time.since($0.time) }
        guard gap ?? .infinity > 0 else { return }
        vehicle.gaps.note(upload: vehicle.wasAllowedSilence(until: newest, settings) ? nil : gap)
    }

    /// Whether a fix comes too late to say where the vehicle is now.
    private func isLate(_ fix: Fix, receivedAt: Timestamp) -> Bool {
        receivedAt.since(fix.time) > RuleTime.alertAgeMax
    }

    /// - Returns: whether the fix was used.
    private func apply(
        _ fix: Fix, to vehicle: inout Vehicle, receivedAt: Timestamp, _ effects: inout Effects
    ) -> Bool {
        let filter = FixFilter(settings: settings.fixes)
        if let reason = filter.rejection(fix, receivedAt: receivedAt)
            ?? vehicle.ordered.insert(
                fix, receivedAt: receivedAt, silentIn: vehicle.circleOfSilence(until: fix, settings))
        {
            effects.rejections.append((vehicle.id, reason))
            if reason == .fromTheFuture { vehicle.isClockSkewed = true }
            return false
        }
        // One that comes late still counts for what follows the order of time.
        if let last = vehicle.lastFix?.time, fix.time < last {
            accept(fix, of: vehicle.id, &effects)
            notePassages(of: &vehicle, byOlder: fix)
            return true
        }
        // Two reports of one moment: that one was judged already. What they say together counts from here on.
        if let last = vehicle.lastFix, fix.time == last.time {
            accept(last.joined(with: fix) ?? last, of: vehicle.id, &effects)
            vehicle.lastFix = last.joined(with: fix) ?? last
            return true
        }
        if let reason = filter.rejection(fix, after: vehicle.lastFix, outliers: vehicle.outliers) {
            effects.rejections.append((vehicle.id, reason))
            vehicle.outliers += 1
            return false
        }
        accept(fix, of: vehicle.id, &effects)
        take(fix, of: &vehicle, receivedAt: receivedAt, &effects)
        return true
    }

    private func accept(_ fix: Fix, of vehicle: VehicleID, _ effects: inout Effects) {
        effects.fixesAccepted += 1
        if settings.keepsPositions { effects.positions.append(TrackPoint(vehicle: vehicle, fix: fix)) }
    }

    /// The newest fix: where the vehicle is now.
    private func take(_ fix: Fix, of vehicle: inout Vehicle, receivedAt: Timestamp, _ effects: inout Effects) {
        let previous = vehicle.lastFix
        if fix.speed ?? 0 >= Rest.speedMax { vehicle.device.insert(.tellsSpeed) }
        let fix = vehicle.believed(fix, after: previous)
        if let previous, !vehicle.wasAllowedSilence(until: fix, settings) {
            vehicle.gaps.note(fix: fix.time.since(previous.time))
        }
        vehicle.firstFix = vehicle.firstFix ?? fix.time
        vehicle.lastFix = fix
        vehicle.speed = fix.speed(since: previous)
        let start = vehicle.hasLeft(by: fix) ? vehicle.rest?.standstill.place : nil
        vehicle.course = fix.course(since: previous, from: start) ?? vehicle.course
        vehicle.outliers = 0
        vehicle.isClockSkewed = (vehicle.clock?.offset ?? 0) != 0
        vehicle.isPositionStale = false
        let isLate = isLate(fix, receivedAt: receivedAt)
        react(&vehicle, to: .fix(after: previous, isLate: isLate), at: fix.time, &effects)
    }
}
