import Clearances
import Geo
import Roads

extension RoadNetwork {
    /// An edge by OSM ids.
    struct EdgeDescription: Hashable {
        var key: EdgeKey
        var length: Metres
        var roadClass: RoadClass
        var title: String?
        var successors: Set<EdgeKey>
        var clearances: Set<Clearance>
    }

    /// Every edge, with what may follow it, what limits it and what it is.
    var edgeDescriptions: Set<EdgeDescription> {
        Set(
            (0..<edgeCount).map { EdgeID($0) }.map { edge in
                EdgeDescription(
                    key: key(edge), length: length(edge), roadClass: roadClass(edge), title: title(edge),
                    successors: Set(successors(edge).map(key)), clearances: Set(clearances(edge).map(clearance)))
            })
    }

    /// By OSM ids; sorted.
    func approachDescriptions(_ height: Centimetres) -> [String] {
        HazardTable(self, height: height).approaches(self, alertDistance: 1609.344).map { approach in
            let clearances = approach.hazard.clearances.map { clearance($0).id }
            let detour = approach.detour.map { point in
                "\(osmID(point.junction)) \(key(point.arriving)) \(key(point.turnOff)) \(point.length.rounded()) "
                    + "\(point.extra.rounded()) \(point.distanceToEntry.rounded())"
            }
            let alert = approach.alert.map { "\($0.distanceToEntry.rounded()) \($0.isTruncated)" }
            return "\(clearances) \(key(approach.hazard.entry)) \(detour ?? "none") \(alert ?? "none")"
        }.sorted()
    }
}
