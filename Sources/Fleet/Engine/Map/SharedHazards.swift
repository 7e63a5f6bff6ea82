import Roads
import Synchronization

/// Hazards that are found once for all engines on the same roads, as those of a gateway's shards.
///
/// They depend on roads, clearances, height and settings alone, so that an engine says the same with and without this. May be
/// used by several threads: who asks for what another one is looking for waits until it is found.
public final class SharedHazards: Sendable {
    private let mapsMax: Int
    /// The newest last.
    private let maps = Mutex<[OnMap]>([])

    /// - Parameter mapsMax: for so many states of the clearances hazards are kept; some megabytes each on a large map. Two are
    ///   enough for shards, which come to a change one soon after the other.
    public init(mapsMax: Int = 2) { self.mapsMax = mapsMax }

    /// Those of one road file and the clearances in force on it.
    final class OnMap: Sendable {
        private final class Place: Sendable {
            let found = Mutex<HeightHazards?>(nil)
        }

        fileprivate let roads: RoadNetwork
        /// With the clearances.
        private let network: RoadNetwork
        private let settings: EngineSettings
        private let places = Mutex<[Int: Place]>([:])

        fileprivate init(_ roads: RoadNetwork, _ network: RoadNetwork, _ settings: EngineSettings) {
            (self.roads, self.network, self.settings) = (roads, network, settings)
        }

        fileprivate func isOf(_ roads: RoadNetwork, _ network: RoadNetwork, _ settings: EngineSettings) -> Bool {
            roads === self.roads && settings == self.settings && network.hasSameLiveClearances(as: self.network)
        }

        /// - Parameters:
        ///   - rank: of the height, as `HazardTables` has it.
        ///   - find: called where nobody has found them.
        func hazards(rank: Int, find: () -> HeightHazards) -> HeightHazards {
            let place = places.withLock { places in
                if let place = places[rank] { return place }
                if places.count >= HazardTables.tablesMax { places = [:] }
                let place = Place()
                places[rank] = place
                return place
            }
            return place.found.withLock { found in
                if let found { return found }
                let new = find()
                found = new
                return new
            }
        }
    }

    /// - Parameters:
    ///   - roads: as the road file has them; hazards on other roads are forgotten.
    ///   - network: the same, with the clearances that are in force on them.
    func onMap(_ roads: RoadNetwork, _ network: RoadNetwork, _ settings: EngineSettings) -> OnMap {
        maps.withLock { maps in
            let place = maps.firstIndex { $0.isOf(roads, network, settings) }
            let map = place.map { maps.remove(at: $0) } ?? OnMap(roads, network, settings)
            maps.removeAll { $0.roads !== roads }
            maps = maps.suffix(max(0, mapsMax - 1)) + [map]
            return map
        }
    }
}
