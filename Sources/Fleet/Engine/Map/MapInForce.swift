import Clearances
import Geo
import Messages
import Roads

/// The map that vehicles are judged by: roads where there are any, the clearances on them and beside them, and what has
/// been derived from both.
///
/// What is derived is made where it is first asked for, or, where that takes longer than anybody may wait, elsewhere: see
/// `MapWork`.
final class MapInForce {
    let settings: EngineSettings
    private(set) var entries = MapEntries()
    /// Nil without a road file.
    private var roads: RoadFileRoads?
    private var live: LiveClearances?
    private var derived: DerivedMap?
    /// Before the clearances changed, where all is made on first use: what is the same is taken from it.
    private var former: DerivedMap?
    private let shared: SharedHazards?
    /// Counts up with every change that comes into force.
    private(set) var revision = 0
    /// What is made elsewhere; nil where all is made on first use.
    private var work: AwaitedWork?

    /// - Parameters:
    ///   - network: nil: no road file.
    ///   - files: clearances that were read beside the road file.
    init(
        _ network: RoadNetwork?, files: [PointClearance], _ settings: EngineSettings, shared: SharedHazards? = nil
    ) {
        (self.settings, self.shared) = (settings, shared)
        replace(network, files: files)
    }

    var parts: Parts {
        Parts(
            settings: settings, entries: entries, network: roads?.network, live: live, derived: derived,
            turnModel: turnModel, shared: shared, work: work)
    }

    init(_ parts: Parts) {
        (settings, entries, live, shared) = (parts.settings, parts.entries, parts.live, parts.shared)
        roads = parts.network.map { RoadFileRoads($0, parts.turnModel) }
        (derived, work) = (parts.derived, parts.work)
    }

    /// Another road file, other files beside it; what dispatch keeps stays in force.
    func replace(_ network: RoadNetwork?, files: [PointClearance]) {
        revision += 1
        entries.files = Dictionary(files.map { ($0.$id, $0) }, uniquingKeysWith: { _, last in last })
        (derived, former) = (nil, nil)
        work?.forget()
        let turns = roads?.turns ?? []
        roads = network.map { RoadFileRoads($0) }
        add(turns)
        live = network.map { LiveClearances($0, snapDistance: settings.heights.snapDistance) }
        _ = live?.replaceAll(from: .file, with: files)
        _ = live?.replaceAll(from: .topic, with: entries.topics.values.sorted { $0.$id < $1.$id })
    }

    // MARK: What holds

    /// With all clearances in force; nil without a road file.
    var network: RoadNetwork? {
        derive()
        return derived?.network
    }

    /// - Parameter isAwaited: whether hazards for the vehicle's height are awaited.
    func data(isAwaited: Bool = false) -> MapData {
        MapData(
            hasRoads: roads != nil, isAwaited: isAwaited,
            hasClearances: roads != nil || entries.count > 0)
    }

    /// What no road leads under, as far as is known.
    var straightLine: StraightLineMap { inForce { $0.straightLine } }

    /// Nil without a road file, and where they are awaited.
    ///
    /// - Parameters:
    ///   - height: effective.
    ///   - place: those near it will do; nil: they will not.
    func hazards(for height: Centimetres, near place: Coordinate?) -> HeightHazards? {
        if let known = hazards(for: height) { return known }
        return place.flatMap { derived?.tables?.nearby(NearbyPlace(height: height, square: MapSquare($0)))?.hazards }
    }

    /// Those of the whole map.
    func hazards(for height: Centimetres) -> HeightHazards? {
        if let known = inForce({ $0.tables?.known(height) }) { return known }
        guard work == nil else { return nil }
        let like = former?.tables?.known(height)
        return inForce { $0.tables?.hazards(for: height, from: like) }
    }

