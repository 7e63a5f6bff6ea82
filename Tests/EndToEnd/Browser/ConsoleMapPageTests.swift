import Fleet
import Foundation
import Messages
import Testing
import Wire

/// The page's map by what is drawn on it and by the finger that draws, and what the page lets hear.
@Suite(.serialized)
struct ConsoleMapPageEndToEndTests {
    /// As the light palette has what a device watches.
    private static let watched = "#00626e"

    /// As each palette has water.
    private static let water = (light: "#a9cde6", dark: "#143450")
    /// As each palette has a main road on a map of a whole region, and on no other.
    private static let farRoad = (light: "#a8842a", dark: "#b39b58")
    /// As the light palette has heights of bridges; trucks and fences, of which there are none, are written in it too.
    private static let height = "#16202a"
    /// A lake of 300 by 200 m east of the demo's bridge.
    private static let lake = """
        <node id="90001" lat="42.2790" lon="-83.7400"/><node id="90002" lat="42.2790" lon="-83.7364"/>
        <node id="90003" lat="42.2808" lon="-83.7364"/><node id="90004" lat="42.2808" lon="-83.7400"/>
        <way id="90005"><nd ref="90001"/><nd ref="90002"/><nd ref="90003"/><nd ref="90004"/><nd ref="90001"/>
        <tag k="natural" v="water"/></way>
        """

    private static let countDraws = """
        window.draws = 0;
        const {drawElements} = WebGL2RenderingContext.prototype;
        WebGL2RenderingContext.prototype.drawElements = function (...values) {
          window.draws += 1;
          drawElements.apply(this, values);
        };
        """

    private static let countTones = """
        window.tones = [];
        const {start} = AudioScheduledSourceNode.prototype;
        OscillatorNode.prototype.start = function (at) {
          window.tones.push(this.frequency.value);
          start.call(this, at);
        };
        """

