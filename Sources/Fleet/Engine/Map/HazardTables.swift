import Algorithms
import Clearances
import Geo
import Messages
import Roads
import Synchronization

/// The hazards of one kind for one height, and where to find them again.
final class Hazards: Sendable {
    let table: HazardTable
    /// Whether nobody knows if the vehicle fits.
    let isUnknown: Bool
    /// What notices go by; nil where nobody is told but on the way there.
    let ways: DecisionDistances?
    /// `PlaceKey.clearance` of the structure of each hazard of the table.
    let keys: [UInt32]
    /// Ascending: to search it takes a third of a look-up by hash.
    private let byEntry: [(key: EdgeKey, hazard: Int)]

    init(_ table: HazardTable, isUnknown: Bool, ways: DecisionDistances? = nil, _ network: RoadNetwork) {
        self.table = table
        self.isUnknown = isUnknown
        self.ways = ways
        keys = table.hazards.indices.map { PlaceKey.clearance(network.clearance(table.structure($0)).id) }
        byEntry = table.hazards.enumerated().map { (key: network.key($1.entry), hazard: $0) }
            .sorted { $0.key == $1.key ? $0.hazard < $1.hazard : $0.key.numbers < $1.key.numbers }
    }

    /// Position in the table's `hazards`; nil where that is no hazard for this height, or not on this map.
    func index(of subject: OpenAlert.Subject) -> Int? {
        switch subject {
        case .entry(let key): isUnknown ? nil : index(of: key)
        case .unknownEntry(let key): isUnknown ? index(of: key) : nil
        case .straightLine: nil
        }
    }

    /// The first with that entry.
    private func index(of entry: EdgeKey) -> Int? {
        let position = byEntry.partitioningIndex { !($0.key.numbers < entry.numbers) }
        return position < byEntry.count && byEntry[position].key == entry ? byEntry[position].hazard : nil
    }

    func subject(_ key: EdgeKey) -> OpenAlert.Subject { isUnknown ? .unknownEntry(key) : .entry(key) }
}

extension EdgeKey {
    fileprivate var numbers: (Int64, Int64, Int64) { (way, from, to) }
}

/// What lies before vehicles of one effective height, or of any other between the same two limits of the map.
final class HeightHazards: Sendable {
    let low: Hazards
    /// Clearances of unknown height; nil where nobody is told of them, or there are none.
    let unknown: Hazards?
    /// Where alerts about them may come from.
    let zone: AlertZone
    let regions: ClearanceRegions

    /// - Parameters:
    ///   - area: hazards that are entered outside of it are left out; nil: none are.
    ///   - others: those of other heights, or of other clearances on the same roads, the likest first: what is the same in both
    ///     is taken from them.
    ///   - memory: of the same roads; nil: none is kept.
    init(
        _ network: RoadNetwork, height: Centimetres, _ settings: EngineSettings, within area: Bounds? = nil,
        from others: [HeightHazards] = [], memory: SearchMemory? = nil
    ) {
        let memory = memory ?? SearchMemory(network)
        let judged = settings.unknownClearances(on: network, height: height)
        let table = HazardTable(
            network, height: height, rules: settings.detours,
            avoiding: TooLowEdges(network, unknown: judged.contains), within: area, from: others.map(\.low.table),
            memory: memory)
        let reach = QuietFinder.reach(settings)
        // To look through those of the whole map takes longer than to make those of a part.
        let former = area == nil ? others : []
        let same = former.first { table.leads(as: $0.low.table) }
        let ways =
            same.map(\.low.ways)
            ?? DecisionDistances(
                network, table, reach: reach, from: former.compactMap(\.low.ways), memory: memory
            ) { $0.isPublic || settings.alerts.serviceRoads }
        low = Hazards(table, isUnknown: false, ways: ways, network)
        let unknown = Self.unknown(
            judged, network, height, settings, within: area, from: others.compactMap(\.unknown?.table), memory)
        self.unknown = unknown
        let tables = [low.table] + (unknown.map { [$0.table] } ?? [])
        let sameZone = same.flatMap { Self.leads(unknown, as: $0.unknown) ? $0.zone : nil }
        zone = sameZone ?? AlertZone(network, tables, reach: reach, from: former.map(\.zone), memory: memory)
        let unplaced = network.unsnappedClearances(below: height).map(network.clearance).filter { clearance in
            settings.warns(of: clearance, height: height)
        }
        regions = ClearanceRegions(tables, on: network, unplaced: unplaced, settings)
    }

