import Fleet
import Foundation
import Geo
import Messages
import Testing

/// What a vehicle's profile makes of the driver's page.
@Suite(.serialized)
struct CabProfileEndToEndTests {
    @Test("The page and what it says are in the language of the profile", .timeLimit(.minutes(6)))
    func language() async throws {
        let profile = #"{"height": "4.11 m", "units": "metric", "language": "de", "source": "driver"}"#
        let cab = try await CabScene(profile: profile, start: "Losfahren")
        let (scene, browser) = (cab.scene, cab.scene.browser)
        #expect(try await browser.run("return document.documentElement.lang") as? String == "de")
        try await browser.run(
            """
            window.spoken = [];
            speechSynthesis.speak = ({lang, text}) => { if (text !== "") window.spoken.push(`${lang} ${text}`); };
            """)
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Ist die Höhe 4,11 m noch richtig?")
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Nicht alles wird beachtet")
        try await cab.drive(22..<46)
        try await scene.until("[data-stage=ahead] h2", contains: "Niedrige Brücke voraus")
        #expect(try await cab.noted("spoken").first?.hasPrefix("de Niedrige Brücke 10'6\" auf ") == true)
        #expect(scene.listener.heard("fleet/T42/profile").last?.payload.contains(#""language":"de""#) == true)
        try await cab.audit()
        try await scene.end()
    }

    @Test(
        "A height that is confirmed keeps the rest of the profile, also where that changes while it is asked for",
        .timeLimit(.minutes(6)))
    func confirmed() async throws {
        let cab = try await CabScene()
        let (scene, browser) = (cab.scene, cab.scene.browser)
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Is the height 13'6\" still correct?")
        try await scene.broker.publish(
            "fleet/T42/profile", #"{"height": "13'6\"", "language": "de", "valid_for": "24 h", "source": "survey"}"#,
            retain: true)
        // It has to come to the page.
        try await Task.sleep(for: .seconds(3))
        #expect(try await browser.text("h2") == "Is the height 13'6\" still correct?")
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Nicht alles wird beachtet")
        let confirmed = try #require(scene.listener.heard("fleet/T42/profile").last?.object)
        #expect(confirmed["source"] as? String == "driver" && confirmed["language"] as? String == "de")
        #expect(confirmed["valid_for"] as? Double == 86_400)
        try await scene.end()
    }

    @Test(
        "Past its validity the driver is asked for the height that was said, not for the larger one that counts meanwhile",
        .timeLimit(.minutes(6)))
    func stale() async throws {
        let profile = #"{"height": "12'0\"", "units": "imperial", "valid_for": "2 s", "source": "driver"}"#
        let cab = try await CabScene(profile: profile)
        let (scene, browser) = (cab.scene, cab.scene.browser)
        let client = ConsoleClient(gateway: scene.gateway, scratch: scene.scratch)
        // No fix has come, and none is needed for it.
        try await eventually(within: .seconds(20), "the height does not expire") {
            let height = try await client.get("/vehicles/T42").object["height"] as? [String: Any]
            return height?["status"] as? String == "stale" && height?["value"] as? Double == 4.12
        }
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Is the height 12'0\" still correct?")
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Not all is watched")
        let confirmed = try #require(scene.listener.heard("fleet/T42/profile").last?.object)
        #expect(confirmed["height"] as? String == "3.66 m" && confirmed["valid_for"] as? Double == 2)
        try await scene.end()
    }

    @Test(
        "A phone whose clock is ten minutes ahead confirms its height, and a poor position is told in the profile's units",
        .timeLimit(.minutes(6)))
    func clock() async throws {
        let cab = try await CabScene()
        let scene = cab.scene
        try await scene.browser.run(
            """
            const Real = Date;
            window.Date = class extends Real {
              constructor(...values) { super(...(values.length === 0 ? [Date.now()] : values)); }
              static now() { return Real.now() + 600_000; }
            };
            """)
        try await cab.start()
        let time = try #require(scene.listener.heard("fleet/T42/profile").last?.object?["measured_at"] as? String)
        let measured = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time)
        #expect(abs(measured.timeIntervalSinceNow) < 60, "\(time)")

        var fix = try #require(Array(try DemoTruck().drive(from: .now)).first)
        fix.accuracy = 150
        try await cab.drive([fix])
        try await scene.until(".limits", contains: "Poor position, 492 ft: ")
        try await scene.end()
    }

    @Test("Inside of its quiet circle a phone sends nothing, and outside each fix", .timeLimit(.minutes(6)))
    func quiet() async throws {
        let profile = #"{"height": "13'6\"", "units": "imperial", "groups": ["quiet"], "source": "driver"}"#
        let cab = try await CabScene(profile: profile, more: "tracking: {groups: [quiet]}")
        let (scene, browser) = (cab.scene, cab.scene.browser)
        try await cab.start()
        var metres = 0.0
        /// A metre to the north in each second.
        func creep(_ seconds: Int) async throws {
            for _ in 0..<seconds {
                metres += 1
                try await browser.move(
                    to: Fix(
                        position: Coordinate(latitude: 42.4 + metres / 111_000, longitude: -83.74), time: .now,
                        accuracy: 5))
                try await Task.sleep(for: .seconds(1))
            }
        }
        try await eventually(within: .seconds(60), "no quiet circle") {
            try await creep(1)
            return scene.listener.heard("fleet/T42/tracking").last?.payload.contains(#""radius":"#) == true
        }
        // It has to come to the page.
        try await creep(3)
        let count = cab.sentTimes.count
        try await creep(8)
        #expect(cab.sentTimes.count == count)
        try await cab.drive(22..<30)
        try await eventually(within: .seconds(20), "nothing is sent outside") { cab.sentTimes.count > count + 4 }
        try await scene.end()
    }
}
