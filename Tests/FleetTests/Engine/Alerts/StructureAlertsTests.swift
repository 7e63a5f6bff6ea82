import Roads
import Testing

@testable import Fleet

/// Which of several sightings of one structure an alert is about.
struct StructureAlertsTests {
    private static func sighting(
        _ hazard: Int, _ distance: Double, raises: Bool = true, isCertain: Bool = true, isSideRoad: Bool = false
    ) -> HazardAssessment {
        HazardAssessment(
            hazard: hazard, place: .tooLate, distanceToEntry: distance, isSideRoad: isSideRoad, isCertain: isCertain,
            raises: raises, probability: 0.5)
    }

    @Test(
        "An alert is about the sighting that calls for one, then one on the path, then what was told of, then the nearest",
        arguments: [
            // Before the bridge, with an unsure match, the way round to its other side is not what the alert is about.
            ([sighting(0, 50, isCertain: false), sighting(1, 600, raises: false, isSideRoad: true)], 0),
            ([sighting(0, 50, raises: false), sighting(1, 600, isCertain: false)], 1),
            ([sighting(0, 50, isCertain: false), sighting(1, 600)], 1),
            ([sighting(0, 600, isSideRoad: true), sighting(1, 700)], 1),
            ([sighting(0, 600), sighting(1, 50)], 0),
            ([sighting(1, 600), sighting(2, 50)], 2),
        ])
    func likeliest(sighted: [HazardAssessment], hazard: Int) {
        #expect(sighted.likeliest(besides: 0)?.hazard == hazard)
        #expect(sighted.reversed().likeliest(besides: 0)?.hazard == hazard)
    }
}
