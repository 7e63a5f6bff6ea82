import Geo
import Messages

/// Moves one vehicle's state at the border of one fence.
struct FenceStateMachine {
    /// Fixes are no better than this, whatever the device says.
    private static let noiseMin: Metres = 3
    /// One fix this many times the noise beyond the border is enough.
    private static let plainFactor = 4.0
    /// Where the fence is so small that fixes err by more than its middle lies from its border, this share of that counts.
    private static let smallBand = 0.5

    let fence: KnownFence
    let vehicle: VehicleID
    let hysteresisTime: Seconds
    /// After so much silence a vehicle that stopped beside the border is taken to be where its last fixes say.
    let silence: Seconds
    /// Whether the vehicle moves, or its fixes wander; the fix that is judged is in it.
    let motion: MotionEvidence
    var border: FenceState.Border

    /// - Parameters:
    ///   - distance: of the fix from the border, negative inside.
    ///   - way: where the way from the previous fix lies inside.
    mutating func advance(
        to fix: Fix, from previous: Fix?, _ distance: Metres, _ way: [Stretch]
    ) -> [FenceEventMessage] {
        let left = settle(by: fix, way)
        let others =
            if isSeen(by: fix, distance) {
                confirm(fix, previous, way)
            } else if border.since == nil {
                advanceOutside(fix, previous, distance, way)
            } else {
                advanceInside(fix, previous, distance, way.last?.exit)
            }
        return left.isEmpty ? others : left + others
    }

    /// The same by the parts of the way, as if there had been fixes between the two.
    mutating func advance(
        by parts: [LegPart], to fix: Fix, from previous: Fix?, _ distance: Metres, _ way: [Stretch]
    ) -> [FenceEventMessage] {
        guard let last = parts.last else { return advance(to: fix, from: previous, distance, way) }
        var events: [FenceEventMessage] = []
        var previous = previous
        for part in parts {
            events += advance(to: part.fix, from: previous, part.distance, part.way)
            previous = part.fix
        }
        // It is the fix that tells of them.
        for index in events.indices where events[index].event != .dwell { events[index].time = fix.time }
        let rest = way.dropFirst(parts.reduce(0) { $0 + $1.way.count })
        return events + advance(to: fix, from: last.fix, distance, Array(rest))
    }

    /// The device watches the border itself and says that it has crossed it; the fix does not say otherwise.
    private func isSeen(by fix: Fix, _ distance: Metres) -> Bool {
        guard let region = fix.region, region == fence.region else { return false }
        switch fix.trigger {
        case .enter: return border.since == nil && distance <= noise(fix)
        case .exit: return border.since != nil && distance >= -noise(fix)
        case .interval: return false
        }
    }

    private mutating func confirm(_ fix: Fix, _ previous: Fix?, _ way: [Stretch]) -> [FenceEventMessage] {
        let isEntering = border.since == nil
        border.evidence = border.evidence ?? evidence(fix, previous, isEntering ? way.last?.entry : way.last?.exit)
        return [isEntering ? enter(at: fix.time) : leave(at: fix.time)]
    }

    // MARK: Outside

    private mutating func advanceOutside(
        _ fix: Fix, _ previous: Fix?, _ distance: Metres, _ way: [Stretch]
    ) -> [FenceEventMessage] {
        guard distance <= 0 || border.evidence != nil || way.contains(where: { $0.entry != nil }) else { return [] }
        let scale = scale(entering: fix)
        let entry = distance <= 0 ? way.last?.entry : way.first { $0.entry != nil }?.entry
        var evidence = border.evidence ?? evidence(fix, previous, entry)
        evidence.weigh(fix, depth: -distance, scale)
        evidence.follow(way)
        border.evidence = evidence
        if distance <= 0 {
            return evidence.isPlain || evidence.isLasting(at: fix.time, scale) ? [enter(at: fix.time)] : []
        }
        // Outside before it was clear that it ever was inside: far enough from where it came, it was.
        let isDeep = evidence.deepest >= scale.band
        if isDeep, scale.isMoving, hasMoved(from: evidence.origin, to: fix) {
            return pass(evidence, fix, previous, distance)
        }
        if !isDeep && distance >= scale.plain || evidence.isRefuted(at: fix.time, scale) { border.evidence = nil }
        return []
    }

