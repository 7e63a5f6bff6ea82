import Fleet
import Geo
import Messages

private let fixTime = Timestamp(milliseconds: 1_795_269_802_500)

extension AlertMessage {
    /// The contract's.
    static let example = AlertMessage(
        id: "b1946ac92492d234", sequence: 1, stage: .ahead, attention: .alarm, probability: 0.8155,
        vehicle: VehicleID("T42")!, time: fixTime, expiresAt: fixTime.adding(600),
        clearance: Clearance(
            id: "osm:way:4711", name: "Ann Arbor Railroad over W Washington St", height: 320, posted: "10'6\"",
            source: "osm", verdict: .tooLow, position: Coordinate(latitude: 42.2806, longitude: -83.7519)),
        vehicleHeight: 412, margin: 0.0762, heightSource: "driver", distance: 2350.04, eta: 141, sideRoad: false,
        detour: Detour(
            position: Coordinate(latitude: 42.2808, longitude: -83.7489), distance: Unit.mile, turnOnto: "S 1st St",
            length: 820, extra: 409.96,
            line: [
                Coordinate(latitude: 42.2808, longitude: -83.7489),
                Coordinate(latitude: 42.2812, longitude: -83.750_123_456),
            ]),
        chain: ["osm:way:4711"], urgency: .expected, severity: .severe, certainty: .likely,
        text: "Low bridge 10'6\" on W Washington St in 1.5 mi. Leave at S 1st St in 1.0 mi.")
}

extension StateMessage {
    static let example = StateMessage(
        id: "s1", sequence: 9, time: fixTime, fences: [FenceStay(fence: "depot-7", since: fixTime)],
        fencesAsOf: fixTime, alerts: [.example], height: 412, heightSource: "driver", heightStatus: .ok,
        consent: .whenInUse, presence: .online, lastFix: fixTime, blind: [.stalePosition, .clockSkew])
}

extension RequestMessage {
    static let example = RequestMessage(id: "r1", kind: .heightRequired, time: fixTime, text: "How high are you?")
}

extension RouteCheckMessage {
    static let example = RouteCheckMessage(
        id: "c1", time: fixTime, vehicleHeight: 412, margin: 0.0762,
        obstacles: [Obstacle(clearance: AlertMessage.example.clearance, distance: 2350.04)],
        line: [Coordinate(latitude: 42.2808, longitude: -83.7489), Coordinate(latitude: 42.2812, longitude: -83.75)],
        safeLine: nil, text: "One bridge on the way is too low.")
}
