import Fleet
import Foundation
import Messages
import Testing

/// Where a dispatcher sends a truck on the page, and what is said of the way.
@Suite(.serialized)
struct ConsoleDestinationEndToEndTests {
    private func waypoint(_ scene: ConsoleScene) -> [Double]? {
        (scene.listener.heard("fleet/T42/route").last?.object?["waypoints"] as? [[Double]])?.first
    }

    @Test("A destination is found by the name of its street, and set by choosing it", .timeLimit(.minutes(6)))
    func search() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.drive(1...3)
        try await scene.openLive("truck/T42")
        try await scene.until(".destination", contains: "No destination is set.")
        try await scene.browser.write("nowhere at all", into: ".destination [role=search] input")
        try await scene.browser.press(.enter)
        try await scene.until(".destination", contains: "Nothing with this name is on the map.")
        try await scene.browser.write("w WASHINGTON st", into: ".destination [role=search] input")
        try await scene.browser.press(.enter)
        try await scene.until(".destination .places", contains: "W Washington Street")
        for isDark in [false, true] {
            try await scene.browser.prefer(dark: isDark)
            #expect(try await PageAudit(browser: scene.browser).problems() == [])
        }
        try await scene.browser.click(".destination .places button")
        try await eventually(within: .seconds(10), "nothing was published") { waypoint(scene) != nil }
        #expect(abs(try #require(waypoint(scene))[1] - 42.28) < 0.02)
        try await scene.until(".destination", contains: "Saved and active.")
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test(
        "A destination is set by coordinates or a click on the map, its way is checked and shown, and it is removed",
        .timeLimit(.minutes(6)))
    func destination() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.drive(1...10)
        try await scene.openLive("truck/T42")
        try await scene.until(".destination", contains: "No destination is set.")
        try await scene.browser.write("42.28061, -83.7523", into: ".destination input")
        try await scene.browser.press(.enter)
        try await scene.until(".route-check", contains: "Too low on the way: 10'6\"")
        try await scene.until(".destination", contains: "Route around it")
        #expect(waypoint(scene) == [-83.7523, 42.28061])
        try await scene.until(".destination", contains: "from here")

        try await scene.browser.click(".destination button.danger")
        try await scene.until(".destination", contains: "No destination is set.")
        try await eventually(within: .seconds(5), "it is still retained") {
            scene.listener.heard("fleet/T42/route").last?.payload == ""
        }
        try await scene.browser.click("#undo button")
        try await scene.until(".route-check", contains: "Too low on the way")

        let before = scene.listener.heard("fleet/T42/route").count
        try await scene.browser.run("document.querySelector('.destination button.primary').click()")
        try await scene.until(".destination", contains: "Click on the destination")
        let middle = try await scene.middleOfMap()
        try await scene.browser.clickAt([middle])
        try await eventually(within: .seconds(10), "nothing was published") {
            scene.listener.heard("fleet/T42/route").count > before
        }
        let clicked = try #require(waypoint(scene))
        #expect(abs(clicked[0] + 83.74) < 0.05 && abs(clicked[1] - 42.28) < 0.05 && clicked != [-83.7523, 42.28061])
        try await scene.until("#panel-heading", contains: "T42")

        try await scene.browser.write("nowhere", into: ".destination input")
        try await scene.browser.press(.enter)
        try await scene.until(".destination .form-message", contains: "Expected a latitude")
        try await scene.expectNoComplaint()
        try await scene.end()
    }
}
