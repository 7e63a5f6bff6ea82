import Clearances
import Geo
import Hashing
import Messages
import Roads

/// What the regions of clearances must hold; see `ClearanceRegions`.
struct ClearanceExtents {
    private struct Extent {
        var center: Coordinate
        /// The radius of a circle round all that is held.
        var radius: Metres = 0
    }

    /// By id.
    private var extents: [BytewiseText: Extent] = [:]

    /// The hazards of a table, each under the clearance that its alerts name.
    mutating func add(_ table: HazardTable, _ network: RoadNetwork) {
        let clearances = table.hazards.map { network.clearance($0.structures[0]) }
        for (clearance, hazard) in zip(clearances, table.hazards) {
            hold(clearance.position, clearance.$id)
            hold(network.coordinate(network.from(hazard.entry)), clearance.$id)
        }
        // In no order: the largest of the distances is the same in any.
        for (arriving, decisions) in table.decisions {
            let junction = network.coordinate(network.to(arriving))
            for decision in decisions { hold(junction, clearances[decision.hazard].$id) }
        }
    }

    /// One that limits no known road, with its turn-offs as far as they are known, and as far as they are looked for.
    mutating func add(_ clearance: Clearance) {
        hold(clearance.position, clearance.$id)
        let detour = clearance.detours.map { $0.distance(to: clearance.position) }.max()
        hold(min(detour ?? StraightLineWatch.detourAssumed, StraightLineWatch.behindDetourMax), clearance.$id)
    }

    /// The first place is the middle.
    private mutating func hold(_ place: Coordinate, _ id: BytewiseText) {
        if let center = extents[id]?.center {
            hold(center.distance(to: place), id)
        } else {
            extents[id] = Extent(center: place)
        }
    }

    private mutating func hold(_ distance: Metres, _ id: BytewiseText) {
        guard let radius = extents[id]?.radius else { return }
        extents[id]?.radius = max(radius, distance)
    }

    /// - Parameter reach: no alert begins farther than this before what is held.
    /// - Returns: by id.
    func regions(reach: Metres, _ settings: EngineSettings.Regions) -> [Region] {
        extents.sorted { $0.key < $1.key }.map { id, extent in
            let circle = Circle(center: extent.center, radius: extent.radius + reach)
            return Region(id: id.wrappedValue, circle: circle.region(radiusMin: settings.radiusMin), kind: .clearance)
        }
    }
}
