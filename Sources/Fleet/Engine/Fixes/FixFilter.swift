import Geo
import Messages

/// Which fixes are used.
struct FixFilter {
    /// Faster than any truck, with room for noise: 70 m/s.
    static let speedMax: MetresPerSecond = 70
    /// So many implausible fixes in a row are a vehicle that was moved, not outliers.
    static let outliersMax = 3

    let settings: EngineSettings.Fixes

    /// The same without a speed that no truck has: it is then taken from the way since the fix before.
    static func plausible(_ fix: Fix) -> Fix {
        guard let speed = fix.speed, speed > speedMax else { return fix }
        var fix = fix
        fix.speed = nil
        return fix
    }

    /// What is wrong with a fix by itself; nil where it is good.
    func rejection(_ fix: Fix, receivedAt: Timestamp) -> InputError? {
        if fix.position.latitude == 0 && fix.position.longitude == 0 { return .nullIsland }
        if fix.time.since(receivedAt) > RuleTime.clockSkewMax { return .fromTheFuture }
        if receivedAt.since(fix.time) > settings.ageMax { return .tooOld }
        if let accuracy = fix.accuracy, accuracy > settings.accuracyMax { return .inaccurate }
        return nil
    }

    /// Whether a fix can follow an older one.
    ///
    /// - Parameter outliers: how many before it, in a row, could not.
    func rejection(_ fix: Fix, after last: Fix?, outliers: Int) -> InputError? {
        guard let last, outliers < Self.outliersMax, Self.isImplausible(from: last, to: fix) else { return nil }
        return .implausiblyFast
    }

    static func isImplausible(from last: Fix, to fix: Fix) -> Bool {
        isImplausible(from: last, to: fix, distance: last.position.distance(to: fix.position))
    }

    /// - Parameter distance: of one from the other.
    static func isImplausible(from last: Fix, to fix: Fix, distance: Metres) -> Bool {
        let noise = last.accuracyOrAssumed + fix.accuracyOrAssumed
        return distance > speedMax * fix.time.since(last.time) + noise
    }
}
