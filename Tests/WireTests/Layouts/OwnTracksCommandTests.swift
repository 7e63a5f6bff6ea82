import Fleet
import Foundation
import Geo
import Messages
import MQTT
import Testing

@testable import Wire

/// What OwnTracks apps are told on their own topic.
@Suite struct OwnTracksCommandTests {
    private static let address = VehicleAddress(vehicle: LayoutExamples.truck, device: "owntracks/jane/T42")

    private static func object(_ message: Publication?) throws -> [String: Any] {
        let payload = Data(try #require(message).payload)
        return try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
    }

    private static func command(_ message: Message, to address: VehicleAddress = address) -> Publication? {
        WireEncoder().command(Envelope(address: address, message: message), publishedAt: Arrival.time)
    }

    private static let regions = RegionsMessage(
        id: "r", version: 7, time: Arrival.time, limit: 20,
        regions: [
            Region(
                id: "osm:way:4711",
                circle: Circle(center: Coordinate(latitude: 42.5, longitude: -83.5), radius: 120.4), kind: .clearance)
        ], added: ["osm:way:4711"], removed: ["depot-7"])

    @Test("Regions are waypoints; those that are gone come first and lie off the globe")
    func waypoints() throws {
        let message = try #require(Self.command(.regions(Self.regions)))
        #expect(message.topic == "owntracks/jane/T42/cmd" && !message.retain)
        let command = try Self.object(message)
        #expect(command["_type"] as? String == "cmd" && command["action"] as? String == "setWaypoints")
        let set = try #require(command["waypoints"] as? [String: Any])
        #expect(set["_type"] as? String == "waypoints")
        let waypoints = try #require(set["waypoints"] as? [[String: Any]])
        #expect(waypoints.map { $0["rid"] as? String } == ["depot-7", "osm:way:4711"])
        #expect(waypoints.map { $0["desc"] as? String } == ["depot-7", "osm/way/4711"])
        #expect(waypoints.map { $0["lat"] as? Double } == [-1_000_000, 42.5])
        #expect(waypoints.map { $0["rad"] as? Int } == [0, 121])
        #expect(waypoints.allSatisfy { $0["_type"] as? String == "waypoint" })
    }

    @Test("What the device sends back of a waypoint is the region's id, and the time that names it is always the same")
    func region() throws {
        for id in ["osm:way:4711", "quiet", "nbi:54-00000000001A001", "a|b"] {
            let name = OwnTracksRegion(id: id).name
            #expect(!name.contains(":") && !name.contains("|") && OwnTracksRegion(name: name).id == id)
        }
        let stamps = (0..<10_000).map { OwnTracksRegion(id: "osm:way:\($0)").timestamp }
        #expect(Set(stamps).count == stamps.count && stamps.allSatisfy { (0..<1 << 31).contains($0) })
        #expect(OwnTracksRegion(id: "depot-7").timestamp == OwnTracksRegion(id: "depot-7").timestamp)
    }

    @Test("Alerts that call for action are notifications; their end, and what no app takes up, is not sent")
    func notifications() throws {
        for stage in [AlertMessage.Stage.ahead, .detour, .stop] {
            var alert = AlertMessage.example
            alert.stage = stage
            let command = try Self.object(Self.command(.alert(alert)))
            #expect(command["action"] as? String == "action" && command["notification"] as? String == alert.text)
        }
        for stage in [AlertMessage.Stage.cleared, .passed] {
            var alert = AlertMessage.example
            alert.stage = stage
            #expect(Self.command(.alert(alert)) == nil)
        }
        let request = RequestMessage(id: "r", kind: .heightRequired, time: Arrival.time, text: "How high?")
        #expect(Self.command(.request(request)) == nil)
    }

    @Test("A vehicle without such a device gets no command")
    func noDevice() {
        #expect(Self.command(.regions(Self.regions), to: VehicleAddress(vehicle: LayoutExamples.truck)) == nil)
    }
}
