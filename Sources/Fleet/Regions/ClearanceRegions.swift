import Clearances
import Geo
import Messages
import Roads

/// The regions of all clearances that vehicles of one height are told of, by place.
///
/// A region is a circle round a clearance: the one that a hazard's alerts name, so that a chain has one region. It holds the
/// junctions at which it is decided whether a truck comes there (the detour points, and where there are none the last
/// turn-offs), the beginning of the low road, and round each of them as far as the earliest alert may be. Whoever is outside
/// is told nothing, and a device that sleeps there wakes in time. Only who sets out where all turn-offs are behind may be
/// outside and too late; but who sets out is awake.
struct ClearanceRegions {
    /// By id.
    let regions: [Region]
    private let index: BoxIndex

    /// - Parameters:
    ///   - tables: of the hazards that the vehicle is told of.
    ///   - unplaced: clearances that limit no known road, and that the vehicle is told of.
    init(_ tables: [HazardTable], on network: RoadNetwork, unplaced: [Clearance], _ settings: EngineSettings) {
        var extents = ClearanceExtents()
        for table in tables { extents.add(table, network) }
        self.init(extents, unplaced, settings)
    }

    /// Without a road file.
    init(unplaced: [Clearance], _ settings: EngineSettings) { self.init(ClearanceExtents(), unplaced, settings) }

    private init(_ placed: ClearanceExtents, _ unplaced: [Clearance], _ settings: EngineSettings) {
        var extents = placed
        for clearance in unplaced { extents.add(clearance) }
        regions = extents.regions(reach: QuietFinder.reach(settings), settings.regions)
        index = BoxIndex(
            regions.enumerated().map { item, region in
                let center = Bounds(region.circle.center, region.circle.center)
                return (box: center.widened(by: region.circle.radius), item: item)
            })
    }

    /// Regions of these or others that are not the same in both.
    func differing(from other: ClearanceRegions) -> Set<Region> { Set(regions).symmetricDifference(other.regions) }

    /// Offers those that may be among the nearest.
    func collect(_ nearest: inout NearestRegions, _ position: Coordinate) {
        index.nearest(to: position, within: nearest.reach) { item, _ in
            let circle = regions[item].circle
            let distance = circle.distanceToBorder(from: position)
            if distance <= nearest.reach { nearest.offer(.clearance(regions[item]), distance) }
            return nearest.reach
        }
    }
}
