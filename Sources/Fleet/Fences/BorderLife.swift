import Geo

/// Moves one vehicle's standing at the border of one fence.
struct BorderLife {
    /// Fixes are no better than this, whatever the device says.
    private static let noiseMin: Metres = 3
    /// Of so many times the noise one fix is enough.
    private static let plainFactor = 4.0
    /// Where the fence is so small that fixes err by more than its middle lies from its border, these shares of that count.
    private static let small: (band: Double, plain: Double) = (0.5, 0.75)

    typealias Crossings = [(crossing: BorderCrossing, isEntering: Bool)]

    let fence: KnownFence
    let vehicle: VehicleID
    let hysteresisTime: Seconds
    var border: FenceStanding.Border

    /// - Parameters:
    ///   - distance: of the fix from the border, negative inside.
    ///   - crossings: of the border on the way there.
    mutating func advance(
        to fix: Fix, from previous: Fix?, _ distance: Metres, _ crossings: Crossings
    ) -> [FenceEventMessage] {
        if isSeen(by: fix, distance) { return confirm(fix, previous, crossings) }
        if border.since != nil { return advanceInside(fix, previous, distance, crossings) }
        if distance > 0, border.doubt == nil { return pass(fix, previous, crossings) }
        return advanceOutside(fix, previous, distance, crossings)
    }

    /// The device watches the border itself and says that it has crossed it; the fix does not say otherwise.
    private func isSeen(by fix: Fix, _ distance: Metres) -> Bool {
        guard fix.region == fence.fence.id else { return false }
        switch fix.trigger {
        case .enter: return border.since == nil && distance <= noise(fix)
        case .exit: return border.since != nil && distance >= -noise(fix)
        case .interval: return false
        }
    }

    private mutating func confirm(_ fix: Fix, _ previous: Fix?, _ crossings: Crossings) -> [FenceEventMessage] {
        let isEntering = border.since == nil
        border.doubt = border.doubt ?? doubt(fix, previous, crossings.last { $0.isEntering == isEntering }?.crossing)
        return [isEntering ? enter(at: fix.time) : exit(at: fix.time)]
    }

    // MARK: Outside

    private mutating func advanceOutside(
        _ fix: Fix, _ previous: Fix?, _ distance: Metres, _ crossings: Crossings
    ) -> [FenceEventMessage] {
        let scale = scale(entering: fix)
        var doubt = border.doubt ?? doubt(fix, previous, crossings.last(where: \.isEntering)?.crossing)
        doubt.weigh(fix, depth: -distance, scale)
        border.doubt = doubt
        if distance <= 0 {
            return doubt.isPlain || doubt.isLasting(at: fix.time, scale) ? [enter(at: fix.time)] : []
        }
        guard doubt.deepest >= scale.band, hasMoved(from: doubt.origin, to: fix) else {
            // Back outside before it was clear that it ever was inside; the average may still tell.
            if distance >= scale.plain || doubt.isDispelled(at: fix.time, scale) { border.doubt = nil }
            return []
        }
        let entry = enter(at: fix.time)
        let exit = crossings.last { !$0.isEntering }?.crossing
        return [entry] + advanceInside(fix, previous, distance, exit.map { [($0, false)] } ?? [])
    }

    /// Passed between two fixes.
    private mutating func pass(_ fix: Fix, _ previous: Fix?, _ crossings: Crossings) -> [FenceEventMessage] {
        guard let previous, let entry = crossings.first(where: \.isEntering)?.crossing,
            let exit = crossings.last(where: { !$0.isEntering })?.crossing, entry.time <= exit.time
        else { return [] }
        let middle = entry.position.interpolated(to: exit.position, fraction: 0.5)
        let depth = -fence.shape.signedDistance(from: middle)
        guard depth >= scale(entering: fix).band, hasMoved(from: previous.position, to: fix) else { return [] }
        return [
            FenceEventMessage(.enter, fence, vehicle, .inside, time: fix.time, entry, isThrough: true),
            FenceEventMessage(.exit, fence, vehicle, .outside, time: fix.time, exit, isThrough: true),
        ]
    }

