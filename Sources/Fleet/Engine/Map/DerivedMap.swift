import Clearances
import Geo
import Messages
import Roads

/// What follows from roads and clearances; hazards are made on first use for each height.
struct DerivedMap: Sendable {
    /// With all clearances in force; nil without a road file.
    let network: RoadNetwork?
    /// Nil without a road file.
    var tables: HazardTables?
    /// What no road leads under, as far as is known.
    let straightLine: StraightLineMap
    /// Without a road file, by effective height.
    private var regions: [Centimetres: ClearanceRegions] = [:]
    private let settings: EngineSettings

    /// - Parameters:
    ///   - entries: what is judged by straight line where there are no roads.
    ///   - former: on the same roads, before clearances changed; nil: there is none.
    ///   - shared: of the same roads and clearances; nil: nobody shares what is found on them.
    private init(
        _ network: RoadNetwork?, _ entries: MapEntries, _ settings: EngineSettings, from former: DerivedMap?,
        shared: SharedHazards.OnMap?
    ) {
        self.settings = settings
        self.network = network
        tables = network.map { HazardTables($0, settings, shared: shared) }
        if let network, let former, let before = former.network, network.hasSameUnsnapped(as: before) {
            straightLine = former.straightLine
        } else {
            straightLine = StraightLineMap(
                network.map { $0.unsnappedClearances.map($0.clearance) } ?? entries.inForce.map { Clearance($0) },
                from: former?.straightLine)
        }
    }

    /// - Parameters:
    ///   - clearances: nil without a road file.
    ///   - former: as above.
    init(
        _ clearances: ClearancesInForce?, _ entries: MapEntries, _ settings: EngineSettings, from former: DerivedMap?,
        _ shared: SharedHazards?
    ) {
        var clearances = clearances
        let network = clearances?.network
        let map = network.flatMap { network in clearances.flatMap { shared?.onMap($0.roads, network, settings) } }
        self.init(network, entries, settings, from: former, shared: map)
    }

    /// All clearances, by straight line.
    func everythingByStraightLine() -> StraightLineMap {
        guard let network else { return straightLine }
        let counting = (0..<network.clearanceCount).map { ClearanceID($0) }.filter { id in
            if case .merged = network.status(id) { false } else { true }
        }
        return StraightLineMap(counting.map(network.clearance))
    }

    /// Without a road file.
    ///
    /// - Parameter height: effective.
    mutating func regionsWithoutRoads(for height: Centimetres) -> ClearanceRegions {
        if let known = regions[height] { return known }
        let unplaced = straightLine.clearances.filter { settings.warns(of: $0, height: height) }
        let made = ClearanceRegions(unplaced: unplaced, settings)
        if regions.count >= HazardTables.tablesMax { regions = [:] }
        regions[height] = made
        return made
    }
}
