import Fleet
import Gateway
import Geo
import Messages
import Roads

/// What is worked out from the fences and clearances in force, and from the roads, once for each change of them.
final class MapGallery: Sendable {
    private let fenceLists = Remembered<Int, FenceList>()
    private let clearanceLists = Remembered<Int, ClearanceList>()
    private let roadBounds = Remembered<UInt64, Bounds?>()

    func fences(_ map: MapPicture) -> FenceList {
        fenceLists.value(for: map.fenceRevision) { FenceList(map.fences) }
    }

    func clearances(_ map: MapPicture) -> ClearanceList {
        clearanceLists.value(for: map.clearanceRevision) { ClearanceList(map) }
    }

    func bounds(of network: RoadNetwork) -> Bounds? {
        roadBounds.value(for: network.fingerprint) { network.bounds }
    }
}
