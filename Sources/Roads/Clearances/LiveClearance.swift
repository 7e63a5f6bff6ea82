import Algorithms
import Clearances
import Geo

/// A live clearance and where it stands, which is found once. An object, so that all of them are put in order without copies.
final class LiveClearance: Sendable {
    /// What a live clearance limits.
    enum Placement: Sendable {
        /// What the clearance of the map limits that bears its id.
        case overriding
        /// With the clearances of the file that may tell of the same structure.
        case snapped(RoadSnapping.Place, neighbours: [ClearanceID])
        case unsnapped(SnappingError)
    }

    let clearance: PointClearance
    let placement: Placement
    /// As it is on its road.
    let placed: Clearance
    /// Those of the file that bear its id.
    let mapped: [ClearanceID]
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

/// Live clearances by id, so that the same ones make the same network, whatever came first.
///
/// A few change at a time: that costs little, and to have all in order takes a look at each.
struct LiveClearancesByID: Sendable {
    /// By id.
    private var settled: [LiveClearance] = []
    /// What has changed since, by id; nil: it is gone.
    private var changes: [String: LiveClearance?] = [:]

    /// - Parameter clearance: nil: there is none of that id any more.
    mutating func set(_ id: String, _ clearance: LiveClearance?) {
        changes.updateValue(clearance, forKey: id)
        guard changes.count > max(1_000, settled.count / 16) else { return }
        (settled, changes) = (inOrder, [:])
    }

    var inOrder: [LiveClearance] {
        var result: [LiveClearance] = []
        result.reserveCapacity(settled.count + changes.count)
        var rest = settled[...]
        for (id, clearance) in changes.sorted(by: { $0.key < $1.key }) {
            let next = rest.partitioningIndex { $0.clearance.id >= id }
            result += rest[..<next]
            rest = rest[next...]
            if rest.first?.clearance.id == id { rest.removeFirst() }
            if let clearance { result.append(clearance) }
        }
        return result + rest
    }
}
