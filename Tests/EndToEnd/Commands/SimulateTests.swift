import Foundation
import Testing

/// `headroom simulate` against a real gateway.
struct SimulateEndToEndTests {
    /// A truck that comes at the demo's bridge from 120 m before its last turn-off.
    private static func route(expect: String) -> String {
        """
        {"type": "FeatureCollection", "features": [{"type": "Feature",
         "properties": {"vehicle": "late", "height": "13'6\\"", "speed_mps": 15, "expect": \(expect)},
         "geometry": {"type": "LineString", "coordinates": [
          [-83.748100, 42.280483], [-83.749500, 42.280525], [-83.750800, 42.280564], [-83.751770, 42.280593],
          [-83.752012, 42.280601], [-83.752760, 42.280623], [-83.754255, 42.280668]]}}]}
        """
    }

    @Test(
        "Watched trucks that are told what is expected end it with 0, all others with 1",
        .timeLimit(.minutes(6)),
        arguments: [(#"["detour", "stop", "passed"]"#, Int32(0)), (#"["ahead"]"#, Int32(1))])
    func watched(_ expect: String, _ status: Int32) async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        try await gateway.start()
        let route = try scratch.write(Self.route(expect: expect), to: "route.geojson")
        let arguments = ["simulate", "--config", gateway.configuration, "--routes", route, "--watch"]
        let simulate = try await run(Repository.program, arguments, scratch, within: .seconds(90))
        #expect(simulate.status == status, "\(simulate.errors)")
        #expect(simulate.output.contains("detour, stop, passed"))
        #expect(simulate.output.contains("NOT AS EXPECTED") == (status == 1))
    }

    @Test(
        "Routes that cannot be driven are named by file, feature and member, with what was expected",
        arguments: [
            (#""LineString""#, #""Point""#, #"feature 1 (line 1): type: expected a LineString, got "Point""#),
            (
                #""speed_mps": 15, "#, "",
                "feature 1 (line 1): properties.speed_mps: expected a value, got nothing"
            ),
            (
                #""speed_mps": 15, "#, #""speed_mps": "15", "#,
                "feature 1 (line 1): properties.speed_mps: expected a number, got something else"
            ),
            (#""late""#, #""a/b""#, "feature 1 (line 1): vehicle: expected 1 to 64 characters"),
        ])
    func unusableRoute(_ part: String, _ other: String, _ problem: String) async throws {
        let scratch = try Scratch()
        let route = try scratch.write(Self.route(expect: "[]").replacing(part, with: other), to: "route.geojson")
        let simulate = try await run(Repository.program, ["simulate", "--routes", route], scratch)
        #expect(simulate.status == 1 && simulate.errors.contains("\(route): \(problem)"), "\(simulate)")
    }

    @Test("On SIGINT random trucks stop at once, with 0, and leave no profile behind", .timeLimit(.minutes(6)))
    func interrupted() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        try await gateway.start()
        let listener = try await broker.listener(["fleet/+/location"])
        let arguments = ["--trucks", "3", "--height", "4.0", "--interval", "0.5", "--speed", "5"]
        let simulate = try ChildProcess(
            Repository.program, ["simulate", "--config", gateway.configuration] + arguments, scratch)
        try await eventually(within: .seconds(20), "no fixes: \(simulate.errors)") {
            Set(listener.heard.map(\.topic)).count == 3 && listener.heard.count >= 12
        }
        for heard in listener.heard {
            let members = try #require(heard.object)
            #expect(Set(["lat", "lon", "time", "accuracy", "speed"]).isSubset(of: members.keys))
        }
        #expect(try await broker.listener(["fleet/+/profile"]).heard.count == 3)
        #expect(try await simulate.stop(SIGINT).status == 0, "\(simulate.errors)")
        #expect(try await broker.listener(["fleet/+/profile"]).heard.isEmpty)
    }

    @Test(
        "Many trucks report at the rate asked for, go on with further trips, and every fix is accounted for",
        .timeLimit(.minutes(6))
    )
    func rate() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        let configuration = try scratch.write(
            "{broker: {url: \"\(broker.url)\"}, fleet: {topic: \"acme/{region}/{v}\"}}", to: "simulate.yaml")
        let listener = try await broker.listener(["acme/+/+/location"])
        // So fast that all of them arrive.
        let arguments = [
            "--roads", roads, "--trucks", "200", "--rate", "400", "--seconds", "12", "--speed", "300", "--noise", "5 m",
            "--gaps", "0.01", "--outliers", "0.01",
        ]
        let simulate = try await run(
            Repository.program, ["simulate", "--config", configuration] + arguments, scratch, within: .seconds(90))
        #expect(simulate.status == 0, "\(simulate.errors)")
        let sent = try #require(simulate.output.firstMatch(of: /200 trucks, (\d+) fixes/)?.1)
        let count = try #require(Int(sent))
        #expect(simulate.output.contains("\(count) acknowledged, 0 lost, 0 not sent"))
        #expect(simulate.errors.contains("simulate: after 10 s: "))
        // Silences take some away.
        #expect((1_000...4_800).contains(count))
        try await eventually(within: .seconds(10), "\(listener.heard.count) of \(count) fixes") {
            listener.heard.count == count
        }
        let topics = Set(listener.heard.map(\.topic))
        #expect(topics.count == 200)
    }

    @Test("The gateway reads what trucks publish in every layout", .timeLimit(.minutes(6)))
    func layouts() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let inputs = #"[{layout: owntracks, topic: "owntracks/{user}/{v}"}, {layout: traccar, topic: traccar/fixes}]"#
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: try await demoRoads(scratch), more: "fleet: {inputs: \(inputs)}")
        try await gateway.start()
        var total = 0
        for layout in ["headroom", "owntracks", "traccar"] {
            let arguments = ["--trucks", "3", "--interval", "0.5", "--seconds", "2", "--qos", "2", "--layout", layout]
            let simulate = try await run(
                Repository.program, ["simulate", "--config", gateway.configuration, "--seed", "\(total)"] + arguments,
                scratch)
            #expect(simulate.status == 0, "\(simulate.errors)")
            let sent = try #require(simulate.output.firstMatch(of: /3 trucks, (\d+) fixes/)?.1)
            total += try #require(Int(sent))
            try await eventually(within: .seconds(10), "\(layout): not \(total) fixes") {
                try await gateway.metric("headroom_fixes_total")[""] == Double(total)
            }
        }
        #expect(try await gateway.metric("headroom_rejected_total").isEmpty)
        let bare = try scratch.write("{broker: {url: \"\(broker.url)\"}}", to: "bare.yaml")
        let refused = try await run(
            Repository.program,
            [
                "simulate", "--config", bare, "--roads", scratch.path("ann-arbor.roads"), "--trucks", "1", "--layout",
                "traccar",
            ],
            scratch)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("fleet: {inputs:"))
    }

    @Test("Fixes that the broker never had are counted, and end it with 1", .timeLimit(.minutes(6)))
    func lost() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        let configuration = try scratch.write("{broker: {url: \"\(broker.url)\"}}", to: "simulate.yaml")
        let listener = try await broker.listener(["fleet/+/location"])
        let arguments = ["--roads", roads, "--trucks", "20", "--rate", "40", "--seconds", "6"]
        let simulate = try ChildProcess(
            Repository.program, ["simulate", "--config", configuration] + arguments, scratch)
        try await eventually(within: .seconds(20), "no fixes: \(simulate.errors)") { listener.heard.count >= 20 }
        try await broker.stop()
        #expect(try await simulate.end(within: .seconds(40)).status == 1)
        #expect(simulate.errors.contains("not every fix has reached the broker"))
        // It connects anew with a session of its own each time.
        #expect(simulate.errors.contains("the connection and its session are gone, the trucks wait with their fixes"))
        #expect(!simulate.errors.contains("kept"), "\(simulate.errors)")
        let unsent = simulate.output.firstMatch(of: /(\d+) not sent/).flatMap { Int($0.1) }
        #expect(unsent ?? 0 > 20, "\(simulate.output)")
    }

    @Test(
        "A rate that cannot be is refused with 2",
        arguments: [["--rate", "0"], ["--rate", "1", "--interval", "1"], ["--rate", "100"], ["--gaps", "2"]])
    func refused(_ arguments: [String]) async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let simulate = try await run(
            Repository.program, ["simulate", "--trucks", "2", "--roads", roads] + arguments, scratch)
        #expect(simulate.status == 2)
        #expect(!simulate.errors.isEmpty)
    }
}
