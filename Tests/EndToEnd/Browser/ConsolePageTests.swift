import Fleet
import Foundation
import Messages
import Testing

/// The console's page as its visitors have it: in a real browser, before a real gateway.
@Suite(.serialized)
struct ConsolePageEndToEndTests {
    /// Writes down when the first element that is an alert appears in the page.
    private static let watchAlerts = """
        new MutationObserver(() => {
          if (document.querySelector("li[data-alert]")) window.alertSeenAt ??= Date.now();
        }).observe(document.body, {childList: true, subtree: true, attributes: true});
        """

    @Test(
        "An alert is in the page soon after its message, and is followed until it was passed",
        .timeLimit(.minutes(6)))
    func alert() async throws {
        let scene = try await ConsoleScene()
        try await scene.openLive()
        try await scene.until(".panel .note", contains: "No truck has reported yet")
        try await scene.browser.run(Self.watchAlerts)
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)

        // No alert rests on a fix that is older than a minute.
        let departure = Timestamp.now.adding(-100)
        try await scene.drive(44...47, departure: departure)
        try await scene.until("li[data-alert]", contains: "Ahead")
        let message = try #require(scene.listener.heard("fleet/T42/alert").first)
        let seen = try #require(try await scene.browser.run("return window.alertSeenAt") as? Double)
        // Well under a second on an idle machine; the limit leaves room for all tests beside this one.
        #expect(seen / 1000 - message.arrival < 5, "it took \(seen / 1000 - message.arrival) s")
        let row = try #require(try await scene.browser.text("li[data-alert]"))
        #expect(
            row.contains("T42") && row.contains("10'6\"") && row.contains("mi") && row.contains("has not acknowledged"))
        let spoken = try await scene.browser.run("return document.getElementById('polite').textContent") as? String
        #expect(spoken?.contains("T42, ahead: Low bridge") == true)

        let id = try #require(message.alert?.id)
        try await scene.broker.publish("fleet/T42/ack", #"{"alert": "\#(id)", "sequence": 1}"#)
        try await scene.until("li[data-alert]", contains: "✓ Driver has acknowledged")
        // The distance counts down with the truck.
        let far = try await scene.browser.text("li[data-alert] .distance strong")
        try await scene.drive(70...73, departure: departure)
        try await eventually(within: .seconds(5), "still \(far ?? "?")") {
            try await scene.browser.text("li[data-alert] .distance strong") != far
        }
        try await scene.drive(95...108, departure: departure)
        try await scene.until(".panel section", contains: "Passed under")
        #expect(try await scene.browser.count("li[data-alert=\"\(id)\"]") == 0)
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("What “Show more” has added to the trucks stays when they are loaded again", .timeLimit(.minutes(6)))
    func moreTrucks() async throws {
        let scene = try await ConsoleScene(roads: false)
        let fix = try #require(Array(try DemoTruck().drive(from: .now)).first)
        let messages = (0..<130).map { FleetSpeaker.Message(topic: "fleet/T\($0)/location", payload: fix.json) }
        try await FleetSpeaker.publish(messages, port: scene.broker.port)
        try await scene.openLive("trucks")
        let rows = { try await scene.browser.count("ul[aria-label=Trucks] li") }
        try await eventually(within: .seconds(20), "no first page") { try await rows() == 100 }
        try await scene.browser.run(
            "[...document.querySelectorAll('.panel button')].find((e) => e.innerText === 'Show more').click()")
        try await eventually(within: .seconds(10), "no more trucks") { try await rows() == 130 }
        try await scene.browser.run("document.querySelector('ul[aria-label=Trucks] li').dataset.old = ''")
        try await eventually(within: .seconds(15), "they are not loaded again") {
            try await scene.browser.count("li[data-old]") == 0
        }
        #expect(try await rows() == 130)
        try await scene.end()
    }

    @Test(
        "A height set in the page is the truck's retained profile; one that is none is answered by an error message",
        .timeLimit(.minutes(6)))
    func height() async throws {
        let scene = try await ConsoleScene()
        try await scene.drive(1...3)
        try await scene.openLive("truck/T42")
        try await scene.until(".panel", contains: "assumed: nobody has set a height")
        try await scene.browser.write("tall", into: "input[name=height]")
        try await scene.browser.click("form button.primary")
        try await scene.until("form .form-message", contains: "height: expected a height over 0 and up to 6 m")

        try await scene.browser.write("13'2\"", into: "input[name=height]")
        try await scene.browser.click("form button.primary")
        try await scene.until("form .form-message", contains: "Saved and active.")
        try await scene.until(".panel", contains: "dispatch")
        #expect(try await scene.browser.text(".description-list strong") == "13'2\"")
        let profile = try #require(scene.listener.heard("fleet/T42/profile").last?.object)
        #expect(profile["height"] as? String == "13'2\"" && profile["source"] as? String == "dispatch")

        try await scene.browser.run(
            "document.getElementById('units').value = 'metric'; document.getElementById('units').dispatchEvent(new Event('change'))"
        )
        try await scene.until(".description-list strong", contains: "4.02 m")
        try await scene.browser.click("form button.danger")
        try await scene.until("form .form-message", contains: "Removed")
        try await scene.until(".panel", contains: "assumed: nobody has set a height")
        try await scene.expectNoComplaint(but: ["422"])
        try await scene.end()
    }

    @Test(
        "A fence drawn on the map is in force, reports who enters, is changed by numbers, and removed",
        .timeLimit(.minutes(6)))
    func fence() async throws {
        let scene = try await ConsoleScene()
        let departure = Timestamp.now.adding(-60)
        try await scene.drive(1...2, departure: departure)
        try await scene.openLive("fences")
        #expect(try await scene.browser.text(".panel .note")?.contains("No fences.") == true)
        // The truck is alone, and so in the middle of the map; its street leads west.
        let middle = try await scene.middleOfMap()
        try await scene.open("fence")
        try await scene.becomeLive()
        try await scene.until("form", contains: "Draw on the map")
        try await scene.browser.click("fieldset button")
        try await scene.until("fieldset", contains: "Click the center")
        try await scene.browser.clickAt([(middle.x - 200, middle.y)])
        try await scene.until("fieldset", contains: "Click the border")
        try await scene.browser.clickAt([(middle.x - 160, middle.y)])
        try await scene.until("fieldset", contains: "Drag the points")
        try await scene.browser.write("drawn-1", into: "input[pattern]")
        try await scene.browser.click("form button.primary")
        try await eventually(within: .seconds(10), "no fence") {
            scene.listener.heard("headroom/fences/drawn-1/result").last?.payload == #"{"status":"monitoring"}"#
        }
        let drawn = try #require(scene.listener.heard("headroom/fences/drawn-1").last?.object)
        let radius = try #require((drawn["properties"] as? [String: Any])?["radius"] as? Double)
        #expect(radius > 20 && radius < 300)
        try await scene.until("h2#panel-heading", contains: "drawn-1")

        // Numbers change it, and the truck drives in.
        let center = try #require((drawn["geometry"] as? [String: Any])?["coordinates"] as? [Double])
        try await scene.browser.write("200 m", into: ".fields .field:nth-child(3) input")
        try await scene.browser.click("form button.primary")
        try await eventually(within: .seconds(10), "not changed") {
            let feature = scene.listener.heard("headroom/fences/drawn-1").last?.object
            return (feature?["properties"] as? [String: Any])?["radius"] as? Double == 200
        }
        #expect(
            (scene.listener.heard("headroom/fences/drawn-1").last?.object?["geometry"] as? [String: Any])?[
                "coordinates"] as? [Double] == center)
        try await scene.browser.run("location.hash = '#/log'")
        try await scene.browser.run(
            "const kind = document.querySelector('.panel select'); kind.value = 'events'; kind.dispatchEvent(new Event('change'))"
        )
        try await scene.drive(3...60, departure: departure)
        try await scene.until(".panel ol", contains: "Entered drawn-1", within: .seconds(20))

        try await scene.open("fence/drawn-1")
        try await scene.until("form", contains: "Remove fence")
        try await scene.browser.click("form button.danger")
        try await scene.until(".panel .note", contains: "No fences.")
        #expect(scene.listener.heard("headroom/fences/drawn-1").last?.payload == "")
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test(
        "A lost connection is shown within five seconds and made again, whether it is closed or nothing comes any more",
        .timeLimit(.minutes(6)))
    func connection() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.openLive()
        // Silence: nothing comes, and nothing says why.
        scene.gateway.send(SIGSTOP)
        try await untilLost(scene)
        scene.gateway.send(SIGCONT)
        try await scene.becomeLive()
        #expect(try await scene.browser.text("#error-banner") == nil)

        // Broken: gateway and broker are gone, and come back with nothing in mind.
        try await scene.gateway.stop()
        try await untilLost(scene)
        #expect(try await scene.browser.text("#error-banner")?.contains("the page shows the state as of") == true)
        try await scene.broker.stop()
        try await scene.broker.start()
        try await scene.gateway.start()
        try await scene.becomeLive()
        try await scene.broker.publish("fleet/T43/profile", DemoTruck.profile, retain: true)
        try await scene.drive(47...50, as: "T43")
        try await scene.until("li[data-alert]", contains: "T43")

        // The broker alone: the page hears the gateway, and the gateway nobody.
        try await scene.broker.stop()
        try await scene.until("#error-banner", contains: "no connection to its broker")
        try await scene.broker.start()
        try await eventually(within: .seconds(30), "still troubled") {
            try await scene.browser.text("#error-banner") == nil
        }
        try await scene.expectNoComplaint(but: ["ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY", "503"])
        try await scene.end()
    }

    private func untilLost(_ scene: ConsoleScene) async throws {
        try await scene.until("#connection", contains: "Connection lost", within: .seconds(5))
    }

    @Test("A truck's page is cleared when its consent ends", .timeLimit(.minutes(6)))
    func consentEnds() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.drive(1...3)
        try await scene.openLive("truck/T42")
        try await scene.until(".description-list strong", contains: "13'6\"")
        try await scene.broker.publish("fleet/T42/consent", #"{"status": "denied"}"#, retain: true)
        try await scene.until(".panel", contains: "T42 is no longer known")
        #expect(try await scene.browser.text(".description-list strong") == nil)
        try await scene.expectNoComplaint(but: ["404"])
        try await scene.end()
    }

    @Test(
        "Where tokens are required, the page asks for one: nothing without it, reading with a viewer's, changes with an editor's",
        .timeLimit(.minutes(6)))
    func token() async throws {
        let scene = try await ConsoleScene(tokens: "viewer looks-only\neditor may-change\n")
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.drive(47...50)
        try await scene.open("truck/T42")
        try await scene.until("dialog", contains: "This needs a token")
        try await scene.browser.press(.escape)
        try await scene.until("dialog", contains: "This needs a token")
        #expect(try await scene.browser.text("main")?.contains("13'6\"") == false)
        // No header can carry it.
        try await scene.browser.write("пароль", into: "dialog input")
        let isValid = "return document.querySelector('dialog input').validity.valid"
        #expect(try await scene.browser.run(isValid) as? Bool == false)
        try await scene.browser.write("guessed", into: "dialog input")
        try await scene.browser.press(.enter)
        try await scene.until("dialog", contains: "not known here")

        try await scene.browser.write("looks-only", into: "dialog input")
        try await scene.browser.press(.enter)
        try await scene.becomeLive()
        try await scene.until(".panel", contains: "13'6\"")
        try await scene.until(".panel", contains: "editor's token is needed")
        #expect(
            try await scene.browser.run("return document.querySelector('input[name=height]').disabled") as? Bool == true
        )
        // The map's own requests carry it too.
        let refused = try await scene.browser.complaints().map(\.text)
        #expect(!refused.isEmpty && refused.allSatisfy { $0.contains("401") && !$0.contains("/tiles/") }, "\(refused)")

        try await scene.browser.click("#settings button")
        try await scene.until("dialog", contains: "This needs a token")
        try await scene.browser.write("may-change", into: "dialog input")
        try await scene.browser.press(.enter)
        try await scene.becomeLive()
        try await scene.browser.write("13'0\"", into: "input[name=height]")
        try await scene.browser.click("form button.primary")
        try await scene.until("form .form-message", contains: "Saved and active.")
        try await scene.expectNoComplaint(but: ["401"])
        try await scene.end()
    }
}
