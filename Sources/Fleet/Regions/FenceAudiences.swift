import Geo
import Messages

/// The fences in force by whom they are for: among a hundred thousand a vehicle finds its own without a look at the others.
struct FenceAudiences {
    private enum Audience: Hashable {
        case everybody
        case group(String)
        case vehicle(VehicleID)
    }

    /// The fences of one audience, by place. Some may be in force no longer.
    struct AudienceFences {
        /// So many are looked at one by one before the index is made anew.
        private static let recentMax = 64

        private var indexed: [KnownFence] = []
        private var index = BoxIndex([])
        private var recent: [KnownFence] = []

        /// Hands over fences, those of the index in the order of how near their boxes are. One may come twice.
        ///
        /// - Parameter visit: returns how far away others still count.
        func nearest(to position: Coordinate, within reach: Metres, _ visit: (_ fence: KnownFence) -> Metres) {
            let reach = recent.reduce(reach) { min($0, visit($1)) }
            index.nearest(to: position, within: reach) { item, _ in visit(indexed[item]) }
        }

        /// Hands over all fences that may be so near, in any order: where they are few, that costs less than to order them.
        /// One may come twice.
        func near(_ position: Coordinate, within reach: Metres, _ visit: (_ fence: KnownFence) -> Void) {
            recent.forEach(visit)
            index.search(Bounds(position, position).widened(by: reach)) { visit(indexed[$0]) }
        }

        fileprivate mutating func add(_ fence: KnownFence) { recent.append(fence) }

        fileprivate mutating func tidy(_ catalogue: FenceCatalogue) {
            guard recent.count > Self.recentMax else { return }
            indexed = (indexed + recent).filter { catalogue.isKnown($0) }
            recent = []
            index = BoxIndex(
                indexed.enumerated().flatMap { item, fence in fence.shape.bounds.map { (box: $0, item: item) } })
        }
    }

    private var fencesByAudience: [Audience: AudienceFences] = [:]
    private var catalogue: FenceCatalogue?
    private var revision = 0
    /// Up to which serial fences have been taken up, and how many.
    private var newest = 0
    private var count = 0

    /// Takes up what has changed since it was last called.
    mutating func follow(_ catalogue: FenceCatalogue) {
        guard self.catalogue !== catalogue || revision != catalogue.revision else { return }
        // Those that are gone are passed over until they are the most.
        let isStale = count > 2 * catalogue.known.count + Self.goneMax
        if self.catalogue !== catalogue || isStale { self = FenceAudiences() }
        self.catalogue = catalogue
        revision = catalogue.revision
        var touched: Set<Audience> = []
        for fence in catalogue.since(newest) where catalogue.isKnown(fence) {
            count += 1
            for audience in Self.audiences(of: fence.fence) {
                touched.insert(audience)
                fencesByAudience[audience, default: AudienceFences()].add(fence)
            }
        }
        newest = catalogue.newest
        for audience in touched { fencesByAudience[audience]?.tidy(catalogue) }
    }

    private static let goneMax = 256

    private static func audiences(of fence: Fence) -> Set<Audience> {
        if fence.groups.isEmpty && fence.vehicles.isEmpty { return [.everybody] }
        return Set(fence.groups.map { .group($0) } + fence.vehicles.map { .vehicle($0) })
    }

    /// All that concerns a vehicle.
    func fences(for vehicle: VehicleID, groups: [String]) -> [AudienceFences] {
        ([.everybody, .vehicle(vehicle)] + groups.map { .group($0) }).compactMap { fencesByAudience[$0] }
    }
}
