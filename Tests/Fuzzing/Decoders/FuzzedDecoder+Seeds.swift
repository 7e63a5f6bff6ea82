import Fleet
import Foundation
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
        case .roadFile: [Self.roads]
        case .configuration: [Array(Self.settings.utf8)]
        case .pattern: ["fleet/{v}", "acme/{region}/{v}", "{operator}-{/VP/veh}", "a/+/b/#"].map { Array($0.utf8) }
        case .quantity:
            ["13'6\"", "4.11 m", "411 cm", "90 min", "2026-11-21T14:03:22.5Z", "10 ft 6 in", "below_default"].map {
                Array($0.utf8)
            }
        case .vehicle: [Self.stored.vehicle]
        case .journal: [Self.stored.journal]
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

    private static var roads: [UInt8] {
        onFile(Array(map.utf8), ending: ".osm") { path in
            (try? RoadBuild.build([path], progress: { _ in }))?.file ?? []
        }
    }

    /// What an engine keeps after a few messages.
    private static let stored: (vehicle: [UInt8], journal: [UInt8]) = {
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
        return (engine.vehicle(id)?.encoded() ?? [], record.encoded())
    }()
}
