import Geo
import Messages
import Roads

/// What takes longer than others may wait: hazards for another height, and all that follows from changed clearances. On a map of
/// a country that is seconds.
///
/// Taken from the engine that needs it, done on any thread, and given back: until then vehicles go by what is in force, and
/// those of a height whose hazards are not there wait.
public struct MapWork: Sendable {
    enum Map: Sendable {
        case inForce(HazardTables)
        /// Clearances over a road file, and the hazards so far; without one, all entries.
        case changed(LiveClearances?, HazardTables?, MapEntries)
    }

    /// What has been made.
    public struct Result: Sendable {
        enum Made: Sendable {
            case hazards([(height: Centimetres, HeightHazards)])
            case map(DerivedMap)
        }

        let made: Made
        let generation: Int
    }

    let map: Map
    /// Effective heights, the most urgent first.
    let heights: [Centimetres]
    let settings: EngineSettings
    let shared: SharedHazards?
    let generation: Int

    /// Does it. May be called on any thread.
    public func result() -> Result {
        switch map {
        case .inForce(var tables):
            return Result(made: .hazards(heights.map { ($0, tables.hazards(for: $0)) }), generation: generation)
        case .changed(var live, var former, let entries):
            var map = DerivedMap(&live, entries, settings, shared)
            for height in heights { map.tables?.hazards(for: height, from: former?.known(height)) }
            return Result(made: .map(map), generation: generation)
        }
    }
}

/// What is to be made elsewhere, and since when it is awaited.
struct AwaitedWork {
    private var heights: [Centimetres: Timestamp] = [:]
    private(set) var hasChanges = false
    /// Whether what is under way has the changes so far.
    private var takesChanges = false
    private var isUnderWay = false
    /// Another one for each road file.
    private var generation = 0
    /// Of all clearances in force; made where it is needed.
    var straightLine: StraightLineMap?

    mutating func await(_ height: Centimetres, at time: Timestamp) -> Timestamp {
        let since = heights[height] ?? time
        heights[height] = since
        return since
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

    mutating func forget(where isThere: (Centimetres) -> Bool) { heights = heights.filter { !isThere($0.key) } }

    /// There is another road file.
    mutating func forget() {
        generation += 1
        (heights, straightLine) = ([:], nil)
        (hasChanges, takesChanges, isUnderWay) = (false, false, false)
    }
}