    private mutating func enter(at time: Timestamp) -> FenceEventMessage {
        let crossing = border.doubt!.crossing
        border = FenceStanding.Border(fence: border.fence, serial: border.serial, since: crossing.time)
        return FenceEventMessage(.enter, fence, vehicle, .inside, time: time, crossing)
    }

    // MARK: Inside

    private mutating func advanceInside(
        _ fix: Fix, _ previous: Fix?, _ distance: Metres, _ crossings: Crossings
    ) -> [FenceEventMessage] {
        guard distance > 0 || border.doubt != nil else { return [] }
        let scale = scale(leaving: fix)
        var doubt = border.doubt ?? doubt(fix, previous, crossings.last { !$0.isEntering }?.crossing)
        doubt.weigh(fix, depth: distance, scale)
        border.doubt = doubt
        if distance <= 0, -distance >= scale.band || doubt.isDispelled(at: fix.time, scale) {
            border.doubt = nil
            return []
        }
        let isDue = doubt.deadline(hysteresisTime).map { $0 <= fix.time } ?? false
        guard isDue || doubt.isLasting(at: fix.time, scale) else { return [] }
        return [exit(at: fix.time)]
    }

    private mutating func exit(at time: Timestamp) -> FenceEventMessage {
        let crossing = border.doubt!.crossing
        border = FenceStanding.Border(fence: border.fence, serial: border.serial)
        return FenceEventMessage(.exit, fence, vehicle, .outside, time: time, crossing)
    }

    // MARK: Deadlines

    /// When it has stayed, or left, without another fix.
    var deadline: Timestamp? { [departure, dwell].compactMap { $0 }.min() }

    private var departure: Timestamp? { border.since == nil ? nil : border.doubt?.deadline(hysteresisTime) }

    /// Not while it may have left before.
    private var dwell: Timestamp? {
        guard let since = border.since, let dwell = fence.fence.dwell, !border.isDwellTold else { return nil }
        let end = since.adding(dwell)
        if let left = border.doubt?.crossing.time, left <= end { return nil }
        return end
    }

    /// - Parameter position: where the vehicle was last.
    mutating func expire(at time: Timestamp, _ position: Coordinate) -> [FenceEventMessage] {
        var events: [FenceEventMessage] = []
        if let dwell, dwell <= time {
            border.isDwellTold = true
            let place = BorderCrossing(position: position, time: dwell, isInterpolated: false)
            events.append(FenceEventMessage(.dwell, fence, vehicle, .inside, time: dwell, place))
        }
        if let departure, departure <= time { events.append(exit(at: departure)) }
        return events
    }

    // MARK: Doubt

    private func doubt(_ fix: Fix, _ previous: Fix?, _ crossing: BorderCrossing?) -> BorderDoubt {
        let here = BorderCrossing(position: fix.position, time: fix.time, isInterpolated: false)
        return BorderDoubt(crossing: crossing ?? here, origin: previous?.position ?? fix.position)
    }

    private func hasMoved(from origin: Coordinate, to fix: Fix) -> Bool {
        origin.distance(to: fix.position) >= BorderDoubt.displacementMin * noise(fix)
    }

    private func noise(_ fix: Fix) -> Metres { max(fix.accuracy ?? RoadTracker.accuracyDefault, Self.noiseMin) }

    /// Coming in, the border is the border: the fence's hysteresis is for leaving.
    private func scale(entering fix: Fix) -> BorderDoubt.Scale {
        let noise = noise(fix)
        let inradius = fence.shape.inradius
        return BorderDoubt.Scale(
            noise: noise, band: min(noise, Self.small.band * inradius),
            plain: min(Self.plainFactor * noise, Self.small.plain * inradius), patience: hysteresisTime)
    }

    private func scale(leaving fix: Fix) -> BorderDoubt.Scale {
        let noise = noise(fix)
        let band = max(noise, fence.fence.hysteresis)
        return BorderDoubt.Scale(
            noise: noise, band: band, plain: max(Self.plainFactor * noise, fence.fence.hysteresis),
            patience: hysteresisTime)
    }
}
