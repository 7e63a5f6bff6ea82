import Fleet
import Foundation
import Messages
import Testing

/// The log while messages come.
@Suite(.serialized)
struct ConsoleLogEndToEndTests {
    @Test("A message that comes late stands in the log where its time belongs", .timeLimit(.minutes(6)))
    func late() async throws {
        let scene = try await ConsoleScene()
        for truck in ["T1", "T2"] {
            try await scene.broker.publish("fleet/\(truck)/profile", DemoTruck.profile, retain: true)
        }
        try await scene.openLive("log")
        try await scene.until(".panel", contains: "No entries match.")
        try await scene.drive(47...50, as: "T1")
        try await scene.until(".panel ol", contains: "T1")
        // Half a minute ago: an alarm may be twice as old.
        try await scene.drive(47...50, as: "T2", departure: Timestamp.now.adding(-80))
        try await scene.until(".panel ol", contains: "T2")
        let trucks = { try await scene.browser.texts(".panel ol li .card-header a") }
        let times = try await scene.browser.run(
            "return [...document.querySelectorAll('.panel ol .card-header time')].map((e) => e.dateTime)")
        let shown = try #require(times as? [String])
        #expect(shown.count > 1 && shown == shown.sorted(by: >), "\(shown)")
        let before = try await trucks()
        #expect(before.first == "T1" && before.last == "T2")
        // As it is when it is loaded again.
        try await scene.openLive("log")
        try await scene.until(".panel ol", contains: "T2")
        #expect(try await trucks() == before)
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("What was told while the page was not connected is in its log", .timeLimit(.minutes(6)))
    func gap() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T1/profile", DemoTruck.profile, retain: true)
        try await scene.openLive("log")
        try await scene.until(".panel", contains: "No entries match.")
        try await scene.gateway.stop()
        try await scene.until("#connection", contains: "Connection lost")
        // The broker keeps them for the gateway, which tells of them before the page has found it again.
        try await scene.drive(47...50, as: "T1")
        try await scene.gateway.start()
        try await scene.becomeLive()
        try await scene.until(".panel ol", contains: "T1")
        try await scene.end()
    }
}
