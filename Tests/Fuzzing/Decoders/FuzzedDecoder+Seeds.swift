import Fleet
import Foundation
import Gateway
import Geo
import Messages
import RoadImport
import Roads

extension FuzzedDecoder {
    /// Input that is right, from which mutations start.
    package var seeds: [[UInt8]] {
        switch self {
        case .message: Self.messages.map { Array("\($0)\n\($1)".utf8) }
        case .geojson: [Self.feature, Self.lineFeature].map { Array($0.utf8) }
        case .clearances:
            ["lat,lon,clearance,name\n42.28,-83.74,10'6\",W Washington\n42.29,-83.75,3.2 m,\n", Self.feature].map {
                Array($0.utf8)
            }
        case .nbi: [Array(Self.nbiRows.utf8)]
        case .nbiFixed: [Array(repeating: UInt8(ascii: "0"), count: 432) + [UInt8(ascii: "\n")]]
        case .osmBlock: [OSMBlock.sample]
        case .osmXML: [Array(Self.map.utf8)]
        case .roadFile: [RoadFileSections.whole] + RoadFileSections.decoded.map(RoadFileSections.content)
        case .configuration: [Array(Self.settings.utf8)]
        case .pattern: ["fleet/{v}", "acme/{region}/{v}", "{operator}-{/VP/veh}", "a/+/b/#"].map { Array($0.utf8) }
        case .quantity:
            ["13'6\"", "4.11 m", "411 cm", "90 min", "2026-11-21T14:03:22.5Z", "10 ft 6 in", "below_default"].map {
                Array($0.utf8)
            }
        case .vehicle: [Self.stored.vehicle, Self.stored.state]
        case .journal: [Self.stored.journal]
        case .hazardHistory: Self.histories
        case .gatewayMessage: Self.gatewayMessages
        case .request: Self.requests.map { Array($0.utf8) }
        case .trace: Self.traces.map { Array($0.utf8) }
        }
    }

    private static let traces = [
        #"{"vehicle":"T42","lat":42.28,"lon":-83.75,"time":1795269600}"#,
        #"{"tst":"2026-11-21T14:00:00.0Z","topic":"fleet/T42/location","qos":1,"retain":0,"payloadlen":2,"payload":"{}"}"#,
        "lat;lon;time;speed_kmh;course\n42,28;-83,74;2026-11-21T14:00:00Z;50;360\n",
        "2026-11-21T14:00:00Z\t*                 \t{\"_type\":\"location\",\"lat\":42.2,\"lon\":-83.7,\"tst\":1795269600}\n",
        """
        <?xml version="1.0" encoding="UTF-8"?><gpx version="1.1"><trk><trkseg><trkpt lat="42.28" lon="-83.74">
        <ele>231</ele><time>2026-11-21T14:00:00Z</time><speed>12</speed></trkpt></trkseg></trk></gpx>
        """,
    ]

    private static let fix =
        #"{"lat": 42.2814, "lon": -83.7332, "accuracy": 5, "speed": 18, "course": 270, "time": 1795269599}"#

