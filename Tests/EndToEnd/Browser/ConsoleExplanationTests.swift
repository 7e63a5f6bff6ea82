import Foundation
import Messages
import Testing
import Wire

/// Why a truck was told, and where it was, as the page shows them.
@Suite(.serialized)
struct ConsoleExplanationEndToEndTests {
    private func scene(_ more: String, isDark: Bool = false) async throws -> ConsoleScene {
        let scene = try await ConsoleScene(isDark: isDark, more: more)
        try await scene.broker.publish("fleet/T1/profile", DemoTruck.profile, retain: true)
        try await scene.openLive()
        return scene
    }

    /// As the light and the dark palette have the path ahead, and a track.
    private static let ways = (light: "#8f1f6e", dark: "#f2a0d8")

    @Test(
        "Why? on an alert and on a truck shows the clearances with their reasons, and the path on the map",
        .timeLimit(.minutes(6)))
    func why() async throws {
        let scene = try await scene("privacy: {keep_positions: 1 d}")
        try await scene.drive(44...60, as: "T1")
        try await scene.until("li[data-alert]", contains: "Low bridge")
        try await scene.browser.click("li[data-alert] button[aria-label^='Why']")
        try await scene.until(".explained", contains: "warned: it is on the path")
        #expect(try await scene.browser.texts(".explained tbody tr").contains { $0.contains("10'6\"") })
        try await eventually(within: .seconds(10), "no path is drawn") {
            try await scene.browser.pixels(of: Self.ways.light) > 100
        }
        #expect(try await PageAudit(browser: scene.browser).problems() == [])

        try await scene.openLive("truck/T1")
        try await scene.until("#panel", contains: "Why?")
        try await scene.browser.run(
            "[...document.querySelectorAll('#panel button')].find((b) => b.innerText === 'Why?').click()")
        try await scene.until(".explained", contains: "warned: it is on the path")
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test(
        "A truck's track is on the map with what was announced, follows the slider, and can be saved",
        .timeLimit(.minutes(6)))
    func track() async throws {
        let scene = try await scene("privacy: {keep_positions: 1 d}", isDark: true)
        try await scene.drive(44...100, as: "T1")
        try await scene.until("#untaken", contains: "STOP")
        try await scene.browser.run("location.hash = '#/track/T1'")
        try await scene.until("#panel h3", contains: "Alerts")
        try await eventually(within: .seconds(10), "no track is drawn") {
            try await scene.browser.pixels(of: Self.ways.dark) > 100
        }
        let rows = try await scene.browser.texts("#panel ol.rows > li")
        #expect(rows.contains { $0.hasPrefix("Ahead") } && rows.contains { $0.hasPrefix("Stop") }, "\(rows)")
        let time = "return document.querySelector('input[type=range]').getAttribute('aria-valuetext')"
        let last = try await scene.browser.run(time) as? String
        try await scene.browser.run(
            "const e = document.querySelector('input[type=range]'); e.value = 0; e.dispatchEvent(new Event('input'))")
        #expect(try await scene.browser.run(time) as? String != last)
        let saved = """
            window.saved = [];
            URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text.slice(0, 60))); return "blob:x"; };
            HTMLAnchorElement.prototype.click = () => {};
            for (const b of document.querySelectorAll('#panel button')) if (b.innerText.startsWith('Download')) b.click();
            """
        try await scene.browser.run(saved)
        try await eventually(within: .seconds(10), "nothing is saved") {
            let texts = try await scene.browser.run("return window.saved") as? [String] ?? []
            return texts.contains { $0.contains("<gpx") || $0.contains("<?xml") }
                && texts.contains { $0.contains("Feature") }
        }
        #expect(try await PageAudit(browser: scene.browser).problems() == [])
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("Where positions are not kept, the page says so in plain words", .timeLimit(.minutes(6)))
    func notKept() async throws {
        let scene = try await scene("")
        let departure = Timestamp.now.adding(-60)
        try await scene.drive(44...60, as: "T1", departure: departure)
        try await scene.until("li[data-alert]", contains: "Low bridge")
        try await scene.openLive("track/T1")
        try await scene.until("#panel", contains: "Positions are not kept, so there is no track")
        let time = RFC3339.text(departure.adding(50))
        try await scene.openLive("why/T1%2F\(time)")
        try await scene.until("#panel", contains: "Positions are not kept (privacy.keep_positions is 0)")
        try await scene.browser.click("#panel .row button")
        try await scene.until(".explained", contains: "warned: it is on the path")
        try await scene.end()
    }
}
