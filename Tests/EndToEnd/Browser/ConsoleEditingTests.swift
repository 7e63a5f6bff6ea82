import Foundation
import Testing

/// Mistakes on the page: what is removed comes back, and no address or key leads to an empty page.
@Suite(.serialized)
struct ConsoleEditingEndToEndTests {
    private static let yard = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7300, 42.2803]},
         "properties": {"name": "Yard", "radius": 5000}}
        """#

    @Test("A fence and a height that were removed come back by Undo", .timeLimit(.minutes(6)))
    func undo() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("headroom/fences/yard", Self.yard, retain: true)
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.drive(1...3)
        try await scene.openLive("fence/yard")
        try await scene.until("form", contains: "Remove fence")
        try await scene.browser.click("form button.danger")
        try await scene.until(".panel .note", contains: "No fences.")
        try await scene.until("#undo", contains: "The fence Yard is removed.")
        try await scene.browser.click("#undo button")
        try await scene.until(".panel", contains: "Yard")
        try await eventually(within: .seconds(5), "it is not retained as it was") {
            let back = scene.listener.heard("headroom/fences/yard").last?.object?["properties"] as? [String: Any]
            return back?["radius"] as? Double == 5000
        }

        try await scene.open("truck/T42")
        try await scene.until(".description-list strong", contains: "13'6\"")
        try await scene.until("form", contains: "Remove height")
        try await scene.browser.click("form button.danger")
        try await scene.until(".panel", contains: "assumed: nobody has set a height")
        try await scene.browser.click("#undo button")
        try await scene.until(".panel", contains: "valid")
        try await eventually(within: .seconds(5), "it is not retained as it was") {
            let profile = scene.listener.heard("fleet/T42/profile").last?.object
            return profile?["source"] as? String == "driver" && profile?["units"] as? String == "imperial"
        }
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("A height that is set keeps what else the profile says", .timeLimit(.minutes(6)))
    func height() async throws {
        let scene = try await ConsoleScene()
        let profile = #"""
            {"height": "4.0 m", "margin": "0.25 m", "valid_for": "24 h", "units": "metric", "language": "de",
             "groups": ["mid west", "a, b"]}
            """#
        try await scene.broker.publish("fleet/T42/profile", profile, retain: true)
        try await scene.drive(1...3)
        try await scene.openLive("truck/T42")
        try await scene.until("form", contains: "Remove height")
        try await scene.browser.write("4.05 m", into: "input[name=height]")
        try await scene.browser.click("form button.primary")
        try await scene.until("form .form-message", contains: "Saved and active.")
        try await eventually(within: .seconds(5), "not heard") {
            scene.listener.heard("fleet/T42/profile").last?.object?["source"] as? String == "dispatch"
        }
        let sent = try #require(scene.listener.heard("fleet/T42/profile").last?.object)
        #expect(sent["height"] as? String == "4.05 m")
        #expect(sent["margin"] as? Double == 0.25 && sent["valid_for"] as? Double == 86_400)
        #expect(sent["units"] as? String == "metric" && sent["language"] as? String == "de")
        #expect(sent["groups"] as? [String] == ["mid west", "a, b"])
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("Names with spaces and commas stay whole, and a line that is no point is refused", .timeLimit(.minutes(6)))
    func names() async throws {
        let scene = try await ConsoleScene()
        let fence = #"""
            {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[-83.73, 42.28], [-83.72, 42.28]]},
             "properties": {"width": 50, "groups": ["mid west"], "vehicles": ["Lkw 7", "T,1"]}}
            """#
        try await scene.broker.publish("headroom/fences/yard", fence, retain: true)
        try await scene.openLive("fence/yard")
        try await scene.until("form", contains: "Save fence")
        let points =
            "const e = document.querySelector('fieldset textarea'); e.value = arguments[0];"
            + " e.dispatchEvent(new Event('input')); return e.validationMessage"
        let message = try await scene.browser.run(points, ["42.28, -83.73\n42,28,-83,72"]) as? String
        #expect(message?.hasPrefix("Line 2: ") == true)
        #expect(try await scene.browser.run(points, ["42,28; -83,73\n42.281 -83.72"]) as? String == "")
        try await scene.browser.click("form button.primary")
        try await scene.until(".panel .form-message", contains: "Saved and active.")
        try await eventually(within: .seconds(5), "not heard") {
            scene.listener.heard("headroom/fences/yard").last?.object?["id"] as? String == "yard"
        }
        let sent = try #require(scene.listener.heard("headroom/fences/yard").last?.object)
        let properties = try #require(sent["properties"] as? [String: Any])
        #expect(properties["groups"] as? [String] == ["mid west"])
        #expect(properties["vehicles"] as? [String] == ["Lkw 7", "T,1"])
        let geometry = try #require(sent["geometry"] as? [String: Any])
        #expect(geometry["coordinates"] as? [[Double]] == [[-83.73, 42.28], [-83.72, 42.281]])
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("A fence that somebody else has changed meanwhile is not overwritten", .timeLimit(.minutes(6)))
    func conflict() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("headroom/fences/yard", Self.yard, retain: true)
        try await scene.openLive("fence/yard")
        try await scene.until("form", contains: "Save fence")
        try await scene.broker.publish(
            "headroom/fences/yard", Self.yard.replacing("5000", with: "700"), retain: true)
        try await eventually(within: .seconds(10), "not changed") {
            scene.listener.heard("headroom/fences/yard/result").count >= 2
        }
        try await scene.browser.click("form button.primary")
        try await scene.until(".panel .form-message", contains: "Somebody else has changed it meanwhile")
        try await scene.expectNoComplaint(but: ["412"])
        try await scene.end()
    }

    @Test(
        "Every address shows a view, Enter on a truck leads into its page, and Back brings a search again",
        .timeLimit(.minutes(6)))
    func addresses() async throws {
        let scene = try await ConsoleScene()
        for vehicle in ["T10", "T2", "ÄPFEL"] { try await scene.drive(1...3, as: vehicle) }
        try await scene.browser.open("about:blank")
        try await scene.browser.open("http://127.0.0.1:\(scene.gateway.consolePort)/#panel")
        try await scene.becomeLive()
        try await scene.until("#panel-heading", contains: "Open alerts")
        try await scene.openLive("truck/%")
        try await scene.until("#panel-heading", contains: "%")

        try await scene.browser.run("location.hash = '#/trucks'")
        try await scene.until(".panel ul", contains: "T10")
        try await eventually(within: .seconds(10), "not all, or not in order") {
            try await scene.browser.texts(".panel ul a") == ["T2", "T10", "ÄPFEL"]
        }
        try await scene.browser.write("apf", into: "input[type=search]")
        try await eventually(within: .seconds(5), "all are found") {
            try await scene.browser.texts(".panel ul a") == ["ÄPFEL"]
        }
        #expect(try await scene.browser.run("return location.hash") as? String == "#/trucks?search=apf")
        try await scene.browser.run("document.querySelector('.panel ul a').focus()")
        try await scene.browser.press(.enter)
        try await scene.until("#panel-heading", contains: "ÄPFEL")
        try await eventually(within: .seconds(5), "the focus is elsewhere") {
            try await scene.browser.run("return document.activeElement.id") as? String == "panel"
        }
        try await scene.browser.run("history.back()")
        try await eventually(within: .seconds(5), "the search is gone") {
            try await scene.browser.run("return document.querySelector('input[type=search]')?.value") as? String
                == "apf"
        }
        try await eventually(within: .seconds(5), "all are found") {
            try await scene.browser.texts(".panel ul a") == ["ÄPFEL"]
        }

        // A bookmark brings the filters of a view.
        try await scene.openLive("log/T2?type=visits&from=2026-01-02T03%3A04%3A00&to=never")
        let values =
            "return [...document.querySelectorAll('.panel :is(input, select)')].map(({ value }) => value).join()"
        #expect(try await scene.browser.run(values) as? String == "visits,T2,,2026-01-02T03:04,")
        try await scene.expectNoComplaint(but: ["404"])
        try await scene.end()
    }

    @Test("A fence opens with all of it on the map; on a phone, Show scrolls to the map", .timeLimit(.minutes(6)))
    func extent() async throws {
        let scene = try await ConsoleScene(size: .phone)
        try await scene.broker.publish("headroom/fences/yard", Self.yard, retain: true)
        try await scene.openLive("fence/yard")
        try await scene.until("form", contains: "Remove fence")
        let scale = "return document.querySelector('.maplibregl-ctrl-scale').innerText"
        try await eventually(within: .seconds(5), "the map shows its middle only") {
            (try await scene.browser.run(scale) as? String)?.contains("mi") == true
        }
        try await scene.browser.run("location.hash = '#/clearances'")
        try await scene.until(".panel", contains: "Clearances")
        try await scene.browser.run(
            "const e = document.querySelectorAll('.panel select'); const area = e[e.length - 1]; area.value = 'all';"
                + " area.dispatchEvent(new Event('change'))")
        try await eventually(within: .seconds(5), "no clearance") { try await scene.browser.count("td button") > 0 }
        try await scene.browser.run("scrollTo(0, document.body.scrollHeight)")
        try await scene.browser.run("document.querySelector('td button').click()")
        let top = "return Math.round(document.getElementById('map').getBoundingClientRect().top)"
        try await eventually(within: .seconds(5), "the map is out of sight") {
            try await scene.browser.run(top) as? Int ?? -1 >= 0
        }
        try await scene.end()
    }
}