    /// In, and out again.
    private mutating func pass(
        _ evidence: CrossingEvidence, _ fix: Fix, _ previous: Fix?, _ distance: Metres
    ) -> [FenceEventMessage] {
        guard !evidence.isSeenBeyond, let exit = evidence.back, distance >= fence.fence.hysteresis else {
            let entry = enter(at: fix.time)
            return [entry] + advanceInside(fix, previous, distance, evidence.back)
        }
        border.evidence = nil
        let entry = evidence.crossing
        return [
            FenceEventMessage(.enter, fence, vehicle, .inside, time: fix.time, entry, isThrough: true),
            dwell(from: entry, to: exit),
            FenceEventMessage(.exit, fence, vehicle, .outside, time: fix.time, exit, isThrough: true),
        ].compactMap { $0 }
    }

    /// Long enough inside between two fixes; nil where it was not.
    private func dwell(from entry: BorderCrossing, to exit: BorderCrossing) -> FenceEventMessage? {
        let stay = exit.time.since(entry.time)
        guard let dwell = fence.fence.dwell, dwell <= stay else { return nil }
        let position = entry.position.interpolated(to: exit.position, fraction: stay > 0 ? dwell / stay : 0)
        let place = BorderCrossing(position: position, time: entry.time.adding(dwell), isInterpolated: true)
        return FenceEventMessage(.dwell, fence, vehicle, .inside, time: place.time, place)
    }

    private mutating func enter(at time: Timestamp) -> FenceEventMessage {
        let crossing = border.evidence!.crossing
        border = FenceState.Border(fence: border.fence, serial: border.serial, since: crossing.time)
        return FenceEventMessage(.enter, fence, vehicle, .inside, time: time, crossing)
    }

    // MARK: Inside

    /// - Parameter exit: where the way to the fix led out, if that is known.
    private mutating func advanceInside(
        _ fix: Fix, _ previous: Fix?, _ distance: Metres, _ exit: BorderCrossing?
    ) -> [FenceEventMessage] {
        guard distance > 0 || border.evidence != nil else { return [] }
        let scale = scale(leaving: fix)
        var evidence = border.evidence ?? evidence(fix, previous, exit)
        evidence.weigh(fix, depth: distance, scale)
        border.evidence = evidence
        if distance <= 0, -distance >= scale.noise || evidence.isRefuted(at: fix.time, scale) {
            border.evidence = nil
            return []
        }
        let isDue = evidence.certainty(hysteresisTime).map { $0 <= fix.time } ?? false
        guard isDue || evidence.isLasting(at: fix.time, scale) else { return [] }
        return [leave(at: fix.time)]
    }

    /// The time of hysteresis was over before the fix: the vehicle has left, unless the way to the fix led back too soon.
    private mutating func settle(by fix: Fix, _ way: [Stretch]) -> [FenceEventMessage] {
        guard border.since != nil, let evidence = border.evidence,
            let certainty = evidence.certainty(hysteresisTime), certainty <= fix.time
        else { return [] }
        let end = way.first { $0.entry != nil }?.entry?.time ?? fix.time
        guard end.since(evidence.crossing.time) >= hysteresisTime else {
            border.evidence = nil
            return []
        }
        return [leave(at: certainty)]
    }

    private mutating func leave(at time: Timestamp) -> FenceEventMessage {
        let crossing = border.evidence!.crossing
        // Told in a silence, before fixes came that were taken in it.
        let dwellEnd = border.isDwellTold ? border.dwellEnd(in: fence) : nil
        let isDwellRetracted = dwellEnd.map { crossing.time < $0 } ?? false
        border = FenceState.Border(fence: border.fence, serial: border.serial)
        var exit = FenceEventMessage(.exit, fence, vehicle, .outside, time: time, crossing)
        exit.isDwellRetracted = isDwellRetracted
        return exit
    }

