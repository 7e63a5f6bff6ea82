import Clearances
import Geo

/// A live clearance and where it stands, which is found once. An object, so that all of them are put in order without copies.
final class LiveClearance: Sendable {
    /// What a live clearance limits.
    enum Placement: Sendable {
        /// What the clearance of the map limits that bears its id.
        case overriding(neighbours: [ClearanceID])
        case snapped(RoadSnapping.Place, neighbours: [ClearanceID])
        case unsnapped(SnappingError)
    }

    let clearance: PointClearance
    let placement: Placement
    /// As it is on its road.
    let placed: Clearance
    /// Those of the file that bear its id.
    let mapped: [ClearanceID]
    /// Those of the file that may tell of the same structure, whatever their ids.
    var neighbours: [ClearanceID] {
        switch placement {
        case .overriding(let neighbours), .snapped(_, let neighbours): neighbours
        case .unsnapped: []
        }
    }
    /// Where on its roads it stands.
    let feet: [(edge: EdgeID, position: Coordinate)]

    init(_ clearance: PointClearance, _ placement: Placement, _ mapped: MappedClearances) {
        (self.clearance, self.placement) = (clearance, placement)
        self.mapped = mapped.withID(clearance.id)
        if case .snapped(let place, _) = placement {
            placed = Clearance(clearance, road: place.road)
            feet = place.feet.map { ($0.edge, mapped.network.coordinate($0.edge, offset: $0.offset)) }
        } else {
            placed = Clearance(clearance, road: "")
            feet = []
        }
    }
}
