import Clearances
import Geo
import Messages
import Roads

/// Finds the largest circle round a place in which nothing can happen to a vehicle: no border, no place from which an alert
/// may come.
struct QuietFinder {
    let catalogue: FenceCatalogue
    /// Nil without a road file.
    let zone: AlertZone?
    let straightLine: StraightLineMap
    let settings: EngineSettings
    let vehicle: VehicleID
    let groups: [String]

    /// - Parameters:
    ///   - noise: radius of the 68 % circle of the vehicle's fixes.
    ///   - road: a place from which an alert may come, where one is known; near enough, no other is looked for.
    /// - Returns: the radius, or more than that where it is below 0; below 0 where something is nearer than fixes can tell.
    func radius(at position: Coordinate, noise: Metres, near road: Coordinate? = nil) -> Metres {
        // A metre for rounding: it may not be farther than this to the nearest.
        if let road, case let radius = Self.radius(road.distance(to: position) + 1, noise), radius < 0 { return radius }
        let sought = QuietRule.radiusMax + QuietRule.roadMargin
        var radius = QuietRule.radiusMax
        if let distance = zone?.distance(from: position, within: sought) {
            radius = min(radius, Self.radius(distance, noise))
        }
        radius = min(radius, clearOfStraightLines(position))
        guard radius > 0 else { return radius }
        // Mostly a fence is near; what is farther need not be put in order then.
        let near = min(radius, Self.near)
        let clear = clearOfFences(position, noise, atMost: near)
        return clear < near || near == radius ? clear : clearOfFences(position, noise, atMost: radius)
    }

    private static let near: Metres = 500

    /// - Parameter distance: to the nearest road from which an alert may come.
    private static func radius(_ distance: Metres, _ noise: Metres) -> Metres {
        distance - QuietRule.roadMargin - QuietRule.noiseFactor * noise
    }

    private func clearOfStraightLines(_ position: Coordinate) -> Metres {
        let reach = Self.straightLineReach(settings)
        let nearest = straightLine.distance(from: position, within: QuietRule.radiusMax + reach)
        return nearest.map { $0 - reach } ?? QuietRule.radiusMax
    }

    /// Alerts by straight line come from this far, at most.
    static func straightLineReach(_ settings: EngineSettings) -> Metres {
        reach(settings) + StraightLineWatch.detourAssumed + StraightLineWatch.behindDetourMax
    }

    /// Whether it is in force now or not: it may come into force while the device is silent.
    private func clearOfFences(_ position: Coordinate, _ noise: Metres, atMost limit: Metres) -> Metres {
        var radius = limit
        let widest = Self.margin(catalogue.hysteresisMax, noise)
        catalogue.nearest(to: position, within: limit + widest) { fence, _ in
            if fence.concerns(vehicle, groups: groups) {
                let distance = fence.shape.signedDistance(from: position).magnitude
                radius = min(radius, distance - Self.margin(fence.fence.hysteresis, noise))
            }
            return radius > 0 ? radius + widest : -.infinity
        }
        return radius
    }

    private static func margin(_ hysteresis: Metres, _ noise: Metres) -> Metres {
        min(max(QuietRule.noiseFactor * noise, hysteresis), marginMax) + QuietRule.speedMax * QuietRule.noticed
    }

    /// A border farther than this from a circle does not matter to it.
    static let fenceMarginMax = marginMax + QuietRule.speedMax * QuietRule.noticed
    /// A wider band than this makes no difference to when a border is crossed.
    private static let marginMax: Metres = 1000

    /// How far before a decision an alert may begin, for any truck that reports as often as it is asked to.
    static func reach(_ settings: EngineSettings) -> Metres {
        let alerts = settings.alerts
        let drive = max(alerts.leadTime, alerts.notice + settings.fixes.reportInterval) * QuietRule.speedMax
        return max(alerts.distance, drive) + 2 * QuietRule.speedMax * settings.fixes.reportInterval
    }
}
