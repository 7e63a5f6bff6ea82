import Foundation
import Testing

/// What happened, on the page and on the command line.
@Suite(.serialized)
struct ConsoleReportEndToEndTests {
    @Test(
        "The page and the command say the same of a time, and the page prints without what is not of it",
        .timeLimit(.minutes(6)))
    func report() async throws {
        let scene = try await ConsoleScene()
        try await scene.broker.publish("fleet/T1/profile", DemoTruck.profile, retain: true)
        try await scene.openLive("report")
        try await scene.until(".report", contains: "All alerts")
        try await scene.drive(44...115, as: "T1")
        try await eventually(within: .seconds(20), "it is not passed") {
            scene.listener.heard("fleet/T1/alert").last?.object?["stage"] as? String == "passed"
        }
        try await scene.openLive("report")
        try await scene.until(".report", contains: "Passed under a bridge that is too low")
        try await scene.until(".report", contains: "Warning distance")
        #expect(try await scene.browser.texts(".report tbody tr").first?.contains("1") == true)

        #expect(try await scene.pagesOnPaper(isLandscape: false) == 1)

        try await scene.openLive("log/T1")
        try await scene.until(".panel ol", contains: "Passed under")
        try await scene.browser.run(Browser.noteSavedFile)
        try await scene.browser.run(
            "[...document.querySelectorAll('.panel button')].find((one) => one.textContent === 'Download CSV').click()")
        try await eventually(within: .seconds(10), "no CSV is saved") {
            let saved = try await scene.browser.run("return document.body.dataset.saved ?? ''") as? String ?? ""
            return saved.hasPrefix("time,vehicle,type,what,") && saved.contains(",T1,alert,passed,")
        }
        try await scene.expectNoComplaint()

        let ended = try await run(
            Repository.program, ["report", "--config", scene.gateway.configuration, "--format", "csv"], scene.scratch)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output.contains("total,,,1,0,1,1,0,0,0,\n"), "\(ended.output)")
        #expect(ended.output.contains("vehicle,T1,,1,0,1,1,0,0,0,"))
        let none = try await run(
            Repository.program,
            ["report", "--config", scene.gateway.configuration, "--from", "2026-02-01", "--to", "2026-01-01"],
            scene.scratch)
        #expect(none.status == 2 && none.errors.contains("--from must be before --to"))
        try await scene.end()
    }

    @Test("A month of a busy fleet prints on one sheet, upright and across", .timeLimit(.minutes(6)))
    func busyMonth() async throws {
        let scene = try await ConsoleScene()
        try await scene.openLive("report")
        try await scene.until(".report", contains: "All alerts")
        try await scene.browser.run(
            """
            const counts = {alerts: 1234, notices: 1100, stops: 12, passed: 3, cleared: 1220, acknowledged: 987, taken: 15};
            const many = (count, make) => Array.from({length: count}, (_, index) => make(index));
            const bridge = (index) => ({id: `osm:way:${index}`, name: `Lange Straße am Bahnhof ${index}`, posted: "10'6\\""});
            const report = {
              from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z", total: counts, unreadable: 0,
              messages: {ahead: 1234, detour: 300, stop: 12, cleared: 1220, passed: 3},
              lead: {distance: {minimum: 200, tenth: 900, median: 1800}, time: {minimum: 15, tenth: 60, median: 110}},
              days: many(31, (index) => ({day: `2026-10-${index + 1}`, ...counts})),
              hours: many(24, (hour) => ({hour, ...counts})),
              bridges: many(40, (index) => ({...bridge(index), ...counts})),
              vehicles: many(40, (index) => ({vehicle: `truck-${index}`, ...counts})),
              passes: many(30, (index) => ({time: "2026-10-02T10:00:00Z", vehicle: `truck-${index}`, alert: "a", bridge: bridge(index)})),
              blind_time: many(40, (index) => ({vehicle: `truck-${index}`, seconds: 90000, spots: [
                {spot: "stale-position", seconds: 80000}, {spot: "off-network", seconds: 10000}]})),
            };
            const original = window.fetch;
            window.fetch = async (address, options) => String(address.url ?? address).includes("/report")
              ? new Response(JSON.stringify(report), {headers: {"Content-Type": "application/json"}}) : original(address, options);
            document.querySelector(".report input").dispatchEvent(new Event("change"));
            """)
        try await scene.until(".report", contains: "23:00")
        for isLandscape in [false, true] {
            #expect(try await scene.pagesOnPaper(isLandscape: isLandscape) == 1, "landscape: \(isLandscape)")
        }
        try await scene.expectNoComplaint()
        try await scene.end()
    }
}

extension ConsoleScene {
    /// How many sheets of A4 the page prints on.
    fileprivate func pagesOnPaper(isLandscape: Bool) async throws -> Int {
        let paper: [String: Any] = ["paperWidth": 8.27, "paperHeight": 11.69, "landscape": isLandscape]
        let printed = try await browser.command("Page.printToPDF", paper) as? [String: Any]
        let document = try #require((printed?["data"] as? String).flatMap { Data(base64Encoded: $0) })
        // Every page of a PDF is an object of this type; their list is of the type Pages.
        return String(decoding: document, as: Unicode.ASCII.self).matches(of: /\/Type\s*\/Page\b/).count
    }
}
