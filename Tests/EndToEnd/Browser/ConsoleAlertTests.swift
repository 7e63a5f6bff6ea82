import Fleet
import Foundation
import Messages
import Testing
import Wire

/// The page's open alerts, as who works with them has them.
@Suite(.serialized)
struct ConsoleAlertEndToEndTests {
    /// Looks in every frame, and writes down where a milder card stands above a worse one, or a later above an earlier one.
    private static let watchOrder = """
        window.looks = 0;
        window.wrong = [];
        const ranks = {stop: 2, detour: 1, ahead: 0};
        const metres = {ft: 0.3048, mi: 1609.344};
        const look = () => {
          const cards = [...document.querySelectorAll("li[data-alert]")].map((card) => {
            const [number, unit] = card.querySelector(".distance strong").innerText.split(" ");
            return {rank: ranks[card.dataset.stage], metres: number * metres[unit], text: card.innerText};
          });
          cards.slice(1).forEach((card, at) => {
            const above = cards[at];
            // A distance is rounded: to a tenth of a mile at most.
            const isLater = above.rank === card.rank && above.metres > card.metres + 0.11 * 1609.344;
            if (above.rank < card.rank || isLater) window.wrong.push(`${above.text} above ${card.text}`);
          });
          if (cards.length > 1) window.looks += 1;
          requestAnimationFrame(look);
        };
        look();
        """

    private func scene() async throws -> ConsoleScene {
        let scene = try await ConsoleScene()
        for number in 1...8 {
            try await scene.broker.publish("fleet/T\(number)/profile", DemoTruck.profile, retain: true)
        }
        return scene
    }

    @Test("While alerts come and change, no milder one ever stands above a worse one", .timeLimit(.minutes(6)))
    func order() async throws {
        let scene = try await scene()
        try await scene.openLive()
        try await scene.drive(44...100, as: "T1")
        try await scene.until("li[data-alert]", contains: "Stop")
        try await scene.browser.run(Self.watchOrder)
        for (number, second) in zip(2...8, [70, 47, 60, 52, 75, 49, 65]) {
            try await scene.drive(second...(second + 3), as: "T\(number)")
            try await eventually(within: .seconds(10), "no alert of T\(number)") {
                try await scene.browser.count("li[data-alert]") == number
            }
        }
        try await eventually(within: .seconds(30), "fewer than 100 looks") {
            try await scene.browser.run("return window.looks") as? Int ?? 0 >= 100
        }
        #expect(try await scene.browser.run("return window.wrong.slice(0, 3)") as? [String] == [])
        try await scene.end()
    }

    @Test(
        "A card does not move while the mouse or the focus is on it, and moves to its place then",
        .timeLimit(.minutes(6)))
    func held() async throws {
        let scene = try await scene()
        try await scene.openLive()
        for number in 1...3 { try await scene.drive(47...50, as: "T\(number)") }
        try await eventually(within: .seconds(10), "no three alerts") {
            try await scene.browser.count("li[data-alert]") == 3
        }
        let place = """
            const card = [...document.querySelectorAll("li[data-alert]")].find((e) => e.innerText.includes(arguments[0]));
            return [[...card.parentElement.children].indexOf(card), Math.round(card.getBoundingClientRect().top)];
            """
        let second = try #require(try await scene.browser.texts("li[data-alert] h3 a").dropFirst().first)
        // By its name: until all fixes have come, another card may be the second.
        let mark = """
            const card = [...document.querySelectorAll("li[data-alert]")].find((e) => e.innerText.includes(arguments[0]));
            card.dataset.tried = ""; return true;
            """
        try await scene.browser.run(mark, [second])
        let focus = "document.querySelector('li[data-tried] h3 a').focus(); return true"
        for (number, state, hold) in [
            (4, ":hover", { try await scene.browser.hover("li[data-tried] .distance") }),
            (5, ":focus-within", { _ = try await scene.browser.run(focus) }),
        ] as [(Int, String, () async throws -> Void)] {
            // A card may move before the mouse has come to it.
            try await eventually(within: .seconds(10), "it is not held") {
                try await hold()
                let isHeld = "return document.querySelector('li[data-tried]').matches(arguments[0])"
                return try await scene.browser.run(isHeld, [state]) as? Bool == true
            }
            let before = try await scene.browser.run(place, [second]) as? [Int]
            try await scene.drive(44...100, as: "T\(number)")
            try await scene.until("#untaken", contains: "T\(number)")
            try await eventually(within: .seconds(10), "no card of T\(number)") {
                try await scene.browser.texts("li[data-alert][data-stage=stop] a").contains("T\(number)")
            }
            let after = try await scene.browser.run(place, [second]) as? [Int]
            #expect(after == before)
        }
        #expect(try await scene.browser.run("return document.activeElement.innerText") as? String == second)
        try await scene.browser.hover("#views")
        try await scene.browser.run("document.activeElement.blur()")
        try await eventually(within: .seconds(5), "it stays where it was") {
            (try await scene.browser.run(place, [second]) as? [Int])?.first ?? 0 > 1
        }
        try await scene.end()
    }

