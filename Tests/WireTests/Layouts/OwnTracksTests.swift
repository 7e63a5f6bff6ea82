import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite struct OwnTracksTests {
    private static let location = #""_type":"location","lat":42.5,"lon":-83.5,"tst":1795269895"#

    private static func decode(_ members: String, retained: Bool = false) -> DecodedMessage {
        let truck = VehicleID("T42")!
        return WireDecoder().decode(
            Array("{\(members)}".utf8), layout: .ownTracks, of: truck, retained: retained, receivedAt: Arrival.time)
    }

    @Test("A location is a fix; what the device does not know is not known")
    func location() {
        let decoded = Self.decode(Self.location + #","acc":5,"vel":72,"cog":271,"alt":200,"tid":"AB","t":"t""#)
        let fix = Fix(
            position: Coordinate(latitude: 42.5, longitude: -83.5), time: Timestamp(milliseconds: 1_795_269_895_000),
            accuracy: 5, speed: 20, course: 271, altitude: 200)
        #expect(decoded.reports == [.location([fix]), .presence(.online)])
        let unknown = Self.decode(Self.location + #","acc":0,"vel":-1,"cog":-1,"inregions":["Home"]"#)
        #expect(unknown.fixes.first?.accuracy == nil && unknown.fixes.first?.speed == nil)
        #expect(unknown.fixes.first?.course == nil && unknown.fixes.first?.region == nil)
    }

    @Test("Numbers may be texts and seconds may have decimals")
    func numerals() {
        let texts = #""_type":"location","lat":"42.5","lon":"-83.5","tst":"1795269895.25","vel":"36""#
        let fix = Self.decode(texts).fixes.first
        #expect(fix?.position == Coordinate(latitude: 42.5, longitude: -83.5) && fix?.speed == 10)
        #expect(fix?.time == Timestamp(milliseconds: 1_795_269_895_250))
    }

    @Test("A fix that the broker kept is no sign of life; older than a minute it is none at all")
    func retained() {
        #expect(Self.decode(Self.location, retained: true).reports.count == 1)
        let old = Self.decode(#""_type":"location","lat":42.5,"lon":-83.5,"tst":1795269839"#, retained: true)
        #expect(old.reports.isEmpty && old.rejections == [.tooOld])
        let timeless = #""_type":"location","lat":42.5,"lon":-83.5"#
        #expect(Self.decode(timeless, retained: true).rejections == [.retainedWithoutTime])
        #expect(Self.decode(timeless).fixes.first?.time == Arrival.time)
    }

    @Test(
        "A transition is a fix that confirms the region under the id that it was sent out with",
        arguments: [
            (#""event":"enter","desc":"osm/way/4711","rid":"osm:way:4711""#, Fix.Trigger.enter, "osm:way:4711"),
            (#""event":"leave","desc":"depot-7","rid":"6da9cf""#, .exit, "depot-7"),
            (#""event":"leave","rid":"depot-7""#, .exit, "depot-7"),
        ])
    func transition(members: String, trigger: Fix.Trigger, region: String) {
        let decoded = Self.decode(#""_type":"transition","lat":42.5,"lon":-83.5,"tst":1795269895,"acc":9,"# + members)
        #expect(decoded.fixes.first?.trigger == trigger && decoded.fixes.first?.region == RegionKey(region))
    }

    @Test("The will says that the device is gone, whatever stands in it", arguments: ["1440363922", "\"1440363922\""])
    func will(tst: String) {
        #expect(Self.decode(#""_type":"lwt","tst":"# + tst).reports == [.presence(.offline)])
    }

    @Test(
        "What says nothing about where the device is, is counted by its type",
        arguments: [
            "beacon", "card", "cmd", "configuration", "dump", "request", "status", "steps", "waypoint", "waypoints",
        ])
    func other(type: String) {
        let decoded = Self.decode(#""_type":"\#(type)","x":1"#)
        #expect(decoded == DecodedMessage(address: decoded.address, other: OtherMessage(rawValue: type)))
        #expect(decoded.other != nil)
    }

    @Test(
        "What cannot be read is rejected with its reason",
        arguments: [
            (#""_type":"encrypted","data":"…""#, InputError.encrypted), (#""_type":"event""#, .unknownMessageType),
            (#""_type":"msg""#, .unknownMessageType), (#""_type":7"#, .wrongType), (#""lat":1,"lon":2"#, .missingField),
            (#""_type":"location","lat":1"#, .missingField), (#""_type":"location","lat":"NaN","lon":1"#, .wrongType),
            (#""_type":"location","lat":91,"lon":1"#, .outOfRange),
            (#""_type":"location","lat":1,"lon":1,"tst":1e300"#, .outOfRange),
            (#""_type":"location","lat":1,"lon":1,"tst":"yesterday""#, .wrongType),
            (#""_type":"transition","lat":1,"lon":1,"tst":1"#, .missingField),
            (#""_type":"transition","lat":1,"lon":1,"tst":1,"event":"dwell""#, .outOfRange),
        ])
    func bad(members: String, reason: InputError) {
        #expect(Self.decode(members).rejections == [reason])
    }
}