    @Test("The map shows water of the extract behind the roads, by day and by night", .timeLimit(.minutes(6)))
    func baseMap() async throws {
        let scene = try await ConsoleScene(mapped: Self.lake)
        for (isDark, colour) in [(false, Self.water.light), (true, Self.water.dark)] {
            try await scene.browser.prefer(dark: isDark)
            try await scene.openLive()
            try await eventually(within: .seconds(20), "no water on the map") {
                try await scene.browser.pixels(of: colour) > 1_000
            }
        }
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("Roads are seen on a map of a whole region, by day and by night", .timeLimit(.minutes(6)))
    func farRoads() async throws {
        let scene = try await ConsoleScene()
        try await scene.drive(1...2)
        try await scene.broker.publish("fleet/T9/location", #"{"lat": 42.7, "lon": -83.2}"#)
        for (isDark, colour) in [(false, Self.farRoad.light), (true, Self.farRoad.dark)] {
            try await scene.browser.prefer(dark: isDark)
            try await scene.openLive("trucks")
            try await scene.until(".panel", contains: "T9")
            try await scene.browser.click(".fleet-button")
            try await eventually(within: .seconds(20), "no road on the map") {
                try await scene.browser.pixels(of: colour) > 5
            }
        }
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("Heights of bridges are written where the map is near enough for them", .timeLimit(.minutes(6)))
    func heights() async throws {
        let scene = try await ConsoleScene()
        try await scene.openLive()
        // What is written beside the map and over it has a few such pixels.
        try await scene.browser.run(
            """
            const others = document.querySelectorAll(".header, .views, .panel, .legend, .fleet-button, .maplibregl-ctrl");
            others.forEach((e) => e.style.opacity = 0);
            """)
        var count = 0
        let zoom = { (way: String) in
            for _ in 1...3 {
                try await scene.browser.run("document.querySelector('.maplibregl-ctrl-zoom-\(way)').click()")
                try await Task.sleep(for: .seconds(1))
            }
        }
        try await zoom("out")
        try await zoom("out")
        try await eventually(within: .seconds(20), "heights on the map of a region: \(count)") {
            count = try await scene.browser.pixels(of: Self.height)
            return count == 0
        }
        try await zoom("in")
        try await zoom("in")
        try await eventually(within: .seconds(20), "no heights on the map: \(count)") {
            count = try await scene.browser.pixels(of: Self.height)
            return count > 10
        }
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test(
        "What the chosen truck's device watches is drawn where that is asked for, as long as its page is open",
        .timeLimit(.minutes(6)))
    func watched() async throws {
        let scene = try await ConsoleScene(more: "tracking: {groups: [quiet], report_interval: 5 s}")
        let profile = #"{"height": 4.0, "groups": ["quiet"]}"#
        try await scene.broker.publish("fleet/T42/profile", profile, retain: true)
        try await scene.drive(1...3)
        try await scene.openLive()
        #expect(try await scene.browser.pixels(of: Self.watched) == 0)
        try await scene.browser.run("location.hash = '#/truck/T42'")
        try await scene.until(".panel", contains: "Quiet circle")
        #expect(try await scene.browser.pixels(of: Self.watched) == 0)
        try await scene.browser.run(
            "[...document.querySelectorAll('.panel button')].find((e) => e.innerText === 'Show them on the map').click()"
        )
        try await eventually(within: .seconds(10), "no circle on the map") {
            try await scene.browser.pixels(of: Self.watched) > 100
        }
        try await scene.browser.run("location.hash = '#/trucks'")
        try await eventually(within: .seconds(10), "the circle is still there") {
            try await scene.browser.pixels(of: Self.watched) == 0
        }
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test(
        "A thousand trucks are clusters that change without the map being drawn again; a click leads to the trucks",
        .timeLimit(.minutes(6)))
    func clusters() async throws {
        let scene = try await ConsoleScene()
        let publish = { (longitude: Double) in
            let now = RFC3339.text(.now)
            let messages = (0..<1_010).map { number in
                let place = "\"lat\": \(42.25 + 0.00005 * Double(number)), \"lon\": \(longitude)"
                return FleetSpeaker.Message(
                    topic: "fleet/T\(number)/location", payload: "{\(place), \"time\": \"\(now)\"}")
            }
            try await FleetSpeaker.publish(messages, port: scene.broker.port)
        }
        try await publish(-83.70)
        try await eventually(within: .seconds(60), "not all trucks are known") {
            try await scene.gateway.get("/metrics").body.contains("headroom_vehicles 1010")
        }
        try await scene.openLive("trucks")
        let places = """
            return [...document.querySelectorAll(".cluster")].map((e) => `${e.innerText} ${e.style.transform}`).join()
            """
        let trucks = { try await scene.browser.texts(".cluster > :first-child").reduce(0) { $0 + (Int($1) ?? 0) } }
        try await eventually(within: .seconds(60), "not all trucks are in clusters") { try await trucks() == 1_010 }
        for isDark in [false, true] {
            try await scene.browser.prefer(dark: isDark)
            #expect(try await PageAudit(browser: scene.browser).problems() == [])
        }

        // The other theme's colours go on the map in several draws.
        try await scene.browser.run(Self.countDraws)
        try await eventually(within: .seconds(60), "the map goes on being drawn") {
            try await scene.browser.run("window.draws = 0")
            try await Task.sleep(for: .seconds(2))
            return try await scene.browser.run("return window.draws") as? Int == 0
        }
        let before = try await scene.browser.run(places) as? String
        try await publish(-83.702)
        try await eventually(within: .seconds(60), "no cluster has moved") {
            guard try await trucks() == 1_010 else { return false }
            return try await scene.browser.run(places) as? String != before
        }
        #expect(try await scene.browser.run("return window.draws") as? Int == 0)

        for _ in 1...3 where try await trucks() > 0 {
            try await scene.browser.run("document.querySelector('.cluster').click()")
            try await Task.sleep(for: .seconds(2))
        }
        try await eventually(within: .seconds(30), "there are only clusters") { try await trucks() == 0 }
        try await scene.browser.click(".fleet-button")
        try await eventually(within: .seconds(30), "the map stays where it was") { try await trucks() == 1_010 }
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    @Test("A fence is drawn and its border moved on a touch screen", .timeLimit(.minutes(6)))
    func touch() async throws {
        let scene = try await ConsoleScene(size: .phone)
        try await scene.drive(1...2)
        try await scene.openLive("fence")
        try await scene.until("form", contains: "Draw on the map")
        try await scene.browser.click("fieldset button")
        try await scene.until("fieldset", contains: "Click the center")
        let middle = try await scene.middleOfMap()
        try await scene.browser.clickAt([middle], with: .touch)
        try await scene.until("fieldset", contains: "Click the border")
        try await scene.browser.clickAt([(middle.x + 60, middle.y)], with: .touch)
        try await scene.until("fieldset", contains: "Drag the points")
        let radius = try await radius(scene)
        try await scene.browser.drag(
            from: (middle.x + 60, middle.y), to: (middle.x + 120, middle.y), with: .touch)
        let larger = try await self.radius(scene)
        #expect(radius > 0 && abs(larger / radius - 2) < 0.1, "from \(radius) to \(larger)")
        try await scene.expectNoComplaint()
        try await scene.end()
    }

    private func radius(_ scene: ConsoleScene) async throws -> Double {
        let text =
            try await scene.browser.run(
                "return document.querySelector('.fields .field:nth-child(3) input').value") as? String
        return text.flatMap { Double($0.prefix { $0.isNumber || $0 == "." }) } ?? 0
    }

    @Test(
        "Who asked for it hears two tones when a truck must stop, and nobody else", .timeLimit(.minutes(6)),
        arguments: [true, false])
    func tone(isAskedFor: Bool) async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.openLive()
        try await scene.browser.run(Self.countTones)
        let tones = { try await scene.browser.run("return window.tones.splice(0)") as? [Int] ?? [] }
        if isAskedFor {
            try await scene.browser.click("#sound")
            try await eventually(within: .seconds(5), "no sign of what to expect") { try await tones() == [880, 660] }
        }
        let departure = Timestamp.now.adding(-105)
        try await scene.drive(44...100, departure: departure)
        try await scene.until("li[data-alert]", contains: "Stop")
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await tones() == (isAskedFor ? [880, 660] : []))
        try await scene.expectNoComplaint()
        try await scene.end()
    }
}