    private static let messages = [
        ("fleet/T42/location", fix), ("fleet/T42/location", "[\(fix),\(fix)]"),
        (
            "fleet/T42/profile",
            #"{"parts": [{"name": "trailer", "height": "13'6\""}], "margin": "3 in", "valid_for": "24 h"}"#
        ),
        ("fleet/T42/route", #"{"waypoints": [[-83.7530, 42.2806]]}"#), ("fleet/T42/route", lineFeature),
        ("fleet/T42/consent", #"{"status": "when-in-use", "in_use": true}"#), ("fleet/T42/presence", "online"),
        ("fleet/T42/ack", #"{"alert": "a1", "sequence": 2}"#), ("headroom/fences/depot", feature),
        (
            "headroom/clearances/b1",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-83.7,42.2]},"properties":{"clearance":"10'6\""}}"#
        ),
        ("headroom/forget/T42", #"{"request": "r"}"#),
        ("owntracks/a/b", #"{"_type":"location","lat":42.2,"lon":-83.7,"tst":1795269600,"acc":5,"vel":50,"batt":80}"#),
        ("owntracks/a/b", #"{"_type":"transition","event":"enter","lat":42.2,"lon":-83.7,"tst":1795269600}"#),
        (
            "traccar/positions",
            #"{"position":{"latitude":42.2,"longitude":-83.7,"fixTime":"2026-11-21T14:00:00Z","speed":10},"device":{"uniqueId":"T7"}}"#
        ),
        ("hfp/22/817/x", #"{"VP":{"lat":60.1,"long":24.9,"tst":"2026-11-21T14:00:00.5Z","spd":3.2}}"#),
    ]

    private static let feature = """
        {"type": "Feature", "id": "depot", "geometry": {"type": "Polygon", "coordinates": [[[8.6, 49.4], [8.7, 49.4], [8.7, 49.5],
        [8.6, 49.4]]]}, "properties": {"name": "Depot", "dwell": "10 min", "hysteresis": 20, "applies_to": {"vehicles": ["T42"]}}}
        """

    private static let lineFeature = """
        {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[8.6, 49.4], [8.7, 49.4]]}, "properties": {}}
        """

    private static let nbiRows = """
        STATE_CODE_001,STRUCTURE_NUMBER_008,RECORD_TYPE_005A,LAT_016,LONG_017,VERT_CLR_OVER_MT_053,VERT_CLR_UND_REF_054A,VERT_CLR_UND_054B
        54,00000000001A001,1,38123456,081234567,99.99,H,4.11
        """

    private static let map = """
        <osm version="0.6"><node id="1" lat="42.28" lon="-83.74"/><node id="2" lat="42.281" lon="-83.74"/>
        <node id="3" lat="42.282" lon="-83.74"/><way id="7"><nd ref="1"/><nd ref="2"/><nd ref="3"/>
        <tag k="highway" v="residential"/><tag k="maxheight" v="10'6&quot;"/></way>
        <relation id="9"><member type="way" ref="7" role="from"/><tag k="type" v="restriction"/></relation></osm>
        """

    private static let settings = """
        broker: {url: "mqtts://user@broker.example:8883", ca_file: ca.pem, protocol: 5}
        fleet: {topic: "fleet/{v}", qos: 1, inputs: [{layout: traccar, topic: traccar/positions}]}
        heights: {assumed: "13'6\\"", margin: 3 in}
        alerts: {distance: 1 mi, min_probability: 0.2}
        """

    /// Of two places and three clearances: as text, and as it is stored.
    private static let histories: [[UInt8]] = {
        let text = """
            place,clearance,passes,besides
            1f,0,900,0
            1f,a1b2c3d4,30,2
            ffffffffffffffff,0,7,0
            ffffffffffffffff,9,4294967295,4294967295

            """
        return [Array(text.utf8), (try? HazardHistory(text: text))?.encoded() ?? []]
    }()

    private static let gatewayMessages: [[UInt8]] = {
        guard let id = VehicleID("T42") else { preconditionFailure("expected an id") }
        let (time, payload) = (Timestamp(milliseconds: 1_795_269_600_000), Data(#"{"id":"a1"}"#.utf8))
        let handling = Handling(
            alert: "a1", vehicle: id, status: .taken, by: "Kim", note: nil, takenAt: time, time: time, revision: 3,
            isAlertOpen: true)
        let route = Route.waypoints([Coordinate(latitude: 42.28, longitude: -83.75)])
        let entries = [
            ShardPart.Entry(vehicle: id, state: Data(stored.vehicle), route: route),
            ShardPart.Entry(vehicle: id, state: nil, route: nil),
        ]
        let request = HandlingRequest(
            alert: "a1", vehicle: id, status: .closed, by: "Kim", note: "called", isExpected: { _ in true })
        let messages: [GatewayMessage] = [
            .watch(isNew: true),
            .part(
                ShardPart(shard: 2, epoch: 5, isFirst: true, isLast: true, entries: entries, handlings: [handling]),
                number: 1),
            .news([GatewayMessage.News(kind: "alert", vehicle: id, payload: payload)]),
            .expectation(id: 7, topic: "headroom/fences/depot", payload: payload),
            .outcome(id: 7, .inForce(note: "no road near", was: 320, unknown: ["x"])),
            .handling(id: 8, ForwardedHandling(request, seen: 3)), .handlingOutcome(id: 8, .stored(handling)),
            .cabsChanged,
        ]
        return messages.compactMap { try? $0.encoded(from: "north") }
    }()

    private static let requests: [String] = {
        func put(_ path: String, _ body: String) -> String { "PUT /api/v1/\(path)\nif-match: \"1\"\n\n\(body)" }
        return [
            put("fences/depot", feature), put("clearances/b1", messages[9].1),
            put("vehicles/T42/profile", messages[2].1), put("vehicles/T42/route", messages[3].1),
            put("alerts/a1/handling", #"{"status": "taken", "by": "Kim", "note": null}"#),
            "POST /api/v1/cab/pairing\ncontent-type: application/json\n\n{\"code\": \"AAAA.BBBB\"}",
            "POST /api/v1/cab/fixes\nauthorization: Bearer abc\n\n[\(fix)]", "POST /api/v1/vehicles/T42/cab-links\n\n",
            "DELETE /api/v1/fences?group=midwest\n\n",
            "GET /api/v1/vehicles?bbox=-84,42,-83,43&limit=5&format=geojson\naccept-encoding: gzip\n\n",
            "GET /api/v1/clearances/preview?lat=42.28&lon=-83.74&clearance=10'6%22&height=4.1&vehicle=T42\n\n",
            "GET /api/v1/events?from=2026-11-21T06:00:00Z&cursor=a&format=csv\n\n",
        ]
    }()

    /// What an engine keeps after a few messages.
    private static let stored: (vehicle: [UInt8], state: [UInt8], journal: [UInt8]) = {
        guard let id = VehicleID("T42") else { preconditionFailure("expected an id") }
        let address = VehicleAddress(vehicle: id)
        let start = Timestamp(milliseconds: 1_795_269_600_000)
        let engine = Engine(EngineSettings(), network: nil)
        let inputs = (0..<30).map { second -> Input in
            let time = start.adding(Double(second))
            let position = Coordinate(latitude: 42.28 + Double(second) / 10_000, longitude: -83.74)
            let fix = Fix(position: position, time: time, accuracy: 5, speed: 11, course: 0)
            return .report(.location([fix]), from: address, receivedAt: time)
        }
        let effects = engine.handle(inputs)
        let record = JournalRecord(inputs, effects) { $0 == id }
        let vehicle = engine.vehicle(id)
        return (vehicle?.encoded() ?? [], vehicle?.state() ?? [], record.encoded())
    }()
}
