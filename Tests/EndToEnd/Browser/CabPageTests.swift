import Fleet
import Foundation
import Testing

/// The driver's page on a phone, with an emulated position.
@Suite(.serialized)
struct CabPageEndToEndTests {
    @Test(
        "A paired phone sends all its fixes in order, shows each stage within a second and speaks it, and a tap acknowledges",
        .timeLimit(.minutes(6)))
    func drive() async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        #expect(try await scene.browser.run("return location.hash") as? String == "")
        try await cab.audit()
        try await cab.start { try await cab.audit() }
        #expect(scene.listener.heard("fleet/T42/profile").contains { $0.payload.contains(#""source":"driver""#) })

        try await cab.drive(18..<22)
        try await scene.browser.setOnline(false)
        try await cab.drive(22..<34)
        try await scene.until(".limits", contains: "Not connected for")
        try await scene.browser.setOnline(true)
        try await cab.drive(34..<52)
        try await scene.until("[data-stage] h2", contains: "Low bridge ahead")
        try await eventually(within: .seconds(10), "no roads on the map") {
            try await scene.browser.run("return document.querySelectorAll('.map .roads path').length") as? Int ?? 0 > 1
        }
        try await cab.audit()
        try await scene.browser.click("[data-stage] .distance")
        try await eventually(within: .seconds(20), "no acknowledgement") {
            !scene.listener.heard("fleet/T42/ack").isEmpty
        }
        try await cab.drive(52..<100)
        try await scene.until("[data-stage=stop] h2", contains: "STOP")
        try await cab.audit()

        #expect(try await cab.stages == ["ahead", "detour", "stop"])
        let delays = try await cab.delays
        #expect(delays.count == 3 && delays.allSatisfy { $0 < 1 }, "seconds: \(delays)")
        let spoken = try #require(try await scene.browser.run("return window.spoken") as? [String])
        #expect(spoken.count == 3 && spoken.allSatisfy { $0.contains("10'6\"") }, "\(spoken)")
        let times = cab.sentTimes
        #expect(times.count > 60 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        try await scene.end()
    }

    @Test(
        "A phone whose clock is wrong, or is put right while it drives, is warned all the same, and no time goes back",
        .timeLimit(.minutes(6)), arguments: [(-600, -600), (50, 0)])
    func clock(before: Int, after: Int) async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        try await scene.browser.run(
            """
            window.ahead = arguments[0];
            const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation);
            navigator.geolocation.watchPosition = (take, ...more) => watch(
              ({coords, timestamp}) => take({coords, timestamp: timestamp + 1000 * window.ahead}), ...more);
            """, [before])
        try await cab.start()
        try await cab.drive(22..<34)
        try await scene.browser.run("window.ahead = arguments[0]", [after])
        try await cab.drive(34..<52)
        try await scene.until("[data-stage] h2", contains: "Low bridge ahead")
        if abs(after) > 60 { try await scene.until(".limits", contains: "clock is wrong by more than a minute") }
        let times = cab.sentTimes
        #expect(times.count > 20 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        try await scene.end()
    }

    @Test("The browser offers to install the page, and would open it without an address bar", .timeLimit(.minutes(6)))
    func installable() async throws {
        let cab = try await CabScene()
        let browser = cab.scene.browser
        try await eventually(within: .seconds(20), "no service worker") {
            try await browser.run("return (await navigator.serviceWorker.ready).active !== null") as? Bool == true
        }
        let answer = try await browser.command("Page.getInstallabilityErrors", [:]) as? [String: Any]
        let problems = try #require(answer?["installabilityErrors"] as? [[String: Any]])
        #expect(problems.isEmpty, "\(problems)")
        let manifest = try #require(try await browser.command("Page.getAppManifest", [:]) as? [String: Any])
        #expect((manifest["errors"] as? [Any])?.isEmpty == true, "\(manifest)")
        let data = Data(try #require(manifest["data"] as? String).utf8)
        let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(members["display"] as? String == "standalone" && members["start_url"] as? String == "/cab")
        try await cab.scene.end()
    }

    @Test("A link that was used pairs no second phone, and says what to do", .timeLimit(.minutes(6)))
    func used() async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        try await scene.browser.run("localStorage.clear()")
        try await scene.browser.open("about:blank")
        try await scene.browser.open("http://127.0.0.1:\(scene.gateway.consolePort)/cab#AAAA")
        try await scene.until("#message", contains: "Ask dispatch for a new one.")
        try await scene.browser.open("about:blank")
        try await scene.browser.open(cab.address)
        try await scene.until("#message", contains: "not paired")

        // A new one works in the tab that has the page open, where only what stands behind # changes.
        let client = ConsoleClient(gateway: scene.gateway, scratch: scene.scratch)
        let path = try #require(try await client.post("/vehicles/T7/cab-links").object["path"] as? String)
        try await scene.browser.open("http://127.0.0.1:\(scene.gateway.consolePort)\(path)")
        try await scene.until("button.primary", contains: "Start driving")
        #expect(try await scene.browser.text("#vehicle") == "T7")
        try await scene.end()
    }

    @Test(
        "A newer pairing of the phone outlives the older one, and its other tabs go over to it",
        .timeLimit(.minutes(6)))
    func newer() async throws {
        let cab = try await CabScene()
        let (scene, browser) = (cab.scene, cab.scene.browser)
        let client = ConsoleClient(gateway: scene.gateway, scratch: scene.scratch)
        /// As another tab of the phone does.
        func pair() async throws {
            let path = try #require(try await client.post("/vehicles/T42/cab-links").object["path"] as? String)
            try await browser.run(
                """
                const answer = await fetch("/api/v1/cab/pairing", {method: "POST",
                  headers: {"Content-Type": "application/json"}, body: JSON.stringify({code: arguments[0]})});
                const {vehicle, token} = await answer.json();
                localStorage.setItem("headroom.cab", JSON.stringify({vehicle, token}));
                """, [String(path.split(separator: "#")[1])])
        }
        let id = try #require(try await client.get("/vehicles/T42/cab-tokens").items.first?["id"] as? Int)
        try await pair()
        #expect(try await client.delete("/cab-tokens/\(id)").status == 200)
        try await scene.until("#message", contains: "not paired")
        try await browser.open("about:blank")
        try await browser.open(cab.address)
        try await scene.until("button.primary", contains: "Start driving")

        try await browser.run("window.isOld = true")
        try await pair()
        // A browser tells the other tabs alone.
        try await browser.run("dispatchEvent(new StorageEvent('storage', {key: 'headroom.cab'}))")
        try await eventually(within: .seconds(10), "it does not go over") {
            try await browser.run("return window.isOld === undefined") as? Bool == true
        }
        try await scene.until("button.primary", contains: "Start driving")
        try await scene.end()
    }
}
