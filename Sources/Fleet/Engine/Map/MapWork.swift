import Geo
import Messages
import Roads

/// What takes longer than others may wait: hazards for another height, and all that follows from changed clearances. On a map of
/// a country that is seconds.
///
/// Taken from the engine that needs it, done on any thread, and given back: until then vehicles go by what is in force, and
/// those of a height whose hazards are not there go by those near them, which are made first and beside all else.
public struct MapWork: Sendable {
    enum Map: Sendable {
        case inForce(HazardTables)
        case near(HazardTables, NearbyPlace, NearbyReach)
        /// Clearances over a road file, and the map so far; without one, all entries. Only what the work reads: the engine would
        /// copy what it shares with it before its next change.
        case changed(ClearancesInForce?, DerivedMap?, MapEntries)
    }

    /// What has been made.
    public struct Result: Sendable {
        enum Made: Sendable {
            case hazards([(height: Centimetres, HeightHazards)])
            case nearby(HeightHazards, NearbyPlace, NearbyReach, on: RoadNetwork)
            /// With where it is another; nil: that is not known.
            case map(DerivedMap, MapDifference?)
        }

        let made: Made
        let generation: Int

        /// Where hazards are others by changed clearances; nil: that is not known.
        var difference: MapDifference? { if case .map(_, let difference) = made { difference } else { nil } }

        var isNearby: Bool { if case .nearby = made { true } else { false } }

        func concerns(_ vehicle: AwaitingVehicle) -> Bool {
            if case .nearby(_, let place, _, _) = made { vehicle.place == place } else { true }
        }
    }

    let map: Map
    /// Effective heights, the most urgent first.
    let heights: [Centimetres]
    let settings: EngineSettings
    let shared: SharedHazards?
    let generation: Int

    /// Whether it is what follows from changed clearances.
    var isOnChanges: Bool { if case .changed = map { true } else { false } }

    /// Does it. May be called on any thread.
    ///
    /// - Parameter share: calls what it is given, on as many threads at once as are to share the work, and returns when all calls
    ///   have.
    public func result(share: (@escaping @Sendable () -> Void) -> Void = { $0() }) -> Result {
        switch map {
        case .inForce(var tables):
            return Result(made: .hazards(heights.map { ($0, tables.hazards(for: $0)) }), generation: generation)
        case .near(let tables, let place, let reach):
            let made = tables.hazards(near: place, reach)
            return Result(made: .nearby(made, place, reach, on: tables.network), generation: generation)
        case .changed(let clearances, let former, let entries):
            var map = DerivedMap(clearances, entries, settings, from: former, shared)
            map.tables?.makeHazards(for: heights, from: former?.tables, share: share)
            let difference = former?.tables.flatMap { before in map.tables.map { MapDifference(from: before, to: $0) } }
            return Result(made: .map(map, difference), generation: generation)
        }
    }
}

/// A vehicle of which something waits for hazards.
struct AwaitingVehicle {
    /// Why an alert ends whose hazard is not among those that come.
    var reason = AlertMessage.ClearedReason.leftPath
    /// Where it is; nil: not known.
    var place: NearbyPlace?
}

/// What is to be made elsewhere, and since when it is awaited.
struct AwaitedWork {
    private var heights: [Centimetres: Timestamp] = [:]
    private var places: [NearbyPlace: (since: Timestamp, reach: NearbyReach)] = [:]
    private var isNearbyUnderWay = false
    private(set) var hasChanges = false
    /// Whether what is under way has the changes so far.
    private var takesChanges = false
    private var isUnderWay = false
    /// Another one for each road file.
    private var generation = 0
    /// Of all clearances in force; made where it is needed.
    var straightLine: StraightLineMap?

    /// Far more than are made before the whole map is done; others wait for that.
    private static let placesMax = 1_024

    /// Whether anything is to be made for the whole map, or is being made.
    var isAwaited: Bool { hasChanges || !heights.isEmpty }

    mutating func await(_ height: Centimetres, at time: Timestamp) { heights[height] = heights[height] ?? time }

    /// - Parameter reach: which is wanted next.
    /// - Returns: since when it is awaited.
    mutating func await(_ place: NearbyPlace, _ reach: NearbyReach, at time: Timestamp) -> Timestamp {
        if let known = places[place], known.reach == reach { return known.since }
        guard places.count < Self.placesMax else { return heights[place.height] ?? time }
        places[place] = (time, reach)
        return time
    }

    /// What to begin with beside all else; nil where no place is awaited, or one is being made.
    mutating func beginNearby() -> (place: NearbyPlace, reach: NearbyReach, generation: Int)? {
        guard !isNearbyUnderWay else { return nil }
        let next = places.min { a, b in
            // What nothing is known of goes first.
            (a.value.reach.rawValue, a.value.since, a.key.height, a.key.square)
                < (b.value.reach.rawValue, b.value.since, b.key.height, b.key.square)
        }
        guard let next else { return nil }
        isNearbyUnderWay = true
        return (next.key, next.value.reach, generation)
    }

    /// - Returns: whether it is of use.
    mutating func endNearby(_ place: NearbyPlace, _ generation: Int) -> Bool {
        guard generation == self.generation else { return false }
        isNearbyUnderWay = false
        places[place] = nil
        return true
    }

    mutating func noteChange() { (hasChanges, takesChanges) = (true, false) }

    /// What to begin with; nil where nothing is to be made, or something is being made.
    mutating func begin() -> (heights: [Centimetres], hasChanges: Bool, generation: Int)? {
        guard !isUnderWay, hasChanges || !heights.isEmpty else { return nil }
        (isUnderWay, takesChanges) = (true, hasChanges)
        let urgent = heights.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        // Each is given back by itself, so that none waits for all; a changed map has them all.
        return (hasChanges ? urgent : Array(urgent.prefix(1)), hasChanges, generation)
    }

    /// - Returns: whether it is of use.
    mutating func end(_ generation: Int) -> Bool {
        guard generation == self.generation else { return false }
        isUnderWay = false
        if takesChanges { hasChanges = false }
        return true
    }

    mutating func forget(where isThere: (Centimetres) -> Bool) {
        heights = heights.filter { !isThere($0.key) }
        places = places.filter { !isThere($0.key.height) }
    }

    /// There is another road file.
    mutating func forget() {
        generation += 1
        (heights, places, straightLine) = ([:], [:], nil)
        (hasChanges, takesChanges, isUnderWay, isNearbyUnderWay) = (false, false, false, false)
    }
}
