import Foundation
import Testing

/// The console's page for everybody: by keyboard and by ear, in light and dark, on a phone.
@Suite(.serialized)
struct ConsoleAccessEndToEndTests {
    private static let views = [
        "alerts", "trucks", "truck/T42", "why/T42", "track/T42", "fences", "fence", "fence/yard", "clearances",
        "clearance", "log", "report",
    ]

    private static let yard = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7300, 42.2803]},
         "properties": {"name": "Yard", "radius": 200}}
        """#

    private static let hasRing = """
        const style = getComputedStyle(document.activeElement);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 || style.boxShadow !== "none";
        """

    /// One alert, one fence, one truck.
    private func scene(size: Browser.Size, isDark: Bool) async throws -> ConsoleScene {
        let scene = try await ConsoleScene(size: size, isDark: isDark)
        try await scene.broker.publish("headroom/fences/yard", Self.yard, retain: true)
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.drive(47...50)
        return scene
    }

    @Test(
        "Every view is named, ordered, of enough contrast and no wider than its window", .timeLimit(.minutes(8)),
        arguments: [(Browser.Size.desktop, false), (.desktop, true), (.phone, false), (.phone, true)])
    func audit(_ size: Browser.Size, _ isDark: Bool) async throws {
        let scene = try await scene(size: size, isDark: isDark)
        try await scene.openLive()
        for view in Self.views {
            try await scene.browser.run("location.hash = '#/' + arguments[0]", [view])
            try await eventually(within: .seconds(10), "\(view) is loading for ever") {
                try await scene.browser.text(".panel")?.contains("Loading…") == false
            }
            let problems = try await PageAudit(browser: scene.browser).problems()
            #expect(problems.isEmpty, "\(view), \(size.width), \(isDark ? "dark" : "light"): \(problems)")
            let complaints = try await scene.browser.complaints().map(\.text)
            #expect(complaints.isEmpty, "\(view): \(complaints)")
        }
        try await scene.end()
    }

    @Test("The audit finds an error of each kind", .timeLimit(.minutes(6)))
    func auditOfMistakes() async throws {
        let scene = try await scene(size: .phone, isDark: false)
        try await scene.openLive()
        try await scene.browser.run(
            """
            document.querySelector("main").insertAdjacentHTML("beforeend", `
              <h5>Too deep</h5> <input id="faint" tabindex="3"> <p id="pale">Pale</p> <ul role="status"><li>An item</li></ul>`);
            document.getElementById("pale").style.cssText = "color: #999; width: 900px";
            document.getElementById("faint").style.cssText = "border-color: #eee; background: none";
            """)
        let problems = try await PageAudit(browser: scene.browser).problems().joined(separator: "\n")
        for mistake in [
            "heading-order", "tabindex", "color-contrast", "label", "listitem", "control hard to see",
            "wider than the window",
        ] {
            #expect(problems.contains(mistake), "\(mistake) is not among:\n\(problems)")
        }
        try await scene.end()
    }

    @Test(
        "By keyboard: skip to the lists, every stop shows the focus, arrows walk a list, Escape ends drawing",
        .timeLimit(.minutes(6)))
    func keyboard() async throws {
        let scene = try await scene(size: .desktop, isDark: false)
        try await scene.openLive()
        try await scene.until("li[data-alert]", contains: "T42")
        try await scene.browser.press(.tab)
        #expect(try await focused(scene) == "Skip to the lists")
        var stops: [String] = []
        // Behind the last stop the browser's own controls come, and then the page again.
        while case let stop = try await focused(scene), stop != "page", stops.count < 50 {
            #expect(try await scene.browser.run(Self.hasRing) as? Bool == true, "no focus to be seen on \(stop)")
            stops.append(stop)
            try await scene.browser.press(.tab)
        }
        #expect(Set(["Alerts (1)", "T42", "Show"]).isSubset(of: stops), "\(stops)")
        try await scene.browser.run("document.querySelector('.skip-link').focus()")
        try await scene.browser.press(.enter)
        #expect(try await scene.browser.run("return document.activeElement.id") as? String == "panel")

        try await scene.drive(47...50, as: "T43")
        try await eventually(within: .seconds(10), "no second alert") {
            try await scene.browser.count("li[data-alert]") == 2
        }
        try await scene.browser.run("document.querySelector('li[data-alert] h3 a').focus()")
        let first = try await focused(scene)
        try await scene.browser.press(.down)
        let second = try await focused(scene)
        #expect(Set([first, second]) == ["T42", "T43"])
        try await scene.browser.press(.enter)
        try await scene.until("h2#panel-heading", contains: second)

        try await scene.browser.run("location.hash = '#/fence'")
        try await scene.until("form", contains: "Draw on the map")
        try await scene.browser.run("document.querySelector('fieldset button').focus()")
        try await scene.browser.press(.enter)
        try await scene.until("fieldset", contains: "Click the center")
        try await scene.browser.press(.escape)
        try await scene.until("fieldset", contains: "Draw the shape, or enter numbers")
        try await scene.end()
    }

    @Test(
        "Times are the viewer's with UTC on hover; units and colours are as chosen, also after a reload",
        .timeLimit(.minutes(6)))
    func choices() async throws {
        let scene = try await scene(size: .desktop, isDark: false)
        try await scene.openLive()
        try await scene.until("li[data-alert]", contains: "mi")
        let title = try await scene.browser.run("return document.querySelector('li[data-alert] time').title") as? String
        #expect(title?.hasSuffix(" UTC") == true)
        for (id, value) in [("units", "metric"), ("theme", "dark")] {
            try await scene.browser.run(
                "const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('change'))",
                [id, value])
        }
        try await scene.until("li[data-alert] .distance", contains: "km")
        try await scene.openLive()
        try await scene.until("li[data-alert] .distance", contains: "km")
        #expect(try await scene.browser.run("return document.documentElement.dataset.theme") as? String == "dark")
        try await scene.end()
    }

    private func focused(_ scene: ConsoleScene) async throws -> String {
        let script = """
            const e = document.activeElement;
            return e === document.body ? "page" : e.innerText || e.outerHTML.slice(0, 80);
            """
        return try await scene.browser.run(script) as? String ?? ""
    }
}