    // MARK: Deadlines

    /// - Parameters:
    ///   - position: where the vehicle was last.
    ///   - nextFix: by when there is another fix, unless the vehicle falls silent.
    mutating func expire(at time: Timestamp, _ position: Coordinate, nextFix: Timestamp) -> [FenceEventMessage] {
        var events: [FenceEventMessage] = []
        if let dwell = border.dwell(in: fence), dwell <= time {
            border.isDwellTold = true
            let place = BorderCrossing(position: position, time: dwell, isInterpolated: false)
            events.append(FenceEventMessage(.dwell, fence, vehicle, .inside, time: dwell, place))
        }
        if let settlement = border.settlement(hysteresisTime, nextFix), settlement <= time {
            let due = border.evidence?.certainty(hysteresisTime) ?? settlement
            events.append(border.since == nil ? enter(at: due) : leave(at: due))
        }
        return events
    }

    // MARK: Doubt

    private func evidence(_ fix: Fix, _ previous: Fix?, _ crossing: BorderCrossing?) -> CrossingEvidence {
        let here = BorderCrossing(position: fix.position, time: fix.time, isInterpolated: false)
        return CrossingEvidence(crossing: crossing ?? here, origin: previous?.position ?? fix.position)
    }

    private func hasMoved(from origin: Coordinate, to fix: Fix) -> Bool {
        origin.distance(to: fix.position) >= CrossingEvidence.displacementMin * noise(fix)
    }

    /// What the fix says, unless the vehicle's fixes have shown that they err by more.
    private func noise(_ fix: Fix) -> Metres {
        max(fix.accuracy ?? motion.radius ?? Fix.accuracyAssumed, motion.radius ?? 0, Self.noiseMin)
    }

    /// Coming in, the border is the border: the fence's hysteresis is for leaving.
    private func scale(entering fix: Fix) -> CrossingEvidence.Scale {
        let noise = noise(fix)
        return scale(
            fix, noise, band: min(noise, Self.smallBand * fence.shape.inradius), plain: Self.plainFactor * noise,
            meanBand: 0)
    }

    private func scale(leaving fix: Fix) -> CrossingEvidence.Scale {
        let noise = noise(fix)
        let hysteresis = fence.fence.hysteresis
        return scale(
            fix, noise, band: max(noise, hysteresis), plain: max(Self.plainFactor * noise, hysteresis),
            meanBand: hysteresis)
    }

    private func scale(
        _ fix: Fix, _ noise: Metres, band: Metres, plain: Metres, meanBand: Metres
    ) -> CrossingEvidence.Scale {
        CrossingEvidence.Scale(
            noise: noise, band: band, plain: plain, meanBand: meanBand, timeout: hysteresisTime, silence: silence,
            isMoving: motion.isRecent(at: fix.time), deviation: motion.deviation(fix), motion: motion)
    }
}

/// What falls due at one border without another fix.
extension FenceState.Border {
    /// When the vehicle has stayed, come or left.
    ///
    /// - Parameter nextFix: by when there is another fix, unless the vehicle falls silent.
    func deadline(_ fence: KnownFence, _ hysteresisTime: Seconds, nextFix: Timestamp) -> Timestamp? {
        .earlier(settlement(hysteresisTime, nextFix), dwell(in: fence))
    }

    /// When the doubt ends.
    fileprivate func settlement(_ hysteresisTime: Seconds, _ nextFix: Timestamp) -> Timestamp? {
        evidence?.deadline(hysteresisTime, nextFix: nextFix)
    }

    /// When it has been inside for so long.
    fileprivate func dwellEnd(in fence: KnownFence) -> Timestamp? {
        guard let since, let dwell = fence.fence.dwell else { return nil }
        return since.adding(dwell)
    }

    /// When it is told of as having stayed; not while it may have left before.
    fileprivate func dwell(in fence: KnownFence) -> Timestamp? {
        guard !isDwellTold, let end = dwellEnd(in: fence) else { return nil }
        if let left = evidence?.crossing.time, left <= end { return nil }
        return end
    }
}