    @Test(
        "A passed bridge and a stop that nobody acknowledges stay on every view, also after a reload, until they are taken",
        .timeLimit(.minutes(6)))
    func untaken() async throws {
        let scene = try await scene()
        try await scene.openLive("fences")
        #expect(try await scene.browser.text("#untaken") == nil)
        try await scene.drive(44...100, as: "T1")
        try await scene.until("#untaken", contains: "STOP. Low bridge")
        try await scene.browser.run("document.querySelector('#untaken button.primary').focus()")
        try await scene.drive(44...115, as: "T2")
        try await scene.until("#untaken", contains: "2 alerts need a dispatcher")
        try await eventually(within: .seconds(10), "what was passed does not come first") {
            try await scene.browser.texts("#untaken li").first?.contains("Passed under") == true
        }
        #expect(
            try await scene.browser.run("return document.activeElement.ariaLabel") as? String
                == "Take the alert of T1")
        try await eventually(within: .seconds(10), "the title does not say so") {
            try await scene.browser.run("return document.title") as? String == "(2 need you) (1) Headroom"
        }
        try await scene.browser.resize(Browser.Size(width: 740, height: 360))
        try await eventually(within: .seconds(5), "the banner takes a low screen") {
            try await scene.browser.text("#untaken li") == nil
        }
        try await scene.browser.resize(.desktop)

