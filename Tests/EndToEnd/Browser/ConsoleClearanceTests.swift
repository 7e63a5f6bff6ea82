import Foundation
import Testing

/// Clearances that dispatch enters, corrects and removes on the page.
@Suite(.serialized)
struct ConsoleClearanceEndToEndTests {
    /// Puts a value into an input as if it were typed.
    private static let type = """
        const field = [...document.querySelectorAll(".field")].find((e) => e.querySelector("label").innerText === arguments[0]);
        const input = field.querySelector("input");
        input.value = arguments[1];
        input.dispatchEvent(new Event("input", {bubbles: true}));
        """
    /// As the light palette has a detour of a preview.
    private static let way = "#8f1f6e"

    private func press(_ name: String, _ scene: ConsoleScene) async throws {
        let script = "[...document.querySelectorAll('button')].find((e) => e.innerText === arguments[0]).click()"
        try await scene.browser.run(script, [name])
    }

    @Test(
        "A clearance is placed by a click, shows its effect before it is saved, and is removed and brought back",
        .timeLimit(.minutes(6)))
    func entered() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.drive(44...46)
        try await scene.openLive("clearances")
        try await scene.until("#panel", contains: "New clearance")
        try await scene.browser.run("location.hash = '#/clearance'")
        try await scene.until("#panel", contains: "Pick on the map")
        try await scene.browser.clickAt([try await scene.middleOfMap()])
        let latitude = "return document.querySelectorAll('#panel input')[3].value"
        try await eventually(within: .seconds(10), "the click is not taken") {
            (try await scene.browser.run(latitude) as? String)?.hasPrefix("42.") == true
        }
        for (label, text) in [("Latitude", "42.2803"), ("Longitude", "-83.7430"), ("Clearance", "9'6\"")] {
            try await scene.browser.run(Self.type, [label, text])
        }
        try await scene.until("#panel", contains: "It limits E Washington Street. It is too low for")
        try await scene.until("#panel", contains: "T42")
        #expect(try await scene.browser.text("#panel")?.contains("Last turn-off: ") == true)
        try await eventually(within: .seconds(10), "no detour is drawn") {
            try await scene.browser.pixels(of: Self.way) > 100
        }
        #expect(try await PageAudit(browser: scene.browser).problems() == [])

        try await scene.browser.run(Self.type, ["Valid until", "2099-05-01T06:00"])
        try await press("Save", scene)
        try await scene.until("dialog", contains: "Your name")
        try await scene.browser.run("document.querySelector('dialog input').value = 'Desk 2'")
        try await scene.browser.run("document.querySelector('dialog .primary').click()")
        try await scene.until("#panel", contains: "Remove")
        try await scene.until("#panel", contains: "Entered by Desk 2")
        let clearances = try await scene.gateway.get("/api/v1/clearances?q=dispatch-").body
        #expect(clearances.contains(#""author":"Desk 2","valid_until":"2099-05-01T"#))
        try await press("Remove", scene)
        try await scene.until("#undo", contains: "is removed")
        try await press("Undo", scene)
        try await scene.until("#undo", contains: "Undone")
        try await eventually(within: .seconds(10), "it is not in force again") {
            try await scene.gateway.get("/api/v1/clearances?q=dispatch-").body.contains("9'6")
        }
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("The clearances of the list are saved as GeoJSON", .timeLimit(.minutes(6)))
    func saved() async throws {
        let scene = try await ConsoleScene()
        try await scene.openLive("clearances")
        try await scene.until("#panel", contains: "10'6\"")
        try await scene.browser.run(Browser.noteSavedFile)
        try await press("Download GeoJSON", scene)
        var saved = ""
        try await eventually(within: .seconds(10), "nothing is saved") {
            saved = try await scene.browser.run("return document.body.dataset.saved ?? ''") as? String ?? ""
            return !saved.isEmpty
        }
        let collection = try #require(
            try JSONSerialization.jsonObject(with: Data(saved.utf8)) as? [String: Any], "\(saved)")
        #expect(collection["type"] as? String == "FeatureCollection")
        let features = try #require(collection["features"] as? [[String: Any]])
        #expect(features.contains { $0["id"] as? String == "osm:way:1003" }, "\(saved)")
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("A bridge of the map is corrected, and the trucks before it are told no more", .timeLimit(.minutes(6)))
    func corrected() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.openLive("clearance/osm%3Away%3A1003")
        try await scene.until("#panel", contains: "It comes from the road file")
        try await scene.until("#panel", contains: "OpenStreetMap has “10'6\"”, dated 2026-11-21 (")
        try await scene.until("#panel", contains: "No alerts in the last 30 days.")
        try await scene.browser.run(Self.type, ["Clearance", "15'0\""])
        try await scene.until("#panel", contains: "It replaces a known height of 10'6\"")
        try await scene.until("#panel", contains: "It is high enough for")
        try await press("Save", scene)
        try await scene.until("dialog", contains: "Your name")
        try await scene.browser.run("document.querySelector('dialog input').value = 'Desk 2'")
        try await scene.browser.run("document.querySelector('dialog .primary').click()")
        try await eventually(within: .seconds(10), "it is not in force") {
            try await scene.gateway.get("/api/v1/clearances/osm:way:1003").body.contains("\"origin\":\"topic\"")
        }
        try await scene.end()
    }
}
