import Fleet
import Foundation
import Messages
import Testing

/// Broker, gateway on the demo's roads, and a browser that looks at the gateway's page.
struct ConsoleScene {
    let scratch: Scratch
    let broker: BrokerProcess
    let gateway: GatewayProcess
    let listener: Listener
    let browser: Browser

    /// - Parameters:
    ///   - roads: false: no road file.
    ///   - mapped: elements of OSM XML that the map has beside the demo's.
    ///   - tokens: lines of a tokens file; nil: nobody needs one.
    ///   - more: further lines of the configuration.
    init(
        size: Browser.Size = .desktop, isDark: Bool = false, roads: Bool = true, mapped: String = "",
        tokens: String? = nil, more: String = ""
    ) async throws {
        scratch = try Scratch()
        broker = try await BrokerProcess.started(scratch)
        if let tokens { _ = try scratch.write(tokens, to: "tokens") }
        gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: roads ? try await demoRoads(scratch, more: mapped) : nil,
            console: tokens == nil ? "" : "auth: required, tokens_file: tokens",
            more: "fixes: {reorder: 1 s, hysteresis_time: 2 s}\n\(more)")
        listener = try await broker.listener(["fleet/#", "headroom/fences/#"])
        try await gateway.start()
        browser = try await Browser.started(scratch, size: size, isDark: isDark)
    }

    /// - Parameter view: what stands after `#/`.
    func open(_ view: String = "alerts") async throws {
        // A change of what stands after the # alone loads nothing.
        try await browser.open("about:blank")
        try await browser.open("http://127.0.0.1:\(gateway.consolePort)/#/\(view)")
    }

    func becomeLive(within limit: Duration = .seconds(20)) async throws {
        try await until("#connection", limit) { $0 == "Live" }
    }

    /// The map is there too.
    func openLive(_ view: String = "alerts") async throws {
        try await open(view)
        try await becomeLive()
        try await until(".legend summary", .seconds(20)) { $0 == "Legend" }
    }

    func until(_ selector: String, contains text: String, within limit: Duration = .seconds(10)) async throws {
        try await until(selector, limit) { $0.contains(text) }
    }

    /// - Parameter selector: of an element that is there and seen, and whose text is as wanted.
    private func until(_ selector: String, _ limit: Duration, _ isWanted: (String) -> Bool) async throws {
        var text: String?
        try await eventually(within: limit, "\(selector) is: \(text ?? "not there")") {
            text = try await browser.text(selector)
            return text.map(isWanted) ?? false
        }
    }

    /// Fixes of the demo's tall truck, which comes at the bridge and drives on under it.
    ///
    /// - Parameters:
    ///   - seconds: of its drive.
    ///   - departure: nil: so long ago that the last of them is of now.
    func drive(_ seconds: ClosedRange<Int>, as vehicle: String = "T42", departure: Timestamp? = nil) async throws {
        let start = departure ?? Timestamp.now.adding(-Double(seconds.upperBound))
        let fixes = try DemoTruck().drive(from: start).enumerated().filter { seconds.contains($0.offset) }
        for (_, fix) in fixes { try await broker.publish("fleet/\(vehicle)/location", fix.json) }
    }

    /// What the browser itself has written of errors, but for what is `expected` of requests that were refused.
    func expectNoComplaint(but expected: [String] = []) async throws {
        let complaints = try await browser.complaints().filter { complaint in
            !(complaint.source == "network" && expected.contains { complaint.text.contains($0) })
        }
        #expect(complaints.map(\.text).isEmpty, "\(complaints.map(\.text))")
    }

    /// Enters a text where the page asks for one.
    func answer(_ text: String) async throws {
        try await browser.write(text, into: "dialog input")
        try await browser.click("dialog button.primary")
    }

    /// The middle of the map, in pixels of the page.
    func middleOfMap() async throws -> (x: Int, y: Int) {
        let script = """
            const area = document.getElementById("map").getBoundingClientRect();
            return [Math.round(area.x + area.width / 2), Math.round(area.y + area.height / 2)];
            """
        let middle = try #require(try await browser.run(script) as? [Int])
        return (middle[0], middle[1])
    }

    func end() async throws {
        try await browser.quit()
        try await gateway.stop()
    }
}
