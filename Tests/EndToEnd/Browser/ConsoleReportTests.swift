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
        try await scene.until(".report", contains: "Told ahead")
        #expect(try await scene.browser.texts(".report tbody tr").first?.contains("1") == true)

        let printed = try await scene.browser.command("Page.printToPDF", ["preferCSSPageSize": true]) as? [String: Any]
        let document = try #require((printed?["data"] as? String).flatMap { Data(base64Encoded: $0) })
        // Every page of a PDF is an object of this type; their list is of the type Pages.
        let pages = String(decoding: document, as: Unicode.ASCII.self).matches(of: /\/Type\s*\/Page\b/)
        #expect(pages.count == 1)

        // What the log's button saves, since a page cannot read a saved file.
        try await scene.openLive("log/T1")
        try await scene.until(".panel ol", contains: "Passed under")
        try await scene.browser.run(
            """
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { blob.text().then((text) => { document.body.dataset.saved = text; }); return make(blob); };
            [...document.querySelectorAll('.panel button')].find((one) => one.textContent === 'Download CSV').click();
            """)
        try await eventually(within: .seconds(10), "no CSV is saved") {
            let saved = try await scene.browser.run("return document.body.dataset.saved ?? ''") as? String ?? ""
            return saved.hasPrefix("time,vehicle,type,what,") && saved.contains(",T1,alert,passed,")
        }
        try await scene.expectNoComplaint()

        let ended = try await run(
            Repository.program, ["report", "--config", scene.gateway.configuration, "--format", "csv"], scene.scratch)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output.contains("total,,,1,0,1,1,0,0,0\n"), "\(ended.output)")
        #expect(ended.output.contains("vehicle,T1,,1,0,1,1,0,0,0\n"))
        let none = try await run(
            Repository.program,
            ["report", "--config", scene.gateway.configuration, "--from", "2026-02-01", "--to", "2026-01-01"],
            scene.scratch)
        #expect(none.status == 2 && none.errors.contains("--from must be before --to"))
        try await scene.end()
    }
}
