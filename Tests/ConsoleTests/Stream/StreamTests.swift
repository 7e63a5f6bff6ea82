import Fleet
import Foundation
import Gateway
import Geo
import Messages
import NIOCore
import Testing

@testable import Console

@Suite("What a stream tells")
struct StreamTests {
    private static let world = StreamView(bounds: nil, zoom: 10)
    private static let annArbor = StreamView(
        bounds: Bounds(south: 42.2, west: -83.8, north: 42.3, east: -83.7), zoom: 12)

    private func session(_ stage: Stage, _ view: StreamView = world, from cursor: StreamCursor? = nil) -> StreamSession
    {
        StreamSession(run: "run", view: view, from: cursor, newest: stage.shared.messages.newest)
    }

    private func names(_ events: [ServerSentEvent]) -> [String] { events.map(\.name) }

    private func object(_ event: ServerSentEvent?) throws -> [String: Any] {
        let event = try #require(event)
        return try #require(try JSONSerialization.jsonObject(with: Data(event.data)) as? [String: Any])
    }

    private func ids(_ event: ServerSentEvent?) throws -> [String] {
        try #require(try object(event)["vehicles"] as? [[Any]]).compactMap { $0.first as? String }.sorted()
    }

    // MARK: Messages

    @Test("Who begins hears what is said from then on, with an id to go on after")
    func messages() throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        var session = session(stage)
        #expect(session.messages(of: stage.shared.messages).events.isEmpty)
        try stage.approachBridge("T2")
        let events = session.messages(of: stage.shared.messages).events
        #expect(names(events) == ["alert"])
        #expect(try object(events[0])["vehicle"] as? String == "T2")
        #expect(events[0].id == "run-\(stage.shared.messages.newest)")
    }

    @Test("Who loses the connection before the first message goes on after the id of the greeting")
    func resumeAfterHello() async throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        var first = session(stage)
        let hello = first.hello(await stage.shared.view.snapshot())
        let id = try #require(hello.id)
        try stage.approachBridge("T2")
        var second = session(stage, from: StreamCursor(id))
        let again = second.hello(await stage.shared.view.snapshot())
        #expect(again.id == nil)
        let events = second.messages(of: stage.shared.messages).events
        #expect(try events.map { try object($0)["vehicle"] as? String } == ["T2"])
    }

    @Test("Who comes back hears what was said meanwhile, once and in order")
    func resume() throws {
        let stage = try Stage(fences: [.circle("a", 42.28, -83.75)])
        try stage.approachBridge("T1")
        let number = stage.shared.messages.newest
        try stage.approachBridge("T2")
        try stage.approachBridge("T3")
        var session = session(stage, from: StreamCursor(run: "run", number: number))
        let events = session.messages(of: stage.shared.messages).events
        #expect(events.compactMap(\.id) == (number + 1...stage.shared.messages.newest).map { "run-\($0)" })
        #expect(session.messages(of: stage.shared.messages).events.isEmpty)
    }

    @Test(
        "Who was told by another run, or of something to come, or of nothing, loads everything again",
        arguments: ["other-1", "run-999", "nonsense", "-", "run-"])
    func reset(last: String) throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        var session = session(stage, from: StreamCursor(last) ?? StreamCursor(run: "", number: 0))
        let events = session.messages(of: stage.shared.messages).events
        #expect(names(events) == ["reset"])
        #expect(events[0].id == "run-\(stage.shared.messages.newest)")
        try stage.approachBridge("T2")
        #expect(names(session.messages(of: stage.shared.messages).events) == ["alert"])
    }

    @Test("Of a vehicle that may not be kept any more nothing is told, and the others keep their ids")
    func forgotten() throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        try stage.approachBridge("T2")
        try stage.report(.consent(Consent(.denied)), from: "T1")
        var session = session(stage, from: StreamCursor(run: "run", number: 0))
        let events = session.messages(of: stage.shared.messages).events
        #expect(try events.compactMap { try object($0)["vehicle"] as? String } == ["T2"])
        #expect(events.compactMap(\.id) == ["run-2"])
    }

    // MARK: Vehicles

    @Test("Vehicles are told in full once, then those that have changed, then those that went")
    func vehicles() async throws {
        let stage = try Stage()
        try stage.fix("T1", 42.28, -83.75)
        try stage.fix("T2", 42.28, -83.76)
        try stage.fix("far", 10, 10)
        var layer = VehicleLayer(Self.annArbor)
        let first = layer.event(await stage.shared.view.snapshot())
        #expect(try ids(first) == ["T1", "T2"])
        #expect(try object(first)["full"] as? Bool == true)
        #expect(layer.event(await stage.shared.view.snapshot()) == nil)

        try stage.fix("T1", 42.281, -83.75)
        let second = layer.event(await stage.shared.view.snapshot())
        #expect(try ids(second) == ["T1"])
        #expect(try object(second)["full"] as? Bool == false)

        try stage.fix("T2", 41, -83.76, after: 3600)
        try stage.report(.consent(Consent(.denied)), from: "T1")
        let third = layer.event(await stage.shared.view.snapshot())
        #expect(try ids(third) == [])
        #expect(try object(third)["gone"] as? [String] == ["T1", "T2"])
    }

    @Test("A row says where, how fast, when, how bad and what is wrong")
    func row() async throws {
        let stage = try Stage(fences: [.circle("a", 42.2803, -83.7374, radius: 1000)])
        try stage.approachBridge("T1")
        try stage.fix("T2", 42.5, -83.75, speed: 3, course: 271.6)
        try stage.report(.presence(.offline), from: "T2")
        var layer = VehicleLayer(Self.world)
        let object = try object(layer.event(await stage.shared.view.snapshot()))
        let rows = try #require(object["vehicles"] as? [[Any]]).sorted { "\($0[0])" < "\($1[0])" }
        #expect(rows[0][6] as? String == "ahead")
        #expect(rows[0][7] as? Int == VehicleSnapshot.Flags.insideFence.rawValue)
        #expect(rows[1][3] as? Int == 272 && rows[1][4] as? Double == 3)
        #expect(rows[1][6] is NSNull)
        let flags: VehicleSnapshot.Flags = [.blind, .heightAssumed, .offline]
        #expect(rows[1][7] as? Int == flags.rawValue)
    }

    @Test("More than a screen can show become cells that count them, and come back in full")
    func clusters() async throws {
        let stage = try Stage(roads: false)
        let count = VehicleLayer.vehiclesMax + 1
        try stage.take(
            (0..<count).map { index in
                let position = Coordinate(latitude: 42.2 + Double(index % 40) / 400, longitude: -83.75)
                let address = VehicleAddress(vehicle: VehicleID("T\(index)")!)
                return .report(
                    .location([Fix(position: position, time: stage.now, accuracy: 5)]), from: address,
                    receivedAt: stage.now)
            })
        var layer = VehicleLayer(StreamView(bounds: nil, zoom: 8))
        let event = layer.event(await stage.shared.view.snapshot())
        #expect(event?.name == "clusters")
        let cells = try #require(try object(event)["cells"] as? [[Any]])
        #expect(cells.count < 10 && cells.compactMap { $0[2] as? Int }.reduce(0, +) == count)
        #expect(layer.event(await stage.shared.view.snapshot()) == nil)

        try stage.report(.consent(Consent(.denied)), from: "T0")
        let fewer = layer.event(await stage.shared.view.snapshot())
        #expect(fewer?.name == "vehicles")
        #expect(try object(fewer)["full"] as? Bool == true)
        #expect(try ids(fewer).count == count - 1)
    }

    // MARK: The rest

    @Test("Open alerts are told whenever a distance has changed")
    func alerts() async throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        var layer = AlertLayer()
        let told = try object(layer.event(await stage.shared.view.snapshot()))
        let open = try #require(told["open"] as? [[String: Any]])
        #expect(told["count"] as? Int == 1)
        #expect(open.count == 1 && open[0]["stage"] as? String == "ahead" && open[0]["sequence"] as? Int == 1)
        #expect(
            open[0]["eta"] as? Int ?? 0 > 0
                && open[0]["distance"] as? Int ?? 0 > open[0]["detour_distance"] as? Int ?? 0)
        #expect(layer.event(await stage.shared.view.snapshot()) == nil)
        try stage.report(.profile(HeightProfile(height: 250)), from: "T1")
        #expect(try object(layer.event(await stage.shared.view.snapshot()))["open"] as? [String] == [])
    }

    @Test("A change of fences or clearances is told by its number, once")
    func map() async throws {
        let stage = try Stage()
        var session = session(stage)
        let hello = session.hello(await stage.shared.view.snapshot())
        let before = try #require(try object(hello)["map"] as? [String: Int])
        #expect(!names(session.events(await stage.shared.view.snapshot(), isReady: true, at: .now)).contains("map"))
        let fence = Fence.circle("a", 1, 1)
        try stage.take([.fences([FenceChange(id: "a", fence: fence)], at: stage.now)])
        let events = session.events(await stage.shared.view.snapshot(), isReady: true, at: .now)
        let after = try object(events.first { $0.name == "map" })
        #expect(after["fences"] as? Int != before["fences"] && after["clearances"] as? Int == before["clearances"])
        #expect(!names(session.events(await stage.shared.view.snapshot(), isReady: true, at: .now)).contains("map"))
    }

    @Test("A sign of life comes every two seconds, whatever else there is to tell")
    func pulse() async throws {
        let stage = try Stage(roads: false)
        var session = session(stage)
        let start = ContinuousClock.now
        var pulses: [Bool] = []
        for seconds in [0, 1, 2, 3, 4.1, 5.2, 9] {
            let snapshot = await stage.shared.view.snapshot()
            let events = session.events(snapshot, isReady: true, at: start + .seconds(seconds))
            pulses.append(names(events).contains("pulse"))
        }
        #expect(pulses == [true, false, true, false, true, false, true])
    }

    @Test("An event is written as the standard has it")
    func writing() {
        var buffer = ByteBuffer()
        ServerSentEvent("alert", id: "run-7", Array("{}".utf8)).write(into: &buffer)
        ServerSentEvent("pulse", Array("{\"a\":1}".utf8)).write(into: &buffer)
        #expect(String(buffer: buffer) == "id: run-7\nevent: alert\ndata: {}\n\nevent: pulse\ndata: {\"a\":1}\n\n")
    }
}
