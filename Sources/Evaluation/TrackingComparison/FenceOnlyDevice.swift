import Fleet
import Geo
import Messages

/// A device that knows nothing but one circular fence round its last fix.
///
/// Generous to it: the system notices at once when the fence is left.
struct FenceOnlyDevice: TrackingDevice {
    /// How long it looks for a fix.
    static let searchTime: Seconds = 45
    static let ageMax: Seconds = 5
    static let accuracyMax: Metres = 100
    /// By so much the fence grows where no fix was found: the most it can drive in ten minutes, as its author has it.
    static let growth: Metres = 32_000
    /// With less background time left than this it looks no longer…
    static let backgroundMin: Seconds = 30
    /// …and makes its fence twice as large, but no smaller than this.
    static let hastyRadiusMin: Metres = 5_000

    private enum Phase {
        case looking(since: Timestamp, grant: BackgroundGrants.Grant)
        case watching
        /// Ended by the system, and where.
        case ended(at: Coordinate)
    }

    private var background: BackgroundGrants
    /// Nil: not launched yet.
    private var phase: Phase?
    /// Nil: no search has ended yet.
    private(set) var fence: Circle?
    /// What the system offers first when a search begins.
    private var lastKnown: Fix?

    init(_ background: BackgroundGrants = BackgroundGrants()) { self.background = background }

    static func radius(accuracy: Metres) -> Metres { max(accuracy + 450, 2 * accuracy) }

    mutating func advance(to second: DeviceSecond) -> DeviceAct {
        if wakes(at: second) { phase = .looking(since: second.time, grant: background.next()) }
        guard case .looking(let since, let grant) = phase else { return .none }
        let elapsed = second.time.since(since)
        if grant.time - elapsed < Self.backgroundMin {
            widen(to: max(2 * (fence?.radius ?? 0), Self.hastyRadiusMin), second)
        } else if elapsed >= Self.searchTime {
            widen(to: (fence?.radius ?? 0) + Self.growth, second)
        } else {
            return look(second, grant)
        }
        rest(second, grant)
        return .none
    }

    /// On launch, on leaving its fence, and, once ended, on a significant change.
    private func wakes(at second: DeviceSecond) -> Bool {
        switch phase {
        case nil: true
        case .looking: false
        case .watching: fence.map { $0.center.distance(to: second.place) > $0.radius } ?? true
        case .ended(let place): place.distance(to: second.place) >= SignificantChangeDevice.distance
        }
    }

    private mutating func look(_ second: DeviceSecond, _ grant: BackgroundGrants.Grant) -> DeviceAct {
        lastKnown = second.fix ?? lastKnown
        guard let fix = lastKnown, second.time.since(fix.time) <= Self.ageMax,
            let accuracy = fix.accuracy, accuracy <= Self.accuracyMax
        else { return .looking }
        fence = Circle(center: fix.position, radius: Self.radius(accuracy: accuracy))
        rest(second, grant)
        return .reporting(fix)
    }

    /// Round where it was; round what the cells tell where it never had a fix.
    private mutating func widen(to radius: Metres, _ second: DeviceSecond) {
        fence = Circle(center: fence?.center ?? second.place, radius: radius)
    }

    private mutating func rest(_ second: DeviceSecond, _ grant: BackgroundGrants.Grant) {
        phase = grant.isEnded ? .ended(at: second.place) : .watching
    }
}
