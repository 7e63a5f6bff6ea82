import Fleet
import Foundation
import Geo
import Messages
import Testing

/// A phone with an emulated position, paired with T42 by a link of the console, that has the driver's page open.
struct CabScene {
    let scene: ConsoleScene

    /// Writes down what is spoken, the stages that the page shows, and the distances.
    private static let watch = """
        window.spoken = [];
        window.stages = [];
        window.shownAt = [];
        window.distances = [];
        speechSynthesis.speak = (utterance) => { if (utterance.text !== "") window.spoken.push(utterance.text); };
        new MutationObserver(() => {
          const stage = document.querySelector("[data-stage]")?.dataset.stage;
          if (stage !== undefined && stage !== window.stages.at(-1)) {
            window.stages.push(stage);
            window.shownAt.push(Date.now() / 1000);
          }
          const distance = document.querySelector("[data-stage] .distance")?.textContent;
          if (distance !== undefined && distance !== window.distances.at(-1)) window.distances.push(distance);
        }).observe(document.body, {subtree: true, attributes: true, childList: true});
        """

    /// From the truck's page of the console to the driver's page, which is paired by the link.
    ///
    /// - Parameters:
    ///   - start: what the button says that starts the drive.
    ///   - more: further lines of the configuration.
    init(profile: String = DemoTruck.profile, start: String = "Start driving", more: String = "") async throws {
        scene = try await ConsoleScene(size: .phone, more: more)
        try await scene.broker.publish("fleet/T42/profile", profile, retain: true)
        try await scene.open("truck/T42")
        try await scene.browser.allowPosition()
        try await scene.until("#cab-link button", contains: "Cab link")
        try await scene.browser.click("#cab-link button")
        try await scene.until("#cab-link a", contains: "/cab#")
        #expect(try await scene.browser.count("#cab-link img") == 1)
        let link = try #require(try await scene.browser.text("#cab-link a"))
        try await scene.browser.open("about:blank")
        try await scene.browser.open(link)
        try await scene.until("button.primary", contains: start)
    }

    var address: String { "http://127.0.0.1:\(scene.gateway.consolePort)/cab" }

    /// - Parameter meanwhile: called while the page asks for the height.
    func start(_ meanwhile: () async throws -> Void = {}) async throws {
        try await scene.browser.run(Self.watch)
        try await scene.browser.click("button.primary")
        try await scene.until("h2", contains: "13'6\"")
        try await meanwhile()
        try await scene.browser.click("button.primary")
        try await scene.until("h2", contains: "Not all is watched")
    }

    /// Where the truck is, a second each.
    func drive(
        _ seconds: Range<Int>, of truck: String = "tall-drives-on", meanwhile: (Fix) async throws -> Void = { _ in }
    ) async throws {
        try await drive(Array(try DemoTruck(truck).drive(from: .now))[seconds], meanwhile: meanwhile)
    }

    /// A second each.
    func drive(_ fixes: some Sequence<Fix>, meanwhile: (Fix) async throws -> Void = { _ in }) async throws {
        for fix in fixes {
            try await scene.browser.move(to: fix)
            try await meanwhile(fix)
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// The truck stands where it is at this second of its drive. A position that does not differ would be reported once.
    func stand(at second: Int, for count: Int, meanwhile: (Fix) async throws -> Void) async throws {
        var fix = Array(try DemoTruck().drive(from: .now))[second]
        for step in 0..<count {
            fix.position.latitude += step.isMultiple(of: 2) ? 1e-6 : -1e-6
            fix.speed = 0
            try await scene.browser.move(to: fix)
            try await meanwhile(fix)
            try await Task.sleep(for: .seconds(1))
        }
    }

    func audit() async throws {
        let problems = try await PageAudit(browser: scene.browser).problems()
        #expect(problems == [], "\(problems)")
    }

    /// Shown since the start, without repeats.
    var stages: [String] { get async throws { try await noted("stages") } }

    func noted(_ name: String) async throws -> [String] {
        try #require(try await scene.browser.run("return window.\(name)") as? [String])
    }

    /// Seconds from the MQTT message of each stage that has been shown until the page showed it.
    var delays: [Double] {
        get async throws {
            let shownAt = try #require(try await scene.browser.run("return window.shownAt") as? [Double])
            return try zip(try await stages, shownAt).map { stage, shown in
                let alert = try #require(try alerts.first { $0.stage == stage })
                return shown - alert.published.timeIntervalSince1970
            }
        }
    }

    /// The alarms that have come over MQTT.
    private var alerts: [(stage: String, published: Date)] {
        get throws {
            try scene.listener.heard("fleet/T42/alert").compactMap { message in
                let object = try JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any]
                guard object?["attention"] as? String == "alarm", let stage = object?["stage"] as? String else {
                    return nil
                }
                let time = try #require(object?["published_at"] as? String)
                return (stage, try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time))
            }
        }
    }

    /// Of the fixes that have come to the broker, in their order.
    var sentTimes: [String] {
        scene.listener.heard("fleet/T42/location").flatMap { message in
            message.payload.matches(of: /"time":"([^"]+)"/).map { String($0.1) }
        }
    }
}
