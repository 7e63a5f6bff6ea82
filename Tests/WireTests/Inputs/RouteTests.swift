import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite("A route comes as GeoJSON or as waypoints")
struct RouteTests {
    private func decode(_ payload: String) -> DecodedMessage { Arrival.decode(.route, payload, retained: true) }

    private let line = #"{"type":"LineString","coordinates":[[8.4,49.4],[8.5,49.5,120]]}"#
    private let points = [Coordinate(latitude: 49.4, longitude: 8.4), Coordinate(latitude: 49.5, longitude: 8.5)]

    @Test("A Feature, a bare LineString and the first Feature of a collection are one line; an altitude is passed over")
    func lines() {
        for payload in [
            line, #"{"type":"Feature","properties":{},"geometry":\#(line)}"#,
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":\#(line)}]}"#,
        ] {
            #expect(decode(payload).reports == [.route(.line(points))])
        }
    }

    @Test("Waypoints are longitude first; a destination alone is enough")
    func waypoints() {
        #expect(decode(#"{"waypoints":[[8.4,49.4],[8.5,49.5]]}"#).reports == [.route(.waypoints(points))])
        #expect(decode(#"{"waypoints":[[8.5,49.5]]}"#).reports == [.route(.waypoints([points[1]]))])
    }

    @Test("An empty payload takes the route back")
    func empty() { #expect(decode("").reports == [.route(nil)]) }

    @Test(
        "What is no route is rejected with its reason, and with what was expected",
        arguments: [
            ("{}", InputError.missingField), ("[]", .wrongType), ("{", .malformedJSON),
            (#"{"waypoints":[]}"#, .unreadableRoute),
            (#"{"waypoints":7}"#, .wrongType), (#"{"waypoints":[[8.4]]}"#, .missingField),
            (#"{"waypoints":[["a",1]]}"#, .wrongType), (#"{"waypoints":[[8.4,91]]}"#, .outOfRange),
            (#"{"type":"Point","coordinates":[8,49]}"#, .unreadableRoute),
            (#"{"type":"LineString","coordinates":[[8,49]]}"#, .unreadableRoute),
            (#"{"type":"LineString"}"#, .missingField), (#"{"type":"Feature","geometry":null}"#, .missingField),
            (#"{"type":"FeatureCollection","features":[]}"#, .unreadableRoute),
            (
                #"{"type":"Feature","geometry":{"type":"Feature","geometry":{"type":"Feature","geometry":{}}}}"#,
                .unreadableRoute
            ),
        ])
    func bad(payload: String, reason: InputError) {
        #expect(decode(payload).rejections == [reason])
        #expect(decode(payload).reports.isEmpty)
        #expect(reason == .malformedJSON || decode(payload).rejected.allSatisfy { $0.problem != nil })
    }

    @Test("More waypoints than a delivery round has are too many")
    func tooMany() {
        let points = Array(repeating: "[8.4,49.4]", count: WireLimits.waypoints + 1).joined(separator: ",")
        let decoded = decode(#"{"waypoints":[\#(points)]}"#)
        #expect(decoded.rejections == [.tooLarge])
        #expect(
            decoded.rejected.first?.problem?.description
                == "coordinates: expected at most \(WireLimits.waypoints) positions, got more")
    }
}
