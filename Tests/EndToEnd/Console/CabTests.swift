import Fleet
import Foundation
import Geo
import Messages
import Testing

/// A phone in the cab, paired over HTTP, through a real broker.
struct CabEndToEndTests {
    private let scratch: Scratch
    private let broker: BrokerProcess
    private let gateway: GatewayProcess
    private var editor: ConsoleClient

    init() async throws {
        scratch = try Scratch()
        broker = try await BrokerProcess.started(scratch)
        _ = try scratch.write("editor edit-me\n", to: "tokens")
        gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: nil, console: "auth: required, tokens_file: tokens")
        try await gateway.start()
        editor = ConsoleClient(gateway: gateway, scratch: scratch)
        editor.token = "edit-me"
    }

    /// What `headroom cab link` prints behind the mark.
    private func code(of vehicle: String) async throws -> String {
        let result = try await run(
            Repository.program,
            [
                "cab", "link", vehicle, "--config", gateway.configuration, "--format", "json", "--url",
                "https://trucks.example/",
            ], scratch)
        let link = try #require(result.output.firstMatch(of: /"link":"([^"]+)"/)?.1, "\(result)")
        #expect(link.hasPrefix("https://trucks.example/cab#"))
        return String(try #require(link.split(separator: "#").last))
    }

    private func phone(_ code: String) async throws -> ConsoleClient {
        var client = ConsoleClient(gateway: gateway, scratch: scratch)
        let paired = try await client.post("/cab/pairing", #"{"code": "\#(code)"}"#)
        client.token = try #require(paired.object["token"] as? String, "\(paired)")
        return client
    }

    private func fixes(_ count: Int) -> String {
        let start = Timestamp.now.adding(-Double(count))
        let fixes = (0..<count).map { second in
            let position = Coordinate(latitude: 42.28 + Double(second) / 10_000, longitude: -83.75)
            return Fix(position: position, time: start.adding(Double(second)), accuracy: 5).json
        }
        return "[\(fixes.joined(separator: ","))]"
    }

    @Test(
        "A link is used once; the phone speaks for its vehicle until it is revoked, over a kill of the gateway",
        .timeLimit(.minutes(6)))
    func life() async throws {
        let listener = try await broker.listener(["fleet/#"])
        let code = try await code(of: "T42")
        let phone = try await phone(code)
        #expect(try await phone.post("/cab/pairing", #"{"code": "\#(code)"}"#).status == 410)

        #expect(try await phone.put("/cab/profile", #"{"height": 4.1}"#).status == 200)
        #expect(try await phone.put("/cab/presence", "online").status == 200)
        let sent = fixes(20)
        #expect(try await phone.post("/cab/fixes", sent).status == 200)
        // Answered: what it said is out and taken in.
        #expect(listener.heard("fleet/T42/location").map(\.payload) == [sent])
        #expect(listener.heard("fleet/T42/profile").map(\.payload) == [#"{"height": 4.1}"#])
        // Those that can be read are used, and that is the answer.
        let mixed = String(sent.dropLast()) + ", {\"lat\": 1}]"
        #expect(try await phone.post("/cab/fixes", mixed).status == 200)
        #expect(try await phone.post("/cab/fixes", "[{\"lat\": 1}]").status == 422)
        let vehicle = try await editor.get("/vehicles/T42").object
        #expect((vehicle["height"] as? [String: Any])?["status"] as? String == "ok", "\(vehicle)")
        #expect((try await phone.get("/cab").object["state"] as? [String: Any])?["presence"] as? String == "online")
        #expect(listener.heard.allSatisfy { $0.topic.hasPrefix("fleet/T42/") })

        _ = try await gateway.stop(SIGKILL)
        try await gateway.start()
        #expect(try await phone.post("/cab/fixes", fixes(3)).status == 200)
        let id = try #require(try await editor.get("/vehicles/T42/cab-tokens").items.first?["id"] as? Int)
        #expect(try await editor.delete("/cab-tokens/\(id)").status == 200)
        #expect(try await phone.post("/cab/fixes", fixes(3)).status == 401)
    }

    @Test("Who forgets a vehicle ends what its phone may do", .timeLimit(.minutes(6)))
    func forgotten() async throws {
        let phone = try await phone(try await code(of: "T7"))
        let other = try await self.phone(try await code(of: "T8"))
        #expect(try await phone.post("/cab/fixes", fixes(3)).status == 200)
        let unused = try await code(of: "T7")
        let forget = ["forget", "--config", gateway.configuration, "T7"]
        for arguments in [forget + ["--dry-run"], forget] {
            let told = try await run(Repository.program, arguments, scratch)
            #expect(told.status == 0 && told.output.contains("1 paired phone\n"), "\(told)")
        }
        #expect(try await phone.get("/cab").status == 401)
        #expect(try await other.get("/cab").status == 200)
        #expect(try await phone.post("/cab/pairing", #"{"code": "\#(unused)"}"#).status == 410)
        _ = try await self.phone(try await code(of: "T7"))
    }

    @Test("A phone that stops sharing stays paired, and can share again", .timeLimit(.minutes(6)))
    func consent() async throws {
        let phone = try await phone(try await code(of: "T42"))
        #expect(try await phone.post("/cab/fixes", fixes(3)).status == 200)
        #expect(try await phone.put("/cab/consent", #"{"status": "denied"}"#).status == 200)
        #expect(try await phone.get("/cab").status == 200)
        _ = try await gateway.stop(SIGKILL)
        try await gateway.start()
        #expect(try await phone.put("/cab/consent", #"{"status": "always"}"#).status == 200)
        #expect(try await phone.post("/cab/fixes", fixes(3)).status == 200)
        #expect(try await editor.get("/vehicles/T42").status == 200)
    }

    @Test("For people the link comes with its QR code, and no link is made before a gateway has begun")
    func commandLine() async throws {
        let told = try await run(
            Repository.program, ["cab", "link", "T42", "--config", gateway.configuration], scratch)
        #expect(told.status == 0 && told.output.contains("█") && told.output.contains("/cab#"), "\(told)")
        let fresh = try scratch.write("store: fresh.sqlite\n", to: "fresh.yaml")
        let refused = try await run(Repository.program, ["cab", "link", "T42", "--config", fresh], scratch)
        #expect(refused.status != 0 && refused.errors.contains("fresh.sqlite"), "\(refused)")
    }

    @Test(
        "A console that listens on all addresses has a link only under a name, as no phone can open that of all",
        arguments: ["0.0.0.0:8080", "[::]:8080"])
    func everywhere(listen: String) async throws {
        let nameless = try scratch.write(
            "store: none.sqlite\nconsole: {listen: \"\(listen)\", auth: none}\n", to: "nameless.yaml")
        let refused = try await run(Repository.program, ["cab", "link", "T42", "--config", nameless], scratch)
        #expect(refused.status == 2 && refused.errors.contains("console.names"), "\(refused)")
        let named = try scratch.write(
            "store: none.sqlite\nconsole: {listen: \"\(listen)\", auth: none, names: [trucks.example]}\n",
            to: "named.yaml")
        let past = try await run(Repository.program, ["cab", "link", "T42", "--config", named], scratch)
        #expect(past.errors.contains("none.sqlite"), "\(past)")
    }
}
