public import Geo

/// The last turn-off with a detour before a low zone, on one way that leads there.
public struct DetourPoint: Hashable, Sendable {
    public var junction: NodeID
    /// The edge on which a truck comes to the junction.
    public var arriving: EdgeID
    /// From the junction to where the low edge begins, the shortest way without another turn-off that has a detour.
    public var distanceToEntry: Metres
    /// The detour, from the turn-off to where it rejoins the road behind the zone: the shortest, or, where that is under something
    /// of unknown height (`HazardTable.unknown`), the shortest that is not, if there is one.
    public var edges: [EdgeID]
    public var length: Metres
    /// `length` minus the way under the bridge to the same place; negative where the detour is the shorter one.
    public var extra: Metres
    /// Whether the detour comes back along the road on which the truck arrived.
    public var isTurnaround: Bool
    /// Whether the shortest detour, shown or not, is shorter than the way under the bridge.
    public var hasShorterWay: Bool

    public var turnOff: EdgeID { edges[0] }
}

/// A low zone, or a chain of them without a turn-off with a detour between, as it is entered by one edge.
public struct Hazard: Hashable, Sendable {
    /// The too-low edge that is entered from one that is not, or at which the network begins.
    public var entry: EdgeID
    /// From the entry straight on to the far side; in a chain with what lies between.
    public var zone: [EdgeID]
    /// The too-low clearances of the zone in driving order; the first is the entry's lowest.
    public var clearances: [ClearanceID]
    /// The structures that these tell of, each by its lowest clearance, in driving order.
    public var structures: [ClearanceID]
    public var isPublic: Bool
    /// Ordered by distance to the entry, then by edge. Empty where no detour exists.
    public var detours: [DetourPoint]
}

extension RoadNetwork {
    /// Whether everybody may come to a hazard: it is entered neither from a service road nor from one to start or to end on.
    public func isOpenToAll(_ hazard: Hazard) -> Bool { hazard.isPublic && !isOfDestinationWay(hazard.entry) }
}

extension HazardTable {
    /// What a hazard is about, by whichever of its entries a vehicle comes: the first structure of its zone.
    public func structure(_ hazard: Int) -> ClearanceID { hazards[hazard].structures[0] }
}
