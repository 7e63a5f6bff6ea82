public import Geo

/// A hazard that lies before a truck, as seen from one position on the road.
public struct UpcomingHazard: Hashable, Sendable {
    /// Position in `HazardTable.hazards`.
    public var hazard: Int
    /// Where the truck would pass its last turn-off; nil where that is behind it.
    public var decision: HazardTable.Decision?
    /// Along the road to that junction; nil where it is behind.
    public var distanceToDecision: Metres?
    /// Driving time to that junction, where it was looked for by time.
    public var secondsToDecision: Seconds?
    /// Along the road to the low edge.
    public var distanceToEntry: Metres
    /// The product of the turn probabilities down to the low edge.
    public var probability: Double
    /// Whether the low edge lies on the path ahead: the known way, else the most probable one.
    public var isOnPath: Bool
}

/// A position on the directed graph.
public struct RoadPosition: Hashable, Sendable {
    public var edge: EdgeID
    /// Metres from the edge's start.
    public var offset: Metres

    public init(edge: EdgeID, offset: Metres) {
        self.edge = edge
        self.offset = offset
    }
}
