import Fleet
import Foundation
import Testing

/// The driver's page on a phone, with an emulated position.
@Suite(.serialized)
struct CabPageEndToEndTests {
    /// Writes down what is spoken, and the stages that the page shows.
    private static let watch = """
        window.spoken = [];
        window.stages = [];
        speechSynthesis.speak = (utterance) => { if (utterance.text !== "") window.spoken.push(utterance.text); };
        new MutationObserver(() => {
          const stage = document.querySelector("[data-stage]")?.dataset.stage;
          if (stage !== undefined && stage !== window.stages.at(-1)) window.stages.push(stage);
        }).observe(document.body, {subtree: true, attributes: true, childList: true});
        """

    /// From the truck's page of the console to the driver's page, which is paired by the link.
    private func pairedScene() async throws -> ConsoleScene {
        let scene = try await ConsoleScene(size: .phone)
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.open("truck/T42")
        try await scene.browser.allowPosition()
        try await scene.until("#cab-link button", contains: "Cab link")
        try await scene.browser.click("#cab-link button")
        try await scene.until("#cab-link a", contains: "/cab#")
        #expect(try await scene.browser.count("#cab-link img") == 1)
        let link = try #require(try await scene.browser.text("#cab-link a"))
        try await scene.browser.open("about:blank")
        try await scene.browser.open(link)
        try await scene.until("button.primary", contains: "Start driving")
        return scene
    }

    /// Where the truck is, a second each.
    private func drive(_ seconds: Range<Int>, _ scene: ConsoleScene) async throws {
        for fix in Array(try DemoTruck().drive(from: .now))[seconds] {
            try await scene.browser.move(to: fix)
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func audit(_ scene: ConsoleScene) async throws {
        let audit = PageAudit(browser: scene.browser, landmarks: ["main", "header"], usableCountMin: 1)
        let problems = try await audit.problems()
        #expect(problems == [], "\(problems)")
    }

    @Test(
        "A paired phone sends all its fixes in order, shows and speaks each stage, and a tap acknowledges",
        .timeLimit(.minutes(6)))
    func drive() async throws {
        let scene = try await pairedScene()
        #expect(try await scene.browser.run("return location.hash") as? String == "")
        try await audit(scene)
        try await scene.browser.run(Self.watch)
        try await scene.browser.click("button.primary")
        try await scene.until("h2", contains: "13'6\"")
        try await audit(scene)
        try await scene.browser.click("button.primary")
        try await scene.until("h2", contains: "Not all is watched")
        #expect(scene.listener.heard("fleet/T42/profile").contains { $0.payload.contains(#""source":"driver""#) })

        try await drive(18..<22, scene)
        try await scene.browser.setOnline(false)
        try await drive(22..<34, scene)
        try await scene.until(".limits", contains: "Not connected for")
        try await scene.browser.setOnline(true)
        try await drive(34..<52, scene)
        try await scene.until("[data-stage] h2", contains: "Low bridge ahead")
        try await audit(scene)
        try await scene.browser.click("[data-stage] .distance")
        try await eventually(within: .seconds(20), "no acknowledgement") {
            !scene.listener.heard("fleet/T42/ack").isEmpty
        }
        try await drive(52..<100, scene)
        try await scene.until("[data-stage=stop] h2", contains: "STOP")
        try await audit(scene)

        #expect(try await scene.browser.run("return window.stages") as? [String] == ["ahead", "detour", "stop"])
        let spoken = try #require(try await scene.browser.run("return window.spoken") as? [String])
        #expect(spoken.count == 3 && spoken.allSatisfy { $0.contains("10'6\"") }, "\(spoken)")
        let times = scene.listener.heard("fleet/T42/location").flatMap { message in
            message.payload.matches(of: /"time":"([^"]+)"/).map { String($0.1) }
        }
        #expect(times.count > 60 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        try await scene.end()
    }

    @Test("A link that was used pairs no second phone, and says what to do", .timeLimit(.minutes(6)))
    func used() async throws {
        let scene = try await pairedScene()
        try await scene.browser.run("localStorage.clear()")
        try await scene.browser.open("about:blank")
        try await scene.browser.open("http://127.0.0.1:\(scene.gateway.consolePort)/cab#AAAA")
        try await scene.until("#message", contains: "Ask dispatch for a new one.")
        try await scene.browser.open("about:blank")
        try await scene.browser.open("http://127.0.0.1:\(scene.gateway.consolePort)/cab")
        try await scene.until("#message", contains: "not paired")
        try await scene.end()
    }
}
