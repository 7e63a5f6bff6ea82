import Clearances
import Geo
import Messages
import Roads

/// The hazards of one kind for one height, and where to find them again.
final class Hazards: Sendable {
    let table: HazardTable
    /// Whether nobody knows if the vehicle fits.
    let isUnknown: Bool
    /// What notices go by; nil where nobody is told but on the way there.
    let ways: DecisionDistances?
    /// `PlaceKey.clearance` of the structure of each hazard of the table.
    let keys: [UInt32]
    private let byEntry: [EdgeKey: Int]

    init(_ table: HazardTable, isUnknown: Bool, ways: DecisionDistances? = nil, _ network: RoadNetwork) {
        self.table = table
        self.isUnknown = isUnknown
        self.ways = ways
        keys = table.hazards.indices.map { PlaceKey.clearance(network.clearance(table.structure($0)).id) }
        let entries = table.hazards.enumerated().map { (network.key($1.entry), $0) }
        byEntry = Dictionary(entries, uniquingKeysWith: { first, _ in first })
    }

    /// Position in the table's `hazards`; nil where that is no hazard for this height, or not on this map.
    func index(of subject: OpenAlert.Subject) -> Int? {
        switch subject {
        case .entry(let key): isUnknown ? nil : byEntry[key]
        case .unknownEntry(let key): isUnknown ? byEntry[key] : nil
        case .straightLine: nil
        }
    }

    func subject(_ key: EdgeKey) -> OpenAlert.Subject { isUnknown ? .unknownEntry(key) : .entry(key) }
}

/// What lies before vehicles of one effective height, or of any other between the same two limits of the map.
final class HeightHazards: Sendable {
    let low: Hazards
    /// Clearances of unknown height; nil where nobody is told of them, or there are none.
    let unknown: Hazards?
    /// Where alerts about them may come from.
    let zone: AlertZone
    let regions: ClearanceRegions

    /// - Parameter others: those of other heights, or of other clearances on the same roads, the likest first: what is the
    ///   same in both is taken from them.
    init(
        _ network: RoadNetwork, height: Centimetres, _ settings: EngineSettings, from others: [HeightHazards] = []
    ) {
        let table = HazardTable(network, height: height, rules: settings.detours, from: others.map(\.low.table))
        let reach = QuietFinder.reach(settings)
        let former = others.first
        let isSame = former.map { table.leads(as: $0.low.table) } ?? false
        let ways =
            isSame
            ? former?.low.ways
            : DecisionDistances(network, table, reach: reach, from: former?.low.ways) {
                $0.isPublic || settings.alerts.serviceRoads
            }
        low = Hazards(table, isUnknown: false, ways: ways, network)
        unknown = Self.unknown(network, height, settings, from: others.compactMap(\.unknown?.table))
        let tables = [low.table] + (unknown.map { [$0.table] } ?? [])
        let sameZone = isSame && Self.leads(unknown, as: former?.unknown) ? former?.zone : nil
        zone = sameZone ?? AlertZone(network, tables, reach: reach, from: former?.zone)
        let unplaced = network.unsnappedClearances.map(network.clearance).filter {
            settings.warns(of: $0, height: height)
        }
        regions = ClearanceRegions(tables, on: network, unplaced: unplaced, settings)
    }

    private static func leads(_ some: Hazards?, as other: Hazards?) -> Bool {
        guard let some, let other else { return some == nil && other == nil }
        return some.table.leads(as: other.table)
    }

    private static func unknown(
        _ network: RoadNetwork, _ height: Centimetres, _ settings: EngineSettings, from former: [HazardTable]
    ) -> Hazards? {
        let judged = (0..<network.clearanceCount).map { ClearanceID($0) }.filter { id in
            let verdict = network.reading(id).verdict(height: height, legalDefault: settings.heights.legalDefault)
            return verdict == .unknown && settings.alerts.tells(of: network.clearance(id), verdict)
        }
        guard !judged.isEmpty else { return nil }
        let table = HazardTable(
            network, height: height, rules: settings.detours, from: former, unknown: Set(judged).contains)
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
    @discardableResult
    mutating func hazards(for height: Centimetres, from former: HeightHazards? = nil) -> HeightHazards {
        if let known = known(height) { return known }
        func find() -> HeightHazards {
            // What the change concerns at one height it mostly concerns at the next in the same way.
            HeightHazards(network, height: height, settings, from: [former, like(height)].compactMap(\.self))
        }
        let made = shared?.hazards(rank: rank(height), find: find) ?? find()
        add(made, for: height)
        return made
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
        byRank[rank(height)] = hazards
        byHeight[height] = hazards
    }

    private func rank(_ height: Centimetres) -> Int { limits.firstIndex { $0 >= height } ?? limits.count }
}
