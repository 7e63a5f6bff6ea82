import Geo
import Hashing
import Messages

/// The regions that matter to a vehicle at one place.
struct RegionChoice: Hashable {
    /// The quiet circle, then the nearest border first; of equally near ones the lower id.
    var regions: [Region]
    /// Nothing whose border is farther than this has been chosen; infinite where there was room for more.
    var reach: Metres
}

/// Chooses the regions that a vehicle's device is to watch: its quiet circle and, of the fences and clearances that concern
/// it, those whose borders are nearest.
///
/// The quiet circle comes first, as its border is what the device must not miss. One smaller than a region may be is left
/// out: made larger it would be left too late.
struct RegionChooser {
    let catalogue: FenceCatalogue
    let audiences: FenceAudiences
    let clearances: ClearanceRegions
    let settings: EngineSettings.Regions
    let vehicle: VehicleID
    let groups: [String]
    /// Fences whose validity has ended by then are left out; others are watched before they come into force, and between.
    let time: Timestamp
    /// As the device was last told.
    let quiet: Circle?

    /// - Parameter likely: within which there are most likely enough; those that are farther are looked for only where there
    ///   are not.
    func choice(at position: Coordinate, likely: Metres = .infinity) -> RegionChoice {
        let quiet = quiet.flatMap { $0.radius >= settings.radiusMin ? [$0] : nil } ?? []
        var nearest = nearest(settings.limit - quiet.count, to: position, within: likely)
        if !nearest.isFull, likely < .infinity {
            nearest = self.nearest(settings.limit - quiet.count, to: position, within: .infinity)
        }
        let first = quiet.map { Region(id: RegionRule.quietID.wrappedValue, circle: $0, kind: .quiet) }
        let others = distinct(nearest.map(region))
        return RegionChoice(regions: first.isEmpty ? others : first + others, reach: nearest.reach)
    }

    /// A device tells regions apart by their ids alone. A fence and a clearance that have one id are one region, round both where
    /// they meet, else the nearer; one that is called as the quiet circle is is none.
    private func distinct(_ regions: [Region]) -> [Region] {
        // By their places: to hand one over to a closure copies it.
        let clearances = regions.indices.filter { regions[$0].kind == .clearance }.map { regions[$0] }
        let isDistinct = regions.indices.allSatisfy { index in
            regions[index].$id != RegionRule.quietID
                && (clearances.isEmpty || regions[index].kind == .clearance
                    || !clearances.contains { $0.$id == regions[index].$id })
        }
        if isDistinct { return regions }
        return regions.reduce(into: []) { distinct, region in
            guard region.$id != RegionRule.quietID else { return }
            if let index = distinct.firstIndex(where: { $0.$id == region.$id }) {
                if distinct[index].meets(region) { distinct[index] = distinct[index].union(region) }
            } else {
                distinct.append(region)
            }
        }
    }

    private func nearest(_ limit: Int, to position: Coordinate, within distance: Metres) -> NearestRegions {
        var nearest = NearestRegions(limit: limit, within: distance)
        for fences in audiences.fences(for: vehicle, groups: groups) {
            if distance < .infinity {
                fences.near(position, within: distance) { offer($0, to: &nearest, position) }
            } else {
                fences.nearest(to: position, within: nearest.reach) { fence in
                    offer(fence, to: &nearest, position)
                    return nearest.reach
                }
            }
        }
        clearances.collect(&nearest, position)
        return nearest
    }

    private func offer(_ fence: KnownFence, to nearest: inout NearestRegions, _ position: Coordinate) {
        let distance = fence.shape.signedDistance(from: position).magnitude
        if distance <= nearest.reach, catalogue.isKnown(fence), !fence.fence.hasEnded(by: time) {
            nearest.offer(.fence(fence), distance)
        }
    }

    /// Of a fence its enclosing circle.
    private func region(_ candidate: NearestRegions.Candidate) -> Region {
        switch candidate {
        case .fence(let fence):
            let circle = fence.shape.enclosingCircle.region(radiusMin: settings.radiusMin)
            return Region(id: fence.fence.id, circle: circle, kind: .fence)
        case .clearance(let region): return region
        }
    }
}

extension Region {
    fileprivate func meets(_ other: Region) -> Bool {
        circle.center.distance(to: other.circle.center) <= circle.radius + other.circle.radius
    }

    /// Round both, about the middle of the larger one, whose kind it has.
    fileprivate func union(_ other: Region) -> Region {
        var (larger, smaller) = circle.radius >= other.circle.radius ? (self, other) : (other, self)
        let reach = larger.circle.center.distance(to: smaller.circle.center) + smaller.circle.radius
        larger.circle.radius = max(larger.circle.radius, reach).rounded(.up)
        return larger
    }
}

extension Fence {
    fileprivate func hasEnded(by time: Timestamp) -> Bool { validUntil.map { $0 <= time } ?? false }
}

extension Circle {
    /// From either side.
    func distanceToBorder(from place: Coordinate) -> Metres { (center.distance(to: place) - radius).magnitude }

    /// As a device watches it: no smaller than that, and a whole number of metres, so that what hardly changes does not.
    func region(radiusMin: Metres) -> Circle {
        Circle(center: center, radius: max(radius, radiusMin).rounded(.up))
    }
}
