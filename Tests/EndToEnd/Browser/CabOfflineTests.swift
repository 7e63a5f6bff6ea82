import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing

/// The driver's page while there is no network.
@Suite(.serialized)
struct CabOfflineEndToEndTests {
    private func fenceEvents(_ scene: ConsoleScene, _ vehicle: String) -> [String] {
        scene.listener.heard("fleet/\(vehicle)/event").compactMap { message in
            let object = (try? JSONSerialization.jsonObject(with: Data(message.payload.utf8))) as? [String: Any]
            let fence = object?["fence"] as? [String: Any]
            guard let event = object?["event"], let id = fence?["id"] else { return nil }
            return "\(event) \(id)"
        }
    }

    /// Phase, arrival and departure of each visit message, in epoch seconds; -1: not known.
    private func visits(_ scene: ConsoleScene, _ vehicle: String) throws -> [(phase: String, ends: [Double])] {
        try scene.listener.heard("fleet/\(vehicle)/visit").map { message in
            let object = try JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any]
            let ends = try ["arrival", "departure"].map { (name) -> Double in
                guard let text = object?[name] as? String else { return -1.0 }
                return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text).timeIntervalSince1970
            }
            return (try #require(object?["phase"] as? String), ends)
        }
    }

    /// A device that is always connected, at the same places.
    private func companion(_ fix: Fix, _ client: ChildProcess) throws {
        try client.write(line: Fix(position: fix.position, time: .now, accuracy: fix.accuracy).json)
    }

    @Test(
        "A minute without network loses no fix, no fence event and no visit, and the page counts down and advances the stage",
        .timeLimit(.minutes(8)))
    func minute() async throws {
        let cab = try await CabScene(more: "visits: {duration: 20 s, radius: 40 m}")
        let scene = cab.scene
        let fixes = Array(try DemoTruck().drive(from: .now))
        for (name, second, radius) in [("first", 62, 80), ("second", 84, 60)] {
            let place = fixes[second].position
            try await scene.broker.publish(
                "headroom/fences/\(name)",
                """
                {"type":"Feature","geometry":{"type":"Point","coordinates":[\(place.longitude),\(place.latitude)]},\
                "properties":{"radius":\(radius)}}
                """, retain: true)
        }
        try await scene.broker.publish("fleet/T43/profile", #"{"height": "8'"}"#, retain: true)
        let companion = try scene.broker.speaker("fleet/T43/location")
        try await cab.start()
        try await cab.drive(22..<46) { try self.companion($0, companion) }
        try await scene.until("[data-stage=ahead] h2", contains: "Low bridge ahead")
        let before = cab.sentTimes.count
        try await scene.browser.setOnline(false)
        try await cab.drive(46..<54) { try self.companion($0, companion) }
        try await cab.stand(at: 54, for: 26) { try self.companion($0, companion) }
        try await cab.drive(54..<101) { try self.companion($0, companion) }
        try await scene.until("[data-stage=stop] h2", contains: "STOP")
        #expect(try await cab.stages == ["ahead", "detour", "stop"])
        #expect(Set(try await cab.noted("distances")).count > 12, "it did not count down")
        #expect(cab.sentTimes.count <= before + 2)
        try await cab.drive(101..<109) { try self.companion($0, companion) }
        try await scene.until(".limits", contains: "left the way to a low bridge, or passed it: ")

        try await scene.browser.setOnline(true)
        try await cab.drive(109..<110) { try self.companion($0, companion) }
        try await eventually(within: .seconds(30), "fixes are missing: \(cab.sentTimes.count)") {
            cab.sentTimes.count > before + 55
        }
        let times = cab.sentTimes
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        let undisturbed = ["enter first", "exit first", "enter second", "exit second"]
        for vehicle in ["T43", "T42"] {
            try await eventually(within: .seconds(30), "\(vehicle): \(fenceEvents(scene, vehicle))") {
                fenceEvents(scene, vehicle) == undisturbed
            }
        }
        try await eventually(within: .seconds(30), "visits are missing") {
            try visits(scene, "T42").count >= 2 && visits(scene, "T43").count >= 2
        }
        // Where it stands now, at the end, is a visit too, sooner or later.
        for (own, other) in zip(try visits(scene, "T42").prefix(2), try visits(scene, "T43").prefix(2)) {
            #expect(own.phase == other.phase)
            #expect(zip(own.ends, other.ends).allSatisfy { abs($0 - $1) < 2 }, "\(own), \(other)")
        }
        try await scene.end()
    }

    @Test(
        "Who turns off as told while the gateway cannot be heard is not told to stop, on the detour and behind it",
        .timeLimit(.minutes(6)))
    func detour() async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        try await cab.start()
        try await cab.drive(20..<46, of: "tall-turns-off")
        try await scene.until("[data-stage] h2", contains: "Low bridge ahead")
        try await scene.browser.setOnline(false)
        try await cab.drive(46..<122, of: "tall-turns-off")
        try await scene.until(".limits", contains: "left the way to a low bridge, or passed it: ")
        #expect(try await cab.stages == ["ahead", "detour"])
        let spoken = try await cab.noted("spoken")
        #expect(spoken.count == 2, "\(spoken)")
        try await scene.end()
    }

    /// Along E Huron Street, which nothing too low is on, to S 1st Street, and on it to where W Washington Street crosses.
    private static let toCrossing = [
        (42.281425, -83.7407), (42.281476, -83.7437), (42.281524, -83.7453), (42.281566, -83.7467),
        (42.281608, -83.7481), (42.28165, -83.7495), (42.281689, -83.7508), (42.280564, -83.7508),
    ]

    @Test(
        "While the gateway cannot be heard a notice becomes an alarm before the last turn-off, and STOP where the bridge is driven to",
        .timeLimit(.minutes(6)),
        arguments: [
            ([(42.280593, -83.75177), (42.280623, -83.75276)], ["ahead", "stop"]),
            ([(42.279349, -83.7508), (42.278204, -83.7508)], ["ahead"]),
        ] as [([(Double, Double)], [String])])
    func notice(onward: [(Double, Double)], stages: [String]) async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        let line = (Self.toCrossing + onward).map { Coordinate(latitude: $0.0, longitude: $0.1) }
        let trip = try #require(Trip(line: line, speed: 14))
        let fixes = Array(Drive(trip, .init(interval: 1, noise: 2), from: .now, seed: 1))
        try await cab.start()
        try await cab.drive(fixes[20..<34])
        try await scene.until(".notice", contains: "if your way leads there.")
        #expect(try await cab.stages.isEmpty)
        try await scene.browser.setOnline(false)
        try await cab.drive(fixes[34..<75])
        #expect(try await cab.stages == stages)
        let spoken = try await cab.noted("spoken")
        #expect(spoken.count == stages.count, "\(spoken)")
        #expect(spoken.first?.contains("Last turn-off before it: S 1st Street.") == true, "\(spoken)")
        try await scene.end()
    }

    @Test("A gateway that comes back and knows older fixes only does not take back STOP", .timeLimit(.minutes(6)))
    func olderAnswer() async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        try await cab.start()
        try await cab.drive(22..<46)
        try await scene.until("[data-stage=ahead] h2", contains: "Low bridge ahead")
        try await scene.gateway.stop()
        try await cab.drive(46..<101)
        try await scene.until("[data-stage=stop] h2", contains: "STOP")
        let sentence = try await scene.browser.text("[data-stage] p[aria-live]")
        #expect(sentence?.contains("No turn-off before it.") == true)
        let count = cab.sentTimes.count
        try await scene.gateway.start()
        try await cab.stand(at: 100, for: 15) { _ in }
        #expect(cab.sentTimes.count > count + 50, "the fixes of the outage have not come")
        #expect(try await cab.stages == ["ahead", "detour", "stop"])
        try await scene.end()
    }

    @Test(
        "An acknowledgement that could not be sent outlives a reload, and a revoked phone is told so",
        .timeLimit(.minutes(6)))
    func acknowledgement() async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        try await cab.start()
        try await cab.drive(22..<46)
        try await scene.until("[data-stage=ahead] h2", contains: "Low bridge ahead")
        // A page that its worker has opened would not be cut off by the browser's emulation.
        try await scene.gateway.stop()
        try await scene.browser.click("[data-stage] .distance")
        // A browser writes by and by: what it has not written yet goes with the page.
        try await eventually(within: .seconds(10), "the acknowledgement is not stored") {
            try await scene.browser.runAsync(
                """
                indexedDB.open("headroom-cab").onsuccess = ({target}) => {
                  const count = target.result.transaction("acknowledgements").objectStore("acknowledgements").count();
                  count.onsuccess = () => { target.result.close(); done(count.result); };
                };
                """) as? Int == 1
        }
        try await scene.browser.open("about:blank")
        try await scene.browser.open(cab.address)
        try await scene.until("button.primary", contains: "Start driving")
        #expect(scene.listener.heard("fleet/T42/ack").isEmpty)
        try await scene.gateway.start()
        let told = scene.listener.heard("fleet/T42/alert").map(\.payload).joined(separator: "\n")
        try await eventually(
            within: .seconds(20), "no acknowledgement; told: \(told); \(scene.gateway.errors.suffix(500))"
        ) {
            !scene.listener.heard("fleet/T42/ack").isEmpty
        }

        let client = ConsoleClient(gateway: scene.gateway, scratch: scene.scratch)
        let id = try #require(try await client.get("/vehicles/T42/cab-tokens").items.first?["id"] as? Int)
        #expect(try await client.delete("/cab-tokens/\(id)").status == 200)
        try await scene.until("#message", contains: "not paired")
        try await scene.end()
    }

    @Test(
        "On a phone of 6.3 inches and 416 dots per inch the distance and STOP are 12 mm high", .timeLimit(.minutes(6)))
    func textSize() async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        try await scene.browser.resize(width: 412, height: 915, scale: 2.625)
        try await cab.start()
        try await cab.drive(22..<46)
        try await scene.until("[data-stage=ahead] h2", contains: "Low bridge ahead")
        let heights = try #require(
            try await scene.browser.run(
                """
                const context = document.createElement("canvas").getContext("2d");
                const capital = (selector) => {
                  const style = getComputedStyle(document.querySelector(selector));
                  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
                  return context.measureText("H").actualBoundingBoxAscent;
                };
                const distance = capital(".distance");
                document.querySelector("[data-stage]").dataset.stage = "stop";
                document.querySelector(".headline").textContent = "STOP";
                const lines = [".headline", ".distance"].map((selector) => {
                  const place = document.querySelector(selector);
                  return Math.round(place.clientHeight / parseFloat(getComputedStyle(place).fontSize));
                });
                return [distance, capital(".headline"), document.documentElement.scrollWidth, ...lines];
                """) as? [Double])
        let millimetresPerPixel = 2.625 / 416 * 25.4
        #expect(heights[0] * millimetresPerPixel >= 12 && heights[1] * millimetresPerPixel >= 12, "\(heights)")
        #expect(heights[2] <= 412, "it is wider than the screen: \(heights)")
        #expect(heights[3...] == [1, 1], "STOP or the distance takes more than a line: \(heights)")
        try await cab.audit()

        try await scene.browser.resize(width: 320, height: 640, scale: 2)
        let ends = try #require(
            try await scene.browser.run(
                """
                document.querySelector(".distance span").textContent = "1.3";
                document.querySelector("[data-stage]").dataset.stage = "stop";
                document.querySelector(".headline").textContent = "STOP";
                return [".headline", ".distance"].map((selector) => {
                  const range = document.createRange();
                  range.selectNodeContents(document.querySelector(selector));
                  return range.getBoundingClientRect().right;
                });
                """) as? [Double])
        #expect(ends.allSatisfy { $0 <= 320 }, "cut off on a narrow screen: \(ends)")
        try await scene.end()
    }
}
