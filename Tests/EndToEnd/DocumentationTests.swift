import Foundation
import Testing

/// The commands of the README and the articles work.
@Suite("Documentation")
struct DocumentationEndToEndTests {
    static let articles = "Sources/headroom/Headroom.docc"

    /// Relative to the root.
    static let files: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: articles).path())
        return ["README.md"] + (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(articles)/\($0)" }
    }()

    static func text(_ file: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8)
    }

    /// The blocks of one language, without their fences.
    private static func blocks(_ language: String, of text: String) -> [String] {
        text.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    }

    /// The shell commands of a file, continued lines joined, comments removed.
    private static func commands(_ file: String) throws -> [String] {
        try blocks("sh", of: text(file)).flatMap { block in
            block.replacing("\\\n", with: " ").split(separator: "\n").map { line in
                String(line.replacing(#/\s+# .*$/#, with: ""))
            }
        }
    }

    @Test("Every headroom command has the options that a document gives it", arguments: files)
    func options(_ file: String) async throws {
        let scratch = try Scratch()
        var helps: [String: String] = [:]
        for command in try Self.commands(file) where command.hasPrefix("headroom ") {
            let words = command.split(separator: " ").map(String.init)
            guard words[1] != "--generate-completion-script" else { continue }
            let isGroup = ["roads", "clearances", "store"].contains(words[1])
            let name = words[1...(isGroup ? 2 : 1)].joined(separator: " ")
            if helps[name] == nil {
                let help = try await run(
                    Repository.program, name.split(separator: " ").map(String.init) + ["--help"], scratch)
                #expect(help.status == 0, "\(name)")
                helps[name] = help.output
            }
            for option in words.dropFirst(2) where option.wholeMatch(of: #/--[a-z][a-z-]*/#) != nil {
                #expect(helps[name]?.contains(option) == true, "\(name): \(option)")
            }
        }
    }

    @Test("The README's first truck is warned by its commands as they stand", .timeLimit(.minutes(6)))
    func firstTruck() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let text = try Self.text("README.md")
        let configuration = try #require(Self.blocks("yaml", of: text).first)
        let port = try LoopbackPort.free()
        _ = try scratch.write(
            configuration.replacing("mqtt://127.0.0.1:1883", with: broker.url)
                + "\nconsole: {listen: \"127.0.0.1:\(port)\"}\n", to: "headroom.yaml")
        let programs = URL(filePath: Repository.program).deletingLastPathComponent().path()
        let steps = try Self.commands("README.md")
            .filter { $0.hasPrefix("headroom ") || $0.hasPrefix("mosquitto_pub ") }
            .map { step in
                step.replacing("config/demo", with: Repository.demo.path())
                    .replacing("mosquitto_pub ", with: "mosquitto_pub -p \(broker.port) ")
            }
        let alerts = try await broker.listener(["fleet/T42/alert"])
        var served: ChildProcess?
        for step in steps {
            let line = "cd '\(scratch.directory.path())' && PATH='\(programs)':$PATH && exec \(step)"
            let process = try ChildProcess("/bin/bash", ["-c", line], scratch)
            if step.hasPrefix("headroom serve") {
                served = process
                // A position that comes before the subscription is nobody's.
                try await eventually(within: .seconds(60), "the gateway is not ready: \(process.errors)") {
                    let curl = ["-sf", "--max-time", "5", "http://127.0.0.1:\(port)/readyz"]
                    return try await run(Repository.tool("curl"), curl, scratch).status == 0
                }
            } else {
                let ending = try await process.end(within: .seconds(30))
                #expect(ending.status == 0, "\(step)\n\(process.output)\n\(process.errors)")
            }
        }
        try await eventually(within: .seconds(20), "no alert came: \(served?.errors.suffix(2_000) ?? "")") {
            alerts.heard.contains { $0.object?["stage"] as? String == "ahead" }
        }
        served?.send(SIGTERM)
        #expect(try await served?.end(within: .seconds(10)).status == 0)
    }
}
