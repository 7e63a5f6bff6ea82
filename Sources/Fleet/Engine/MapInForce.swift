import Clearances
import Geo
import Messages
import Roads

/// The map that vehicles are judged by: roads where there are any, the clearances on them and beside them, and what has
/// been derived from both.
struct MapInForce {
    private let settings: EngineSettings
    /// By id; entries of topics go before those of files.
    private var files: [String: PointClearance] = [:]
    private var topics: [String: PointClearance] = [:]
    /// As the road file has it; nil without one.
    private var base: RoadNetwork?
    private var live: LiveClearances?
    private var derived: Derived?
    /// Counts up with every change.
    private(set) var revision = 0
    /// How this fleet turned at junctions.
    private(set) var turnModel = TurnModel()
    /// For turns by OSM ids; made on first use, one for a road file.
    private var edgeIndex: EdgeIndex?
    /// For routes; made on first use, one for a road file.
    private var ways: (planner: RoutePlanner, matcher: LineMatcher)?

    /// What follows from roads and clearances; made anew on first use after a change.
    private final class Derived {
        let network: RoadNetwork?
        var tables: HazardTables?
        let straightLine: StraightLineMap
        /// By effective height; without roads.
        var regions: [Centimetres: ClearanceRegions] = [:]

        init(network: RoadNetwork?, tables: HazardTables?, straightLine: StraightLineMap) {
            self.network = network
            self.tables = tables
            self.straightLine = straightLine
        }
    }

    /// - Parameters:
    ///   - network: nil: no road file.
    ///   - files: clearances that were read beside the road file.
    init(_ network: RoadNetwork?, files: [PointClearance], _ settings: EngineSettings) {
        self.settings = settings
        replace(network, files: files)
    }

