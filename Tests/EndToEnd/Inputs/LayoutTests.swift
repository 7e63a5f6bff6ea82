import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing
import Wire

/// Devices of other layouts are told what a device of the gateway's own is told.
struct LayoutEndToEndTests {
    private struct Client {
        var vehicle: String
        var topic: String
        var layout: InputLayout
    }

    private static let mapped = """
        fleet:
          inputs:
            - {layout: owntracks, topic: "owntracks/{user}/{v}"}
            - {layout: traccar, topic: traccar/positions}
            - {layout: headroom, topic: depot/fixes}
            - layout: mapped
              topic: "/hfp/{operator}/{v}/#"
              fields:
                lat: {pointer: /VP/lat, unit: 1e-7 deg}
                lon: {pointer: /VP/long, unit: 1e-7 deg}
                time: /VP/tst
                speed: {pointer: /VP/spd, unit: km/h}
                course: /VP/hdg
                accuracy: {value: 5, unit: m}
        """

    private static func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

    /// As the configuration has it.
    private static func hfp() throws -> MappedLayout {
        MappedLayout(fields: [
            .lat: .pointer(try pointer("/VP/lat"), unit: .degrees7),
            .lon: .pointer(try pointer("/VP/long"), unit: .degrees7), .time: .pointer(try pointer("/VP/tst")),
            .speed: .pointer(try pointer("/VP/spd"), unit: .kilometresPerHour),
            .course: .pointer(try pointer("/VP/hdg")),
        ])
    }

    @Test(
        "A truck in each layout is told the same stages, of the same bridge and the same detour",
        .timeLimit(.minutes(8)))
    func alike() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: try await demoRoads(scratch), more: Self.mapped)
        let listener = try await broker.listener(["fleet/+/alert", "fleet/+/state", "owntracks/jane/phone/cmd"])
        try await gateway.start()
        let clients = [
            Client(vehicle: "own", topic: "fleet/own/location", layout: .headroom),
            Client(vehicle: "depot", topic: "depot/fixes", layout: .headroom),
            Client(vehicle: "phone", topic: "owntracks/jane/phone", layout: .ownTracks),
            Client(vehicle: "tracker", topic: "traccar/positions", layout: .traccar),
            Client(vehicle: "bus", topic: "/hfp/12/bus/1/Pasila", layout: .mapped(try Self.hfp())),
        ]
        for client in clients {
            try await broker.publish("fleet/\(client.vehicle)/profile", DemoTruck.profile, retain: true)
        }
        try await drive(clients, broker)

        try await eventually(within: .seconds(30), "told: \(listener.heard.compactMap(\.alert?.stage))") {
            clients.allSatisfy { client in
                listener.heard("fleet/\(client.vehicle)/alert").contains { $0.alert?.stage == "passed" }
            }
        }
        let told = clients.map { Self.told(listener.heard("fleet/\($0.vehicle)/alert")) }
        #expect(told[0].map(\.stage) == DemoTruck.stages && Set(told[0].map(\.clearance)).count == 1)
        for (client, alerts) in zip(clients, told) { #expect(alerts == told[0], "\(client.vehicle)") }

        try expectCommands(listener)
        try await broker.publish("owntracks/jane/phone/status", #"{"_type":"status","iOS":{}}"#)
        try await broker.publish("owntracks/jane/phone", #"{"_type":"lwt","tst":"1440363922"}"#)
        try await broker.publish("owntracks/jane/phone", #"{"_type":"encrypted","data":"…"}"#)
        try await eventually(within: .seconds(5), "other messages are not counted") {
            let others = try await gateway.metric("headroom_other_messages_total")
            let rejected = try await gateway.metric("headroom_rejected_total")
            return others == [#"{type="status"}"#: 1] && rejected[#"{reason="encrypted"}"#] == 1
                && Self.presence(listener) == "offline"
        }

        try await broker.publish("fleet/phone/consent", #"{"status":"denied"}"#, retain: true)
        try await eventually(within: .seconds(5), "the state stays") { Self.presence(listener) == nil }
        let commands = listener.heard("owntracks/jane/phone/cmd").count
        let fix = try #require(Array(try DemoTruck().drive(from: .now)).first)
        try await broker.publish(
            "owntracks/jane/phone", String(decoding: InputLayout.ownTracks.encoded(fix, of: Self.phone), as: UTF8.self))
        try await eventually(within: .seconds(5), "the fix is not counted") {
            try await gateway.metric("headroom_rejected_total")[#"{reason="no-consent"}"#] == 1
        }
        #expect(listener.heard("owntracks/jane/phone/cmd").count == commands)
        try await gateway.stop()
    }

    private static let phone = VehicleID("phone")!

    /// All of them the same way at the same time.
    private func drive(_ clients: [Client], _ broker: BrokerProcess) async throws {
        let speakers = try clients.map { try broker.speaker($0.topic) }
        for fix in try DemoTruck().drive(from: Timestamp.now.adding(1), noise: 0) {
            let wait = fix.time.since(.now)
            if wait > 0 { try await Task.sleep(for: .seconds(wait)) }
            for (client, speaker) in zip(clients, speakers) {
                let vehicle = try #require(VehicleID(client.vehicle))
                try speaker.write(line: String(decoding: client.layout.encoded(fix, of: vehicle), as: UTF8.self))
            }
        }
    }

    private struct Told: Equatable {
        var stage: String
        var clearance: String
        /// Where, and onto what.
        var detour: String?
    }

    private static func told(_ heard: [Listener.Heard]) -> [Told] {
        heard.compactMap(\.object).filter { $0["type"] as? String == "low-clearance" }.map { alert in
            let detour = alert["detour"] as? [String: Any]
            return Told(
                stage: alert["stage"] as? String ?? "",
                clearance: (alert["clearance"] as? [String: Any])?["id"] as? String ?? "",
                detour: detour.map { "\($0["lat"] ?? "") \($0["lon"] ?? "") \($0["turn_onto"] ?? "")" })
        }
    }

    /// Nil where there is no state any more.
    private static func presence(_ listener: Listener) -> String? {
        listener.heard("fleet/phone/state").last?.object?["presence"] as? String
    }

    private func expectCommands(_ listener: Listener) throws {
        let commands = listener.heard("owntracks/jane/phone/cmd").compactMap(\.object)
        #expect(commands.allSatisfy { $0["_type"] as? String == "cmd" })
        let notified = commands.filter { $0["action"] as? String == "action" }.compactMap {
            $0["notification"] as? String
        }
        let texts = listener.heard("fleet/phone/alert").compactMap(\.object).filter {
            ["ahead", "detour", "stop"].contains($0["stage"] as? String)
        }
        #expect(notified == texts.compactMap { $0["text"] as? String } && notified.count == 3)
        let set = try #require(commands.first { $0["action"] as? String == "setWaypoints" })
        let waypoints = (set["waypoints"] as? [String: Any])?["waypoints"] as? [[String: Any]]
        #expect(waypoints?.isEmpty == false)
    }
}