    private static func leads(_ some: Hazards?, as other: Hazards?) -> Bool {
        guard let some, let other else { return some == nil && other == nil }
        return some.table.leads(as: other.table)
    }

    private static func unknown(
        _ judged: Set<ClearanceID>, _ network: RoadNetwork, _ height: Centimetres, _ settings: EngineSettings,
        within area: Bounds?, from former: [HazardTable], _ memory: SearchMemory
    ) -> Hazards? {
        guard !judged.isEmpty else { return nil }
        let table = HazardTable(
            network, height: height, rules: settings.detours, within: area, from: former, memory: memory,
            unknown: judged.contains)
        return Hazards(table, isUnknown: true, network)
    }
}

/// The hazards for each height that is driven.
struct HazardTables: Sendable {
    /// More than there are heights: whole centimetres up to 6 m, and a margin. With fewer, a fleet of as many heights would have its
    /// tables made anew for ever. A fleet has a handful; what is kept for one is some megabytes, most of which neighbours share.
    static let tablesMax = 1_024

    let network: RoadNetwork
    private let settings: EngineSettings
    /// At these heights hazards become others; ascending.
    private let limits: [Centimetres]
    /// By the number of limits below a height.
    private var byRank: [Int: HeightHazards] = [:]
    private var byHeight: [Centimetres: HeightHazards] = [:]
    /// Those near a square, as long as those of the whole map are not there; by the number of limits below a height.
    private var nearby: [NearbyKey: (hazards: HeightHazards, reach: NearbyReach)] = [:]
    /// The oldest first.
    private var nearbyKeys: [NearbyKey] = []
    /// What other engines have found; nil: nobody shares it.
    private let shared: SharedHazards.OnMap?

    init(_ network: RoadNetwork, _ settings: EngineSettings, shared: SharedHazards.OnMap?) {
        self.network = network
        self.settings = settings
        self.shared = shared
        limits = Set(network.distinctLimits + [settings.heights.legalDefault]).sorted()
    }

    /// Effective heights that hazards were asked for; ascending.
    var heights: [Centimetres] { byHeight.keys.sorted() }

    /// - Parameter height: effective.
    /// - Returns: nil where they have not been made yet.
    mutating func known(_ height: Centimetres) -> HeightHazards? {
        if let known = byHeight[height] { return known }
        guard let shared = byRank[rank(height)] else { return nil }
        byHeight[height] = shared
        return shared
    }

    /// - Parameters:
    ///   - height: effective.
    ///   - former: those of other clearances; nil: there are none.
    ///   - memory: of the same roads; nil: none is kept.
    @discardableResult
    mutating func hazards(
        for height: Centimetres, from former: HeightHazards? = nil, memory: SearchMemory? = nil
    ) -> HeightHazards {
        if let known = known(height) { return known }
        func find() -> HeightHazards {
            // What the change concerns at one height it mostly concerns at the next in the same way.
            HeightHazards(
                network, height: height, settings, from: [former, like(height)].compactMap(\.self), memory: memory)
        }
        let made = shared?.hazards(rank: rank(height), find: find) ?? find()
        add(made, for: height)
        return made
    }