    /// The regions of the clearances that a vehicle of an effective height is told of; nil where they are awaited.
    func clearanceRegions(for height: Centimetres) -> ClearanceRegions? {
        guard roads == nil else { return hazards(for: height)?.regions }
        return inForce { $0.regionsWithoutRoads(for: height) }
    }

    private func inForce<Value>(_ body: (inout DerivedMap) -> Value) -> Value {
        derive()
        return body(&derived!)
    }

    private func derive() {
        if derived == nil { derived = DerivedMap(live?.inForce, entries, settings, from: former, shared) }
    }

    // MARK: Work that is done elsewhere

    /// From here on hazards, and what changed clearances lead to, are made elsewhere.
    func doWorkElsewhere() {
        work = work ?? AwaitedWork()
        former = nil
    }

    /// Has what follows from the clearances made once more.
    func makeAgain() { work?.noteChange() }

    var isWorkDoneElsewhere: Bool { work != nil }

    /// Whether the hazards for a height are awaited: they are not there, and there are roads. Asking has them made.
    func isAwaited(_ height: Centimetres, at time: Timestamp) -> Bool {
        guard work != nil, roads != nil, hazards(for: height) == nil else { return false }
        work?.await(height, at: time)
        return true
    }

    /// Since when those near a place are awaited, for a height whose hazards are; nil where there are some to judge by. Asking
    /// has them made, and then all that may matter there.
    func awaitedNearby(_ place: NearbyPlace, at time: Timestamp) -> Timestamp? {
        let known = derived?.tables?.nearby(place)?.reach
        guard known != .complete else { return nil }
        let since = work?.await(place, known == nil ? .soon : .complete, at: time)
        return known == nil ? since : nil
    }

    /// Whether something that a vehicle at a place may be told of is still to be found.
    func isIncomplete(near place: NearbyPlace?) -> Bool {
        place.map { derived?.tables?.nearby($0)?.reach != .complete } ?? true
    }

    /// Whether hazards of the whole map, for any height, are being made elsewhere.
    var awaitsHazards: Bool { work?.isAwaited ?? false }

    /// Whether clearances have changed, and what that leads to is not in force yet.
    var isBehind: Bool { work?.hasChanges ?? false }

    /// All clearances by straight line, for who has waited for hazards too long.
    var everythingByStraightLine: StraightLineMap {
        if let known = work?.straightLine { return known }
        let made = inForce { $0.everythingByStraightLine() }
        work?.straightLine = made
        return made
    }

    /// What is to be done now; nil: nothing, or it is under way.
    func takeWork() -> MapWork? { takeWorkNearby() ?? takeWorkOnWholeMap() }

    private func takeWorkNearby() -> MapWork? {
        guard let tables = derived?.tables, let task = work?.beginNearby() else { return nil }
        return MapWork(
            map: .near(tables, task.place, task.reach), heights: [], settings: settings, shared: shared,
            generation: task.generation)
    }

    private func takeWorkOnWholeMap() -> MapWork? {
        guard var work, let task = work.begin() else { return nil }
        let known = derived?.tables?.heights ?? []
        guard task.hasChanges || derived?.tables != nil else { return nil }
        self.work = work
        let map: MapWork.Map =
            if task.hasChanges { .changed(live?.inForce, derived, live == nil ? entries : MapEntries()) } else {
                .inForce(derived!.tables!)
            }
        let heights = task.hasChanges ? task.heights + known.filter { !task.heights.contains($0) } : task.heights
        return MapWork(map: map, heights: heights, settings: settings, shared: shared, generation: task.generation)
    }

