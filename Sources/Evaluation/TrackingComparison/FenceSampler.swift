import Fleet
package import Geo
import Hashing
package import Messages
package import Roads

/// Draws fences along the roads, for those who have none at hand.
package enum FenceSampler {
    package static let radii: ClosedRange<Metres> = 100...400
    /// Every third asks for it.
    package static let dwell: Seconds = 60

    /// Circles round the middles of random edges; equal networks and seeds give equal fences.
    ///
    /// - Precondition: the network has edges.
    package static func circles(_ count: Int, _ network: RoadNetwork, seed: UInt64) -> [Fence] {
        precondition(network.edgeCount > 0, "a network without roads has nothing to draw fences along")
        var random = SplitMix64(seed: seed ^ fenceSeed)
        let edges = EdgeSampler(network)
        return (0..<count).map { number in
            let edge = edges.edge(&random)
            let radius = radii.lowerBound + (radii.upperBound - radii.lowerBound) * random.fraction()
            let center = network.coordinate(edge, offset: network.length(edge) / 2)
            return Fence(
                id: "drawn-\(number)", shape: .circle(Circle(center: center, radius: radius.rounded())),
                dwell: number.isMultiple(of: 3) ? dwell : nil)
        }
    }

    /// Else the first trips would begin where the first fences lie.
    private static let fenceSeed: UInt64 = 0x7F4A_1C35_96E0_D28B
}
