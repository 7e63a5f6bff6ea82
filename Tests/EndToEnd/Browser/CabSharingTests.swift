import Fleet
import Foundation
import Testing

/// What the driver's page shares, and what it says where it does not.
@Suite(.serialized)
struct CabSharingEndToEndTests {
    @Test(
        "Sharing that was stopped stays so in whatever language, and who starts again consents again until that was heard",
        .timeLimit(.minutes(6)))
    func again() async throws {
        let profile = #"{"height": "4.11 m", "units": "metric", "language": "de", "source": "driver"}"#
        let cab = try await CabScene(profile: profile, start: "Losfahren")
        let (scene, browser) = (cab.scene, cab.scene.browser)
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Ist die Höhe 4,11 m noch richtig?")
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "Nicht alles wird beachtet")
        try await cab.drive(0..<4)
        try await browser.click(".footer button")
        try await scene.until("#main p", contains: "Das Teilen ist beendet.")
        // Without its profile, the vehicle's language would be the phone's.
        try await Task.sleep(for: .seconds(3))
        #expect(try await browser.text("#main p")?.contains("Das Teilen ist beendet.") == true)

        try await browser.click("#main button")
        try await scene.until("button.primary", contains: "Start driving")
        try await browser.run(
            """
            const real = window.fetch.bind(window);
            window.attempts = 0;
            window.fetch = (path, options) => {
              if (!String(path).endsWith("/cab/consent")) return real(path, options);
              window.attempts += 1;
              return window.attempts < 3 ? Promise.reject(new TypeError("no network")) : real(path, options);
            };
            """)
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "The height is not known yet.")
        try await browser.click("#main button")
        try await scene.until(".limits", contains: "The gateway has no position of this truck yet.")
        try await cab.drive(4..<10)
        try await eventually(within: .seconds(20), "the driver does not consent") {
            scene.listener.heard("fleet/T42/consent").last?.payload.contains("when-in-use") == true
        }
        #expect(try await browser.run("return window.attempts") as? Int == 3)
        let client = ConsoleClient(gateway: scene.gateway, scratch: scene.scratch)
        try await eventually(within: .seconds(20), "the gateway takes no fix") {
            try await cab.drive(10..<11)
            return try await client.get("/vehicles/T42").status == 200
        }
        try await scene.end()
    }

    @Test(
        "A consent that is still on its way when sharing is stopped does not come after the denial",
        .timeLimit(.minutes(6)))
    func late() async throws {
        let cab = try await CabScene()
        let (scene, browser) = (cab.scene, cab.scene.browser)
        try await cab.start()
        try await cab.drive(0..<2)
        try await browser.click(".footer button")
        try await scene.until("#main p", contains: "Sharing is stopped.")
        try await browser.click("#main button")
        try await scene.until("button.primary", contains: "Start driving")
        try await browser.run(
            """
            const real = window.fetch.bind(window);
            window.isConsenting = false;
            window.fetch = async (path, options) => {
              if (String(path).endsWith("/cab/consent") && options.body.includes("when-in-use")) {
                window.isConsenting = true;
                await new Promise((resolve) => setTimeout(resolve, 3000));
              }
              return real(path, options);
            };
            """)
        try await browser.click("button.primary")
        try await scene.until("h2", contains: "The height is not known yet.")
        try await browser.click("#main button")
        try await eventually(within: .seconds(20), "the driver does not consent") {
            try await browser.run("return window.isConsenting") as? Bool == true
        }
        try await browser.click(".footer button")
        try await scene.until("#main p", contains: "Sharing is stopped.")
        try await Task.sleep(for: .seconds(5))
        let consents = scene.listener.heard("fleet/T42/consent").map(\.payload)
        #expect(consents.last?.contains("denied") == true, "\(consents)")
        try await scene.end()
    }

    @Test(
        "The page says so where the gateway has no fix or none of now, and sends those that it cannot keep",
        .timeLimit(.minutes(6)))
    func unsent() async throws {
        let cab = try await CabScene()
        let (scene, browser) = (cab.scene, cab.scene.browser)
        func untilGone(_ text: String, from second: Int) async throws {
            try await eventually(within: .seconds(40), "still: \(text)") {
                try await cab.stand(at: second, for: 2) { _ in }
                return try await !(browser.text(".limits") ?? "").contains(text)
            }
        }
        try await browser.run(
            """
            const real = window.fetch.bind(window);
            window.isRefusing = true;
            window.fetch = (path, options) => window.isRefusing && String(path).endsWith("/cab/fixes")
              ? Promise.resolve(new Response("{}", {status: 503})) : real(path, options);
            """)
        try await cab.start()
        try await cab.drive(0..<3)
        try await scene.until(".limits", contains: "The gateway has no position of this truck yet.")
        try await browser.run("window.isRefusing = false")
        try await untilGone("The gateway has no position", from: 3)
        try await browser.run("window.isRefusing = true")
        try await cab.drive(3..<16)
        try await scene.until(".limits", contains: "The gateway has no current position of this truck.")
        try await browser.run("window.isRefusing = false")
        try await untilGone("The gateway has no current position", from: 16)

        try await browser.run(
            "IDBObjectStore.prototype.add = () => { throw new DOMException('', 'QuotaExceededError'); }")
        let count = cab.sentTimes.count
        try await cab.drive(16..<22)
        try await eventually(within: .seconds(20), "what cannot be kept is lost") { cab.sentTimes.count > count + 3 }
        try await scene.end()
    }
}