    /// Makes those of several heights.
    ///
    /// - Parameters:
    ///   - former: of other clearances; nil: there are none.
    ///   - share: as of `MapWork.result`.
    mutating func makeHazards(
        for heights: [Centimetres], from former: HazardTables?, share: (@escaping @Sendable () -> Void) -> Void
    ) {
        // Those between the same two limits are the same; what is made for one is mostly that of the next.
        let groups = Set(heights).sorted().chunked { rank($0) == rank($1) }
        let common = Mutex((tables: self, groups: groups[...]))
        share { [network] in
            var former = former
            let memory = SearchMemory(network)
            while let (heights, known) = common.withLock({ common in
                common.groups.popFirst().map { ($0, common.tables) }
            }) {
                var tables = known
                let height = heights[heights.startIndex]
                let made = tables.hazards(for: height, from: former?.known(height), memory: memory)
                common.withLock { common in for height in heights { common.tables.add(made, for: height) } }
            }
        }
        self = common.withLock(\.tables)
    }

    /// Those of the next lower height that has any: what is found for it holds but where more is too low. Else those of the next
    /// higher one.
    func like(_ height: Centimetres) -> HeightHazards? {
        let rank = rank(height)
        let lower = byRank.filter { $0.key < rank }.max { $0.key < $1.key }
        return (lower ?? byRank.min { $0.key < $1.key })?.value
    }

    mutating func add(_ hazards: HeightHazards, for height: Centimetres) {
        if byRank.count >= Self.tablesMax { (byRank, byHeight) = ([:], [:]) }
        let rank = rank(height)
        byRank[rank] = hazards
        byHeight[height] = hazards
        nearbyKeys.removeAll { $0.rank == rank }
        if nearby.count > nearbyKeys.count { nearby = nearby.filter { $0.key.rank != rank } }
    }

    // MARK: Parts of the map

    private struct NearbyKey: Hashable {
        var rank: Int
        var square: MapSquare
    }

    /// Those of one place take some megabytes. Where more are awaited, the oldest are made again when somebody asks.
    static let nearbyMax = 64

    /// What is known of the surroundings of a place; nil: nothing.
    func nearby(_ place: NearbyPlace) -> (hazards: HeightHazards, reach: NearbyReach)? {
        nearby.isEmpty ? nil : nearby[key(place)]
    }

    /// Finds those that are not known yet.
    func hazards(near place: NearbyPlace, _ reach: NearbyReach) -> HeightHazards {
        let others = [nearby(place)?.hazards, like(place.height)].compactMap(\.self)
        return HeightHazards(
            network, height: place.height, settings, within: place.square.bounds(widenedBy: reach.metres), from: others)
    }

    mutating func add(_ hazards: HeightHazards, near place: NearbyPlace, _ reach: NearbyReach) {
        let key = key(place)
        if nearby[key] == nil { nearbyKeys.append(key) }
        nearby[key] = (hazards, reach)
        if nearbyKeys.count > Self.nearbyMax { nearby[nearbyKeys.removeFirst()] = nil }
    }

    private func key(_ place: NearbyPlace) -> NearbyKey { NearbyKey(rank: rank(place.height), square: place.square) }

    private func rank(_ height: Centimetres) -> Int { limits.firstIndex { $0 >= height } ?? limits.count }
}

/// A square of the map, for vehicles of one effective height.
struct NearbyPlace: Hashable {
    var height: Centimetres
    var square: MapSquare
}

extension NearbyPlace {
    /// Nil where it is not known where the vehicle is.
    ///
    /// - Parameter height: effective.
    init?(of vehicle: Vehicle, _ height: Centimetres) {
        guard let fix = vehicle.lastFix else { return nil }
        self.init(height: height, square: MapSquare(fix.position))
    }
}

/// How far round a square hazards are known.
enum NearbyReach: Int {
    /// Those that most vehicles there can be told of within a minute: found within some hundredths of a second.
    case soon
    /// All that a vehicle there can be told of: an entry is at most 30 km behind its last turn-off
    /// (`HazardFinder.reach`), of which a vehicle is told at most some 6 km before.
    case complete

    var metres: Metres {
        switch self {
        case .soon: 10_000
        case .complete: 40_000
        }
    }
}
