import Geo
import Roads

/// What people use today: one circle of a mile round each low bridge, an alert on entering it.
struct CircleBaseline {
    private static let radius: Metres = Unit.mile
    /// How closely the trip is looked at; a mile's circle is not missed between two such steps.
    private static let step: Metres = 50

    private let bridges: [(position: Coordinate, hazards: Set<Int>)]

    init(_ network: RoadNetwork, _ table: HazardTable) {
        var hazards: [ClearanceID: Set<Int>] = [:]
        for (index, hazard) in table.hazards.enumerated() where hazard.isPublic {
            for id in hazard.clearances { hazards[id, default: []].insert(index) }
        }
        bridges = hazards.sorted { $0.key < $1.key }.map { (network.clearance($0.key).position, $0.value) }
    }

    /// One alert for each circle entered; false where the trip passes under no edge of that bridge.
    func alerts(on trip: Trip, passes: [Pass]) -> (all: Int, false: Int) {
        let passed = Set(passes.map(\.hazard))
        var inside = Set<Int>()
        var counts = (all: 0, false: 0)
        var distance: Metres = 0
        while distance <= trip.length {
            let place = trip.place(at: trip.time(at: distance)).position
            for (index, bridge) in bridges.enumerated() {
                let isInside = bridge.position.distance(to: place) <= Self.radius
                if isInside && inside.insert(index).inserted {
                    counts.all += 1
                    if passed.isDisjoint(with: bridge.hazards) { counts.false += 1 }
                }
                if !isInside { inside.remove(index) }
            }
            distance += Self.step
        }
        return counts
    }
}
