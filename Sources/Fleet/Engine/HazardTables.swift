import Geo
import Roads

/// The hazards for each height that is driven. Heights between two limits on the map share one table.
struct HazardTables {
    /// What is kept with each table for looking hazards up.
    struct Entry {
        let table: HazardTable
        let byEntry: [EdgeKey: Int]
    }

    /// A fleet has a handful of heights; a table is some hundred kilobytes. Beyond this the cache starts anew.
    private static let tablesMax = 64

    let network: RoadNetwork
    private let rules: DetourRules
    private let limits: [Centimetres]
    private var tables: [Int: Entry] = [:]

    init(_ network: RoadNetwork, _ rules: DetourRules) {
        self.network = network
        self.rules = rules
        limits = network.distinctLimits
    }

    mutating func entry(for height: Centimetres) -> Entry {
        let rank = limits.firstIndex { $0 >= height } ?? limits.count
        if let known = tables[rank] { return known }
        if tables.count >= Self.tablesMax { tables = [:] }
        let table = HazardTable(network, height: height, rules: rules)
        let keys = table.hazards.enumerated().map { (network.key($1.entry), $0) }
        let entry = Entry(table: table, byEntry: Dictionary(keys, uniquingKeysWith: { first, _ in first }))
        tables[rank] = entry
        return entry
    }
}
