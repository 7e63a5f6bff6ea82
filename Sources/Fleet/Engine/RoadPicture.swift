import Geo
import Roads

/// The network in force and what has been derived from it.
struct RoadPicture {
    let network: RoadNetwork
    private var tables: HazardTables

    init(_ network: RoadNetwork, _ settings: EngineSettings) {
        self.network = network
        tables = HazardTables(network, settings)
    }

    /// - Parameter height: effective.
    mutating func hazards(for height: Centimetres) -> HeightHazards { tables.hazards(for: height) }
}