        // Its driver has read it.
        let stop = try #require(scene.listener.heard("fleet/T1/alert").last?.alert)
        try await scene.broker.publish(
            "fleet/T1/ack", #"{"alert": "\#(stop.id)", "sequence": \#(stop.sequence)}"#)
        try await scene.until("#untaken", contains: "1 alert needs")
        try await scene.openLive("log")
        try await scene.until("#untaken", contains: "T2")
        try await scene.browser.click("#untaken button.primary")
        try await scene.answer("Desk 1")
        try await eventually(within: .seconds(5), "it is still to be taken") {
            try await scene.browser.text("#untaken") == nil
        }
        try await scene.openLive("trucks")
        #expect(try await scene.browser.text("#untaken") == nil)
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test(
        "What is said of an alert outside of its card is in English and in the user's units, whatever the driver reads",
        .timeLimit(.minutes(6)))
    func language() async throws {
        let scene = try await ConsoleScene()
        let profile = #"{"height": "4.11 m", "units": "metric", "language": "de", "source": "driver"}"#
        try await scene.broker.publish("fleet/T1/profile", profile, retain: true)
        try await scene.openLive()
        // However soon the rest of the drive follows, its times are later.
        let departure = Timestamp.now.adding(-115)
        try await scene.drive(44...100, as: "T1", departure: departure)
        try await scene.until("#untaken", contains: "STOP. Low bridge")
        #expect(try await scene.browser.texts("#assertive p").contains { $0.hasPrefix("T1, stop: STOP. Low bridge") })
        try await scene.drive(101...115, as: "T1", departure: departure)
        try await scene.until("#untaken", contains: "Passed under the low bridge")
        try await scene.until(".panel section", contains: "Passed under the low bridge")
        // Of a page that has not heard the message.
        try await scene.openLive("trucks")
        try await scene.until("#untaken", contains: "Passed under the low bridge")
        let told = scene.listener.heard("fleet/T1/alert").last?.object?["text"] as? String
        #expect(told?.contains("Low bridge") == false && told?.contains("low bridge") == false, "\(told ?? "")")
        try await scene.end()
    }

    @Test("Alerts that come at one time are all announced: none replaces another", .timeLimit(.minutes(6)))
    func announced() async throws {
        let scene = try await scene()
        try await scene.openLive()
        let fixes = try DemoTruck().drive(from: Timestamp.now.adding(-100)).dropFirst(44).prefix(57)
        let messages = fixes.flatMap { fix in
            ["T1", "T2"].map { FleetSpeaker.Message(topic: "fleet/\($0)/location", payload: fix.json) }
        }
        try await FleetSpeaker.publish(messages, port: scene.broker.port)
        let lines = { try await scene.browser.texts("#assertive p") }
        var announced: Set<String> = []
        try await eventually(within: .seconds(14), "\(announced)") {
            announced.formUnion(try await lines())
            return ["T1", "T2"].allSatisfy { truck in announced.contains { $0.hasPrefix("\(truck), stop: STOP.") } }
        }
        #expect(try await lines().count == 2)
        try await eventually(within: .seconds(30), "what was read stays") { try await lines().isEmpty }
        try await scene.end()
    }

    @Test(
        "An alert for a road that the truck will probably not take is collapsed below the others, and says where not to turn",
        .timeLimit(.minutes(6)))
    func besidePath() async throws {
        let scene = try await scene()
        try await scene.openLive()
        // Along W Huron Street, which leads under a higher bridge, to where it could turn to the low one.
        let start = Timestamp.now.adding(-18)
        for second in 0...18 {
            let (latitude, longitude) = (42.281608 + 4.4e-6 * Double(second), -83.7481 - 1.456e-4 * Double(second))
            let time = RFC3339.text(start.adding(Double(second)))
            try await scene.broker.publish(
                "fleet/T1/location",
                #"{"lat": \#(latitude), "lon": \#(longitude), "time": "\#(time)", "speed": 12, "course": 272, "accuracy": 5}"#
            )
        }
        try await scene.until(".panel summary", contains: "1 for roads that the trucks will probably not take")
        #expect(try await scene.browser.text("li[data-alert]") == nil)
        try await scene.browser.click(".panel summary")
        try await scene.until("li[data-alert]", contains: "Do not turn onto W Washington Street")
        try await scene.drive(47...50, as: "T2")
        try await scene.until("li[data-alert]", contains: "T2")
        try await scene.end()
    }

    @Test("A card says what the driver was told, and counts down", .timeLimit(.minutes(6)))
    func sentence() async throws {
        let scene = try await scene()
        try await scene.openLive()
        let departure = Timestamp.now.adding(-80)
        try await scene.drive(47...50, as: "T1", departure: departure)
        try await scene.until("li[data-alert]", contains: "Low bridge")
        let told = try #require(scene.listener.heard("fleet/T1/alert").first?.object?["text"] as? String)
        let words = { (text: String) in text.replacing(/[0-9.]+ (mi|ft|km|m)\b/) { _ in "…" } }
        let sentence = { try await scene.browser.text("li[data-alert] > p:nth-of-type(2)") ?? "" }
        #expect(words(try await sentence()) == words(told))
        let before = try await sentence()
        try await scene.drive(58...62, as: "T1", departure: departure)
        try await eventually(within: .seconds(5), "it still says \(before)") { try await sentence() != before }
        #expect(words(try await sentence()) == words(told))
        let metric =
            "const e = document.getElementById('units'); e.value = 'metric'; e.dispatchEvent(new Event('change'))"
        try await scene.browser.run(metric)
        try await eventually(within: .seconds(5), "it is still in feet") {
            try await sentence().contains(" m. Leave at")
        }
        try await scene.end()
    }

    @Test(
        "Without a road file the page says that straight lines are used, and moves to the first truck",
        .timeLimit(.minutes(6)))
    func withoutRoads() async throws {
        let scene = try await ConsoleScene(roads: false)
        try await scene.openLive()
        try await scene.until("#roads-note", contains: "straight-line distance")
        let isNear = "return document.querySelector('.maplibregl-ctrl-scale').innerText"
        #expect((try await scene.browser.run(isNear) as? String)?.contains("mi") == true)
        try await scene.drive(1...3)
        try await eventually(within: .seconds(10), "the map is where it was") {
            (try await scene.browser.run(isNear) as? String)?.contains("ft") == true
        }
        try await scene.end()
    }
}