    /// Another road file, other files beside it; what dispatch keeps stays in force.
    mutating func replace(_ network: RoadNetwork?, files: [PointClearance]) {
        revision += 1
        self.files = Dictionary(files.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        derived = nil
        (ways, edgeIndex) = (nil, nil)
        let turns = base.map { turnModel.counts.rows($0) } ?? []
        base = network
        take(turns)
        live = network.map { LiveClearances($0, snapDistance: settings.heights.snapDistance) }
        _ = live?.replaceAll(from: .file, with: files)
        _ = live?.replaceAll(from: .topic, with: topics.values.sorted { $0.id < $1.id })
    }

    // MARK: What holds

    /// With all clearances in force; nil without a road file.
    var network: RoadNetwork? { mutating get { inForce.network } }

    var data: MapData {
        MapData(hasRoads: base != nil, hasClearances: base != nil || !files.isEmpty || !topics.isEmpty)
    }

    /// What no road leads under, as far as is known.
    var straightLine: StraightLineMap { mutating get { inForce.straightLine } }

    /// Nil without a road file. Worked out on the first use for each height.
    mutating func hazards(for height: Centimetres) -> HeightHazards? {
        inForce.tables?.hazards(for: height)
    }

    /// Where alerts may come from at a height; nil without a road file. Worked out on the first use for each height.
    mutating func alertZone(for height: Centimetres) -> AlertZone? {
        inForce.tables?.alertZone(for: height)
    }

    /// The regions of the clearances that a vehicle of an effective height is told of. Worked out on the first use for
    /// each height.
    mutating func clearanceRegions(for height: Centimetres) -> ClearanceRegions {
        let derived = inForce
        if let regions = derived.tables?.clearanceRegions(for: height) ?? derived.regions[height] { return regions }
        let regions = ClearanceRegions(unplaced: unplaced.filter { settings.warns(of: $0, height: height) }, settings)
        if derived.regions.count >= HazardTables.tablesMax { derived.regions = [:] }
        derived.regions[height] = regions
        return regions
    }

    private var inForce: Derived {
        mutating get {
            if let derived { return derived }
            let network = live?.network
            let made = Derived(
                network: network, tables: network.map { HazardTables($0, settings) },
                straightLine: StraightLineMap(network.map { $0.unsnappedClearances.map($0.clearance) } ?? unplaced))
            derived = made
            return made
        }
    }

    /// Without roads, every clearance.
    private var unplaced: [Clearance] {
        files.merging(topics) { _, topic in topic }.values.sorted { $0.id < $1.id }.map { Clearance($0) }
    }

    /// The clearances of files and topics, by id.
    var entries: [String: (clearance: PointClearance, origin: EntryOrigin)] {
        files.mapValues { ($0, .file) }.merging(topics.mapValues { ($0, .topic) }) { _, topic in topic }
    }

    // MARK: Routes and turns

    /// Nil without a road file.
    var guide: RouteGuide? {
        mutating get {
            guard let base, let network else { return nil }
            let ways = ways ?? Self.ways(base)
            self.ways = ways
            return RouteGuide(network: network, planner: ways.planner, matcher: ways.matcher)
        }
    }

    private static func ways(_ network: RoadNetwork) -> (planner: RoutePlanner, matcher: LineMatcher) {
        let way = FastestWay(network)
        return (RoutePlanner(network, way), LineMatcher(network, way))
    }

    /// Takes up how the fleet turned, as it was kept.
    mutating func take(_ turns: [TurnCounts.Row]) {
        turnModel.counts = TurnCounts()
        add(turns)
    }

    /// Counts turns as they were kept.
    mutating func add(_ turns: [TurnCounts.Row]) {
        guard !turns.isEmpty, let base else { return }
        let index = edgeIndex ?? EdgeIndex(base)
        edgeIndex = index
        turnModel.counts.add(turns, index)
    }

    /// Counts the turns that a vehicle has taken since its fix before, where its place is certain.
    mutating func countTurns(of vehicle: Vehicle) -> [TurnCounts.Row] {
        guard settings.countsTurns, let base, let candidate = vehicle.roads.first?.candidate, candidate.route.count > 1,
            candidate.probability >= HazardWatch.certainty
        else { return [] }
        return turnModel.counts.add(candidate.route, base)
    }

    // MARK: Changes

    /// What became of a change, and where something is no longer as it was.
    struct Outcome {
        /// Nil where an entry was taken back.
        var registration: Registration?
        var places: [Coordinate]
    }

    /// - Returns: nil where it says what is in force already.
    mutating func apply(_ change: ClearanceChange) -> Outcome? {
        let before = topics[change.id]
        guard before != change.clearance else { return nil }
        let places = [before ?? files[change.id], change.clearance ?? files[change.id]].compactMap { $0?.position }
        guard let clearance = change.clearance else {
            topics[change.id] = nil
            live?.remove(change.id)
            derived = nil
            revision += 1
            return Outcome(registration: nil, places: places)
        }
        let known = reading(change.id)
        var registration = Registration(.clearance, id: change.id, put(clearance))
        if case .monitoring(let note, _) = registration.outcome {
            registration.outcome = .monitoring(note: note, was: known?.limitRaised(by: clearance.reading))
            topics[change.id] = clearance
            derived = nil
            revision += 1
            registration.unknown = change.unknown
        }
        return Outcome(registration: registration, places: places)
    }

    /// What is in force under an id: a topic's entry before a file's before the map's.
    private func reading(_ id: String) -> ClearanceReading? {
        (topics[id] ?? files[id])?.reading ?? live?.mappedReading(id)
    }

    private mutating func put(_ clearance: PointClearance) -> Registration.Outcome {
        let full = "\(LiveClearances.countMax) clearances are in force already; more belong into the road file"
        guard live != nil else {
            let isFull = files.count + topics.count >= LiveClearances.countMax && topics[clearance.id] == nil
            return isFull
                ? .failed(reason: full) : .monitoring(note: "there is no road file: judged by straight line")
        }
        switch live?.set(clearance) {
        case .tooMany: return .failed(reason: full)
        case .unsnapped(let reason):
            return .monitoring(note: "no road found (\(reason.rawValue)): judged by straight line")
        default: return .monitoring(note: nil)
        }
    }
}
