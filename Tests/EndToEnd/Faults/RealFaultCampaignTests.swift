import Foundation
import Testing

/// The campaign of real faults, as long as a test may be; `Tests/Campaign/real --minutes 60` goes on for longer.
struct RealFaultCampaignEndToEndTests {
    private static let python = Repository.tool("python3")

    @Test("What the comparison excepts begins at a position that was too old for alerts")
    func exception() async throws {
        let comparison = Repository.root.appending(path: "Tests/Campaign/comparison.py").path()
        let result = try await run(Self.python, ["-m", "doctest", comparison], try Scratch(), within: .seconds(60))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test(
        "Killed, held up, cut off and without disk, the gateway says what an undisturbed one says",
        .timeLimit(.minutes(8)))
    func campaign() async throws {
        let scratch = try Scratch()
        let program = Repository.root.appending(path: "Tests/Campaign/real").path()
        let result = try await run(
            Self.python,
            [
                program, "--minutes", "0.75", "--trucks", "60", "--seed", "1", "--pause", "2", "--headroom",
                Repository.program,
            ], scratch, within: .seconds(200))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        // Most containers may not mount anything.
        if result.errors.contains("no tmpfs") {
            Issue.record("the gateway's disk was never full: no tmpfs can be mounted here", severity: .warning)
        }
        let summary = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("{") })
        let figures = try #require(try JSONSerialization.jsonObject(with: Data(summary.utf8)) as? [String: Any])
        #expect(try #require(figures["keys"] as? Int) > 300, "\(summary)")
        let faults = try #require(figures["faults"] as? [String: Int])
        #expect(faults["kill", default: 0] > 2 && faults.count > 2, "\(summary)")
    }
}