    /// Puts in force what has been done.
    ///
    /// - Returns: whether clearances have changed; nil where it was done for a road file that is not in force any more.
    func install(_ result: MapWork.Result) -> Bool? {
        switch result.made {
        case .nearby(let hazards, let place, let reach, let network):
            guard work?.endNearby(place, result.generation) == true else { return nil }
            // Where clearances have changed meanwhile, they are made again for who asks.
            let isInForce = derived?.tables?.network === network
            if isInForce, self.hazards(for: place.height) == nil { derived?.tables?.add(hazards, near: place, reach) }
            return false
        case .hazards(let made):
            guard work?.end(result.generation) == true else { return nil }
            for (height, hazards) in made { derived?.tables?.add(hazards, for: height) }
            forgetMade()
            return false
        case .map(let map, _):
            guard work?.end(result.generation) == true else { return nil }
            derived = map
            map.network.map { live?.noteMade($0) }
            revision += 1
            work?.straightLine = nil
            forgetMade()
            return true
        }
    }

    /// What is there now is awaited no longer.
    private func forgetMade() { work?.forget { height in derived?.tables?.known(height) != nil } }

    // MARK: Routes and turns

    /// Nil without a road file.
    var guide: RouteGuide? { network.flatMap { roads?.guide(on: $0) } }

    /// How this fleet turned at junctions.
    var turnModel: TurnModel { roads?.turnModel ?? TurnModel() }

    /// Takes up how the fleet turned, as it was kept.
    func take(_ turns: [TurnCounts.Row]) {
        roads?.forgetTurns()
        add(turns)
    }

    /// Counts turns as they were kept.
    func add(_ turns: [TurnCounts.Row]) { roads?.add(turns) }

    /// Counts the turns that a vehicle has taken since its fix before, where its place is certain.
    func countTurns(along roads: [MatchedRoad]) -> [TurnCounts.Row] {
        settings.countsTurns ? self.roads?.countTurns(along: roads) ?? [] : []
    }

    // MARK: Changes

    /// What became of a change, and where something is no longer as it was.
    struct Outcome {
        /// Nil where an entry was taken back.
        var registration: Registration?
        var places: [Coordinate]
    }

    /// - Returns: nil where it says what is in force already.
    func apply(_ change: ClearanceChange) -> Outcome? {
        let before = entries.topics[change.$id]
        let file = entries.files[change.$id]
        guard before != change.clearance else { return nil }
        let places = [before ?? file, change.clearance ?? file].compactMap { $0?.position }
        guard let clearance = change.clearance else {
            entries.setTopic(change.$id, nil)
            live?.remove(change.id)
            noteChange()
            return Outcome(registration: nil, places: places)
        }
        let known = entries.clearance(change.$id)?.reading ?? live?.mappedReading(change.id)
        var registration = Registration(.clearance, id: change.id, put(clearance))
        if case .monitoring(let note, _) = registration.outcome {
            registration.outcome = .monitoring(note: note, was: known?.limitRaised(by: clearance.reading))
            entries.setTopic(change.$id, clearance)
            noteChange()
            registration.unknown = change.unknown
        }
        return Outcome(registration: registration, places: places)
    }

    /// Takes back the entries of topics that hold no longer.
    ///
    /// - Returns: where something is no longer as it was.
    func expire(at time: Timestamp) -> [Coordinate] {
        entries.takeEnded(at: time).flatMap { apply(ClearanceChange(id: $0, clearance: nil))?.places ?? [] }
    }

    private func noteChange() {
        // What has never been derived need not be kept while another is made.
        guard work != nil, derived != nil else {
            former = derived ?? former
            derived = nil
            revision += 1
            return
        }
        work?.noteChange()
    }

    private func put(_ clearance: PointClearance) -> Registration.Outcome {
        let full = "\(LiveClearances.countMax) clearances are in force already; more belong into the road file"
        switch live?.set(clearance) {
        case nil where entries.count >= LiveClearances.countMax && entries.topics[clearance.$id] == nil:
            return .failed(reason: full)
        case nil: return .monitoring(note: "there is no road file: judged by straight line")
        case .tooMany: return .failed(reason: full)
        case .unsnapped(let reason):
            return .monitoring(note: "no road found (\(reason)): judged by straight line")
        case .unchanged, .overriding, .snapped: return .monitoring(note: nil)
        }
    }
}
