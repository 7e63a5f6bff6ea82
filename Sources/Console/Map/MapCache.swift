import Fleet
import Gateway
import Geo
import Messages
import Roads

/// What is worked out from the fences and clearances in force, and from the roads, once for each change of them.
final class MapCache: Sendable {
    private let fenceLists = Cached<Int, FenceList>()
    private let clearanceLists = Cached<Int, ClearanceList>()
    private let roadBounds = Cached<UInt64, Bounds?>()

    func fences(_ map: MapSnapshot) -> FenceList {
        fenceLists.value(for: map.fenceRevision) { FenceList(map.fences) }
    }

    func clearances(_ map: MapSnapshot) -> ClearanceList {
        clearanceLists.value(for: map.clearanceRevision) { ClearanceList(map) }
    }

    func bounds(of network: RoadNetwork) -> Bounds? {
        roadBounds.value(for: network.fingerprint) { network.bounds }
    }
}
