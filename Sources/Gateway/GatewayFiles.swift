package import Clearances
import Fleet
package import Messages
package import Roads

/// What a gateway serves with from files; all of it may be replaced while it runs.
package struct GatewayFiles: Sendable {
    /// Nil: no road file.
    package var network: RoadNetwork?
    /// Beside those of the road file.
    package var clearances: [PointClearance]
    package var fences: [Fence]

    package init(network: RoadNetwork?, clearances: [PointClearance] = [], fences: [Fence] = []) {
        self.network = network
        self.clearances = clearances
        self.fences = fences
    }
}
