import Clearances
import Fleet
import Geo
import Messages
import Roads

/// What people use today: one circle of a mile round each low bridge, an alert on entering it.
struct CircleBaseline: Sendable {
    private static let radius: Metres = Unit.mile
    /// How closely the trip is looked at; a mile's circle is not missed between two such steps.
    private static let step: Metres = 50

    private struct Bridge: Sendable {
        var position: Coordinate
        /// Positions in `HazardTable.hazards`.
        var hazards: Set<Int>
    }

    /// From south to north.
    private let bridges: [Bridge]

    init(_ network: RoadNetwork, _ table: HazardTable) {
        var hazards: [ClearanceID: Set<Int>] = [:]
        for (index, hazard) in table.hazards.enumerated() where hazard.isPublic {
            for id in hazard.clearances { hazards[id, default: []].insert(index) }
        }
        bridges = hazards.sorted { $0.key < $1.key }
            .map { Bridge(position: network.clearance($0.key).position, hazards: $0.value) }
            .sorted { $0.position.latitude < $1.position.latitude }
    }

    /// One alert for each circle entered; false where the trip passes under no edge of that bridge.
    func alerts(on trip: Trip, passes: [Pass]) -> (all: Int, false: Int) {
        let passed = Set(passes.map(\.hazard))
        var counts = (all: 0, false: 0)
        let places = places(on: trip)
        for bridge in bridges(near: trip) {
            let entries = entries(places, bridge)
            counts.all += entries
            if passed.isDisjoint(with: bridge.hazards) { counts.false += entries }
        }
        return counts
    }

    private func places(on trip: Trip) -> [Coordinate] {
        stride(from: 0, through: trip.length, by: Self.step).map { trip.place(at: trip.time(at: $0)).position }
    }

    /// How often a trip comes into the circle; a trip that begins there is alerted too.
    private func entries(_ places: [Coordinate], _ bridge: Bridge) -> Int {
        let plane = LocalPlane(latitude: bridge.position.latitude)
        var wasInside = false
        return places.reduce(0) { count, place in
            let isInside = plane.vector(from: bridge.position, to: place).length <= Self.radius
            defer { wasInside = isInside }
            return isInside && !wasInside ? count + 1 : count
        }
    }

    /// Those whose circles touch the trip's range of latitude.
    private func bridges(near trip: Trip) -> some Sequence<Bridge> {
        let latitudes = trip.corners.map(\.position.latitude)
        let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
        let margin = 1.1 * Self.radius / LocalPlane(latitude: south).metresPerDegreeNorth
        return bridges.drop { $0.position.latitude < south - margin }
            .prefix { $0.position.latitude <= north + margin }
    }
}
