import Clearances
import Geo
import Messages
import Roads

/// The hazards of one kind for one height, and where to find them again.
struct Hazards {
    let table: HazardTable
    /// Whether nobody knows if the vehicle fits.
    let isUnknown: Bool
    private let byEntry: [EdgeKey: Int]

    init(_ table: HazardTable, isUnknown: Bool, _ network: RoadNetwork) {
        self.table = table
        self.isUnknown = isUnknown
        let keys = table.hazards.enumerated().map { (network.key($1.entry), $0) }
        byEntry = Dictionary(keys, uniquingKeysWith: { first, _ in first })
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

/// What lies before vehicles of one effective height.
struct HeightHazards {
    let low: Hazards
    /// Clearances of unknown height; nil where nobody is told of them, or there are none.
    let unknown: Hazards?

    var tables: [HazardTable] { [low.table] + (unknown.map { [$0.table] } ?? []) }
}

/// The hazards for each height that is driven. Heights between two limits on the map share one table.
struct HazardTables {
    /// A fleet has a handful of heights; a table is some hundred kilobytes. Beyond this the cache starts anew.
    static let tablesMax = 64

    let network: RoadNetwork
    private let settings: EngineSettings
    private let limits: [Centimetres]
    private var tables: [Int: HeightHazards] = [:]
    private var zones: [Int: AlertZone] = [:]
    private var regions: [Int: ClearanceRegions] = [:]

    init(_ network: RoadNetwork, _ settings: EngineSettings) {
        self.network = network
        self.settings = settings
        limits = Set(network.distinctLimits + [settings.heights.legalDefault]).sorted()
    }

    /// - Parameter height: effective.
    mutating func hazards(for height: Centimetres) -> HeightHazards {
        let rank = rank(height)
        if let known = tables[rank] { return known }
        if tables.count >= Self.tablesMax { (tables, zones, regions) = ([:], [:], [:]) }
        let low = HazardTable(network, height: height, rules: settings.detours)
        let hazards = HeightHazards(
            low: Hazards(low, isUnknown: false, network), unknown: unknown(for: height))
        tables[rank] = hazards
        return hazards
    }

    /// - Parameter height: effective.
    mutating func alertZone(for height: Centimetres) -> AlertZone {
        let rank = rank(height)
        if let known = zones[rank] { return known }
        let zone = AlertZone(network, hazards(for: height).tables, reach: QuietFinder.reach(settings))
        zones[rank] = zone
        return zone
    }

    /// - Parameter height: effective.
    mutating func clearanceRegions(for height: Centimetres) -> ClearanceRegions {
        let rank = rank(height)
        if let known = regions[rank] { return known }
        let unplaced = network.unsnappedClearances.map(network.clearance).filter {
            settings.warns(of: $0, height: height)
        }
        let made = ClearanceRegions(hazards(for: height).tables, on: network, unplaced: unplaced, settings)
        regions[rank] = made
        return made
    }

    private func rank(_ height: Centimetres) -> Int { limits.firstIndex { $0 >= height } ?? limits.count }

    private func unknown(for height: Centimetres) -> Hazards? {
        let judged = (0..<network.clearanceCount).map { ClearanceID($0) }.filter { isJudged($0, height) }
        guard !judged.isEmpty else { return nil }
        let table = HazardTable(network, height: height, rules: settings.detours, unknown: Set(judged).contains)
        return Hazards(table, isUnknown: true, network)
    }

    private func isJudged(_ id: ClearanceID, _ height: Centimetres) -> Bool {
        let verdict = network.reading(id).verdict(height: height, legalDefault: settings.heights.legalDefault)
        return verdict == .unknown && settings.alerts.tells(of: network.clearance(id), verdict)
    }
}
