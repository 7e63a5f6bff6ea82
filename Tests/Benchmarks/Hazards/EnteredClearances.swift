import Clearances
import Geo
import Messages
import Roads

/// What dispatch enters: clearances higher than any truck, spread over all edges of a map; and changes of those that the map has.
struct EnteredClearances {
    private let network: RoadNetwork
    /// With known limits.
    private let mapped: [(clearance: Clearance, limit: Centimetres)]

    init(_ network: RoadNetwork) {
        self.network = network
        mapped = (0..<network.clearanceCount).compactMap { number in
            guard case .limit(let limit) = network.reading(ClearanceID(number)) else { return nil }
            return (network.clearance(ClearanceID(number)), limit)
        }
    }

    /// Of how many the map knows the limit.
    var mappedCount: Int { mapped.count }

    func high(_ count: Int) -> [PointClearance] {
        (0..<count).map { number in
            let edge = EdgeID(UInt32(number * network.edgeCount / count))
            return PointClearance(
                id: "c\(number)", position: network.coordinate(edge, offset: network.length(edge) / 2), posted: "5")
        }
    }

    /// Of one after the other of those of the map, 30 cm lower each, then all as the map has them, and so on.
    func change(_ number: Int) -> ClearanceChange {
        let (clearance, limit) = mapped[number % mapped.count]
        let posted = number / mapped.count % 2 == 0 ? limit - 30 : limit
        return ClearanceChange(
            id: clearance.id,
            clearance: PointClearance(
                id: clearance.id, position: clearance.position, posted: "\(Double(posted) / 100)"))
    }
}
