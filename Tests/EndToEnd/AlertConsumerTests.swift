import Foundation
import Testing

/// Alerts as programs of others get them: by the properties of MQTT 5, and by the example that is shipped.
struct AlertConsumerEndToEndTests {
    private static let example = Repository.root.appending(path: "deploy/examples/alerts").path()

    @Test(
        "Alerts bring type, stage, content type and expiry; the example tells each once and takes one stage alone",
        .timeLimit(.minutes(6)))
    func properties() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        let address = ["-h", "127.0.0.1", "-p", "\(broker.port)"]
        let subscriber = try ChildProcess(
            Repository.tool("mosquitto_sub"),
            address + ["-V", "5", "-q", "1", "-t", "fleet/+/alert", "-F", "%C|%E|%P"], scratch)
        let all = try ChildProcess(Self.example, address, scratch)
        let stops = try ChildProcess(Self.example, ["--stage", "stop"] + address, scratch)
        let listener = try await broker.listener(["fleet/+/alert"])
        try await gateway.start()
        try await broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        let truck = try RushingTruck(broker, gateway)
        try await truck.report()
        try await truck.drive()
        try await eventually(within: .seconds(10), "told: \(all.output)\(all.errors)") { all.outputLines.count == 4 }

        // What comes twice, as after a crash of the gateway, is told once.
        for heard in listener.heard {
            let stage = try #require(heard.alert?.stage)
            let properties = [["type", "low-clearance"], ["stage", stage], ["attention", "alarm"]].flatMap {
                ["-D", "PUBLISH", "user-property"] + $0
            }
            try await broker.clients().publish(heard.topic, heard.payload, more: properties)
        }
        try await eventually(within: .seconds(10), "\(subscriber.outputLines)") { subscriber.outputLines.count == 8 }
        try await Task.sleep(for: .milliseconds(300))

        let texts = listener.heard.prefix(4).compactMap { $0.object?["text"] as? String }
        let told = all.outputLines.map { String($0.split(separator: " ", maxSplits: 1)[1]) }
        let expected = zip(DemoTruck.stages, texts).map { "T42 \($0): \($1)" }
        #expect(told == expected)
        #expect(stops.outputLines == [all.outputLines[2]])
        for (line, stage) in zip(subscriber.outputLines, DemoTruck.stages) {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            #expect(parts[0] == "application/json")
            // Ten minutes from the fix, which is up to a minute old, or in the future: the truck's clock goes too fast.
            #expect((540...661).contains(Int(parts[1]) ?? 0), "\(line)")
            #expect(parts[2] == "type:low-clearance stage:\(stage) attention:alarm")
        }
        for child in [subscriber, all, stops] { try await child.stop() }
        // A signal to the example ends what it has started too.
        let left = try await run(Repository.tool("pgrep"), ["--full", "--", "-F %P.*-p \(broker.port)"], scratch)
        #expect(left.status == 1, "\(left.output)")
        try await gateway.stop()
    }

    @Test("The examples print their usage, and refuse unknown options")
    func usage() async throws {
        let scratch = try Scratch()
        for name in ["examples/alerts", "examples/validate", "mosquitto/make-certificates"] {
            let program = Repository.root.appending(path: "deploy/\(name)").path()
            let help = try await run(program, ["--help"], scratch)
            #expect(help.status == 0 && help.output.hasPrefix("usage: deploy/\(name)"), "\(help)")
        }
        let stage = try await run(Self.example, ["--stage", "never"], scratch)
        #expect(stage.status == 2 && stage.errors.contains("--stage wants"))
    }
}
