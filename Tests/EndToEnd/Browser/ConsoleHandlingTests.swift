import Fleet
import Foundation
import Messages
import Testing

/// What a dispatcher does about an alert on the page, and what the broker and other dispatchers have of it.
@Suite(.serialized)
struct ConsoleHandlingEndToEndTests {
    private let card = "li[data-alert]"

    /// Clicks on a button of the card by what is written on it.
    private func click(_ text: String, _ scene: ConsoleScene) async throws {
        let script = """
            const buttons = [...document.querySelectorAll("li[data-alert] .handling button")];
            const button = buttons.find((e) => e.innerText === arguments[0]);
            button?.click();
            return button !== undefined;
            """
        try await eventually(within: .seconds(10), "no button \(text)") {
            try await scene.browser.run(script, [text]) as? Bool == true
        }
    }

    /// The payload that the topic retains last; empty: it was emptied.
    private func retained(_ scene: ConsoleScene) -> String? { scene.listener.heard("fleet/T1/handling").last?.payload }

    @Test(
        "An alert is taken, noted about, handed over and closed: on the card, in the log, after a reload, on the broker"
    )
    func life() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T1/profile", DemoTruck.profile, retain: true)
        try await scene.openLive()
        try await scene.drive(47...50, as: "T1")
        try await scene.until(card, contains: "Low bridge")
        try await click("Take", scene)
        try await scene.answer("Desk 1")
        try await scene.until(card, contains: "Taken by Desk 1")
        try await eventually(within: .seconds(5), "it is not retained") {
            retained(scene)?.contains(#""by":"Desk 1","note":null"#) == true
        }
        try await click("Note", scene)
        try await scene.answer("Called the driver")
        try await scene.until(card, contains: "Called the driver")
        try await click("Hand over", scene)
        try await scene.answer("Desk 2")
        try await scene.until(card, contains: "Taken by Desk 2")
        try await scene.openLive()
        try await scene.until(card, contains: "Taken by Desk 2")
        try await eventually(within: .seconds(5), "it is not retained") {
            retained(scene)?.contains(#""by":"Desk 2","note":"Called the driver""#) == true
        }
        try await click("Close", scene)
        try await eventually(within: .seconds(5), "it is still retained") { retained(scene) == "" }
        // The name is known by now.
        try await scene.until("#settings", contains: "Name: Desk 1")
        try await click("Take", scene)
        try await scene.until(card, contains: "Taken by Desk 1")

        try await scene.openLive("log")
        let kind =
            "const e = document.querySelector('.panel select'); e.value = 'handling'; e.dispatchEvent(new Event('change'))"
        try await scene.browser.run(kind)
        try await scene.until(".panel ol", contains: "Alert closed by Desk 2: Called the driver")
        #expect(try await scene.browser.count(".panel ol li") == 5)
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test(
        "A stop that nobody answers in time is marked in the banner on every view; to be passed after it was taken is to be taken"
    )
    func escalation() async throws {
        let scene = try await ConsoleScene(more: "alerts: {ack_timeout: 1 s}")
        try await scene.broker.publish("fleet/T1/profile", DemoTruck.profile, retain: true)
        try await scene.openLive("fences")
        let departure = Timestamp.now.adding(-100)
        try await scene.drive(44...100, as: "T1", departure: departure)
        try await scene.until("#untaken", contains: "STOP. Low bridge")
        try await scene.until("#untaken", contains: "No answer yet")
        try await scene.until("#assertive", contains: "No answer yet")
        #expect(try await scene.gateway.get("/metrics").body.contains("headroom_escalations_total 1"))
        try await scene.browser.click("#untaken button.primary")
        try await scene.answer("Desk 1")
        try await eventually(within: .seconds(5), "it is still to be taken") {
            try await scene.browser.text("#untaken") == nil
        }
        try await scene.drive(101...115, as: "T1", departure: departure)
        try await scene.until("#untaken", contains: "Passed under")
        try await eventually(within: .seconds(5), "it is still retained") { retained(scene) == "" }
        try await scene.browser.click("#untaken button.primary")
        try await scene.browser.run("location.hash = '#/alerts'")
        try await scene.until("li[data-taken]", contains: "Taken by Desk 1")
        // A page that was opened after the alert had ended says the same of it.
        try await scene.openLive("alerts")
        try await scene.until("li[data-taken]", contains: "Passed under")
        try await scene.until("li[data-taken] p", contains: "10'6\"")
        try await scene.expectNoComplaint()
        try await scene.end()
    }
}
