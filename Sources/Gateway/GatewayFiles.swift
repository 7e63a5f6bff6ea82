public import Clearances
import Fleet
public import Messages
public import Roads

/// What a gateway serves with from files; all of it may be replaced while it runs.
public struct GatewayFiles: Sendable {
    /// Nil: no road file.
    public var network: RoadNetwork?
    /// Beside those of the road file.
    public var clearances: [PointClearance]
    public var fences: [Fence]

    public init(network: RoadNetwork?, clearances: [PointClearance] = [], fences: [Fence] = []) {
        self.network = network
        self.clearances = clearances
        self.fences = fences
    }
}
