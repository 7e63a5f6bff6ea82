import Geo
import Messages
import Roads

/// Where hazards are not as they were before clearances changed. Elsewhere a vehicle would be told the same as before: most vehicles
/// need not be looked at for a change.
struct MapDifference: Sendable {
    private struct HeightDifference: Sendable {
        /// That came, went, or became others: as they were and as they are.
        let regions: Set<Region>
        /// Round roads from which alerts may come that are not the same any more.
        let zones: [Bounds]

        init(from former: HeightHazards, to hazards: HeightHazards) {
            regions = hazards.regions.differing(from: former.regions)
            zones = hazards.zone.bounds(differingFrom: former.zone)
        }
    }

    /// By effective height.
    private let heights: [Centimetres: HeightDifference]
    /// Round all that a vehicle has to be near for it to matter to it.
    let bounds: Set<Bounds>

    /// - Parameters:
    ///   - former: before clearances changed.
    ///   - tables: of the heights that vehicles have.
    init(from former: HazardTables, to tables: HazardTables) {
        var (former, tables) = (former, tables)
        var heights: [Centimetres: HeightDifference] = [:]
        // Many heights have the same hazards.
        var known: [[ObjectIdentifier]: HeightDifference] = [:]
        for height in tables.heights {
            guard let before = former.known(height), let after = tables.known(height) else { continue }
            let objects = [ObjectIdentifier(before), ObjectIdentifier(after)]
            let difference = known[objects] ?? HeightDifference(from: before, to: after)
            known[objects] = difference
            heights[height] = difference
        }
        self.heights = heights
        bounds = known.values.reduce(into: []) { bounds, difference in
            bounds.formUnion(difference.zones.map { $0.widened(by: QuietRule.roadMargin) })
            bounds.formUnion(difference.regions.map { Bounds($0.circle) })
        }
    }

    /// Whether a vehicle of an effective height may have another quiet circle or other regions by it; true where that is not known.
    func concerns(_ vehicle: Vehicle, height: Centimetres) -> Bool {
        guard let difference = heights[height], let place = vehicle.regions.place else { return true }
        if let circle = vehicle.quiet.quiet?.circle {
            let box = Bounds(circle).widened(by: QuietRule.roadMargin)
            if difference.zones.contains(where: box.meets) { return true }
        }
        return difference.regions.contains { $0.circle.distanceToBorder(from: place) <= vehicle.regions.reach }
    }
}

extension Bounds {
    fileprivate init(_ circle: Circle) { self = Bounds(circle.center, circle.center).widened(by: circle.radius) }
}
