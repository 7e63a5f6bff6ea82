import Evaluation
import Fleet
import Foundation
import Messages
import Testing

/// `headroom doctor`: what it finds, and that a gateway beside it goes on.
struct DoctorEndToEndTests {
    private struct Finding: Decodable {
        var subject: String
        var status: String
        var finding: String
        var advice: String?
    }

    private static func arguments(_ configuration: String, listen: String) -> [String] {
        ["doctor", "--config", configuration, "--listen", listen, "--timeout", "5 s", "--format", "jsonl"]
    }

    private static func findings(_ output: String) throws -> [Finding] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
    }

    private func examine(
        _ configuration: String, _ scratch: Scratch
    ) async throws -> (status: Int32?, findings: [Finding]) {
        let run = try await run(Repository.program, Self.arguments(configuration, listen: "0 s"), scratch)
        return (run.status, try Self.findings(run.output))
    }

    @Test("Behind TLS and access rules, before the gateway's first start, nothing has failed", .timeLimit(.minutes(6)))
    func sound() async throws {
        let scratch = try Scratch()
        let broker = try await GuardedBroker(scratch)
        let gateway = try await broker.gateway()
        let (status, findings) = try await examine(gateway.configuration, scratch)
        #expect(status == 0, "\(findings)")
        #expect(findings.filter { $0.status == "failed" }.map(\.finding) == [])
        for subject in ["store", "roads", "certificate", "read", "write", "restore", "limits", "gateway"] {
            #expect(findings.contains { $0.subject == subject && $0.status == "ok" }, "\(subject): \(findings)")
        }
    }

    @Test(
        "A gateway that runs notices nothing; where its account names its session, the broker is asked by neither doctor nor forget",
        .timeLimit(.minutes(6)))
    func besideGateway() async throws {
        let scratch = try Scratch()
        let guarded = try await GuardedBroker(scratch)
        let plain = try await BrokerProcess.started(try Scratch())
        let gateways = [
            try await guarded.gateway(), try GatewayProcess(scratch, broker: plain.url, roads: nil, name: "plain"),
        ]
        for (gateway, isAsked) in zip(gateways, [false, true]) {
            try await gateway.start()
            let (status, findings) = try await examine(gateway.configuration, scratch)
            #expect(status == 0, "\(findings)")
            let told = try #require(findings.first { $0.subject == (isAsked ? "gateway" : "broker") })
            #expect(told.finding.contains(isAsked ? "online" : "not asked"), "\(findings)")
            if !isAsked {
                let refused = try await run(
                    Repository.program, ["forget", "--config", gateway.configuration, "T42"], scratch)
                #expect(refused.status == 1 && refused.errors.contains("--beside-gateway"), "\(refused)")
            }
            #expect(try await gateway.get("/readyz").status == 200)
            #expect(gateway.errors.contains("Connected to the broker"))
            #expect(!gateway.errors.contains("No connection"), "\(gateway.errors)")
            for metric in ["headroom_vehicles", "headroom_rejected_total"] {
                #expect(try await gateway.metric(metric) == [:], "\(metric)")
            }
            try await gateway.stop()
        }
    }

    @Test(
        "What waits at the broker for a stopped gateway whose account names its session stays there: neither doctor nor forget asks",
        .timeLimit(.minutes(6)))
    func besideStoppedGateway() async throws {
        let scratch = try Scratch()
        let broker = try await GuardedBroker(scratch)
        let gateway = try await broker.gateway()
        try await gateway.start()
        try await gateway.stop()
        let truck = broker.clients(of: "T42")
        for fix in try DemoTruck().drive(from: Timestamp.now.adding(-10)).prefix(5) {
            try await truck.publish("fleet/T42/location", fix.json)
        }
        let (status, findings) = try await examine(gateway.configuration, scratch)
        #expect(status == 0, "\(findings)")
        let told = try #require(findings.first { $0.subject == "broker" })
        #expect(told.status == "warning" && told.finding.contains("not asked"), "\(findings)")
        #expect(told.advice?.contains("--beside-gateway") == true)
        let forgotten = try await run(
            Repository.program, ["forget", "--config", gateway.configuration, "T43"], scratch)
        #expect(forgotten.status == 1 && forgotten.errors.contains("--beside-gateway"), "\(forgotten)")
        #expect(forgotten.errors.contains("run this again"), "\(forgotten)")

        try await gateway.start()
        #expect(gateway.errors.contains("session=resumed"), "\(gateway.errors)")
        try await eventually(within: .seconds(5), "fixes are lost") {
            try await gateway.metric("headroom_fixes_total") == ["": 5]
        }
        try await gateway.stop()
    }

    @Test(
        "What the broker's access rules do not grant is named by topic, and ends with 1", .timeLimit(.minutes(6)))
    func rights() async throws {
        let scratch = try Scratch()
        let broker = try await GuardedBroker(scratch)
        let gateway = try await broker.gateway()
        let password = try scratch.write(GuardedBroker.password(of: "alerts") + "\n", to: "alerts-password")
        let text = try String(contentsOfFile: gateway.configuration, encoding: .utf8)
        let account = text.replacing("username: headroom", with: "username: alerts")
            .replacing(scratch.path("broker-password"), with: password)
        let (status, findings) = try await examine(try scratch.write(account, to: "alerts.yaml"), scratch)
        #expect(status == 1)
        let failed = findings.filter { $0.status == "failed" }
        #expect(failed.contains { $0.subject == "read" && $0.finding.contains("headroom/probe/") }, "\(findings)")
        #expect(
            failed.contains { $0.subject == "write" && $0.finding.hasPrefix("fleet/+/alert: refused") }, "\(findings)")
        let unrestored = findings.filter { $0.subject == "restore" && $0.status == "warning" }
        let topics = Set(unrestored.map { (it: Finding) in it.finding.prefix { $0 != ":" } })
        #expect(
            topics == [
                "fleet/+/consent", "fleet/+/profile", "fleet/+/route", "fleet/+/presence", "headroom/fences/+",
                "headroom/clearances/+",
            ])
        #expect(failed.allSatisfy { $0.advice != nil })
    }

    @Test(
        "Without a broker, with a damaged road file and a certificate that ends soon, each is told, and the rest is looked at"
    )
    func broken() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        var bytes = try Data(contentsOf: URL(filePath: roads))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: roads))
        let certificate = scratch.path("ending.pem")
        let made = try await run(
            Repository.tool("openssl"),
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=localhost",
                "-keyout", scratch.path("ending.key"), "-out", certificate, "-days", "1", "-set_serial", "1",
            ], scratch)
        try #require(made.status == 0, "\(made.errors)")
        let port = try LoopbackPort.free()
        let configuration = try scratch.write(
            """
            broker: {url: "mqtts://localhost:\(port)", ca_file: ending.pem}
            roads: [\(roads)]
            store: broken.sqlite
            """, to: "broken.yaml")
        let (status, findings) = try await examine(configuration, scratch)
        #expect(status == 1)
        let expected = [
            ("roads", "failed", "damaged"), ("certificate", "warning", "valid until"),
            ("broker", "failed", "Connection refused"),
        ]
        for (subject, status, text) in expected {
            #expect(
                findings.contains { $0.subject == subject && $0.status == status && $0.finding.contains(text) },
                "\(subject): \(findings)")
        }
    }

    @Test("What the broker limits is told, and what of it keeps the gateway from its work has failed")
    func limits() async throws {
        let scratch = try Scratch()
        let port = try LoopbackPort.free()
        let broker = try BrokerProcess(
            scratch, port: port,
            configuration: BrokerProcess.mosquitto(port: port) + """
                max_packet_size 20000
                max_qos 0
                retain_available false
                """)
        try await broker.start()
        let configuration = try scratch.write("broker: {url: \"\(broker.url)\"}\nstore: a.sqlite\n", to: "limits.yaml")
        let (status, findings) = try await examine(configuration, scratch)
        #expect(status == 1)
        let told = findings.filter { $0.subject == "limits" }
        #expect(told.map(\.status) == ["warning", "failed", "failed"], "\(findings)")
        for (finding, text) in zip(told, ["at most 20000 bytes", "QoS 0 at most", "retains no messages"]) {
            #expect(finding.finding.contains(text) && finding.advice != nil, "\(finding)")
        }
    }

    @Test("A road file that is more than a year old is told with what to do")
    func age() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let old = Date.now.addingTimeInterval(-400 * 86_400)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: roads)
        let configuration = try scratch.write(
            "broker: {url: \"mqtt://127.0.0.1:\(try LoopbackPort.free())\"}\nroads: [\(roads)]\nstore: a.sqlite\n",
            to: "age.yaml")
        let age = try #require(try await examine(configuration, scratch).findings.first { $0.subject == "roads" })
        #expect(age.status == "warning" && age.finding.contains("built 400 days ago"), "\(age)")
        #expect(age.advice?.contains("newer extract") == true)
    }

    @Test("What keeps the console from starting has failed, and who may read its tokens is told")
    func console() async throws {
        let scratch = try Scratch()
        for name in ["a", "b"] {
            let made = try await run(
                Repository.tool("openssl"),
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                    "/CN=localhost", "-keyout", scratch.path("\(name).key"), "-out", scratch.path("\(name).pem"),
                    "-days", "90",
                ], scratch)
            try #require(made.status == 0, "\(made.errors)")
        }
        let tokens = try scratch.write("editor edit-me\n", to: "tokens")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tokens)
        _ = try scratch.write("owner edit-me\n", to: "bad-tokens")
        let cases = [
            ("tls: {cert_file: a.pem, key_file: a.key}, tokens_file: tokens", "ok", "can be started"),
            ("tls: {cert_file: a.pem, key_file: b.key}", "failed", "belongs to another certificate"),
            ("tokens_file: bad-tokens", "failed", "bad-tokens:1: "),
        ]
        let port = try LoopbackPort.free()
        for (number, (console, status, text)) in cases.enumerated() {
            let configuration = try scratch.write(
                "broker: {url: \"mqtt://127.0.0.1:\(port)\"}\nstore: a.sqlite\nconsole: {\(console)}\n",
                to: "console-\(number).yaml")
            let findings = try await examine(configuration, scratch).findings
            let told = try #require(findings.first { $0.subject == "console" }, "\(findings)")
            #expect(told.status == status && told.finding.contains(text), "\(told)")
            #expect(findings.contains { $0.subject == "secrets" && $0.finding.contains(tokens) } == (number == 0))
        }
    }

    @Test(
        "Topics other than those of the last start are told, with what the gateway does about them and what it does not",
        .timeLimit(.minutes(6)))
    func topics() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil)
        try await gateway.start()
        try await gateway.stop()
        let same = try await examine(gateway.configuration, scratch).findings
        #expect(!same.contains { $0.subject == "topics" }, "\(same)")
        let other = try GatewayProcess(
            scratch, broker: broker.url, roads: nil, name: "other", store: "gateway.sqlite",
            more: #"""
                fleet: {topic: "trucks/{v}"}
                headroom: {topic: tenant}
                """#)
        let (status, findings) = try await examine(other.configuration, scratch)
        #expect(status == 0, "\(findings)")
        let told = findings.filter { $0.subject == "topics" && $0.status == "warning" }
        #expect(told.count == 2, "\(findings)")
        #expect(told.first?.finding.contains("trucks/{v}, and fleet/{v}") == true)
        #expect(told.first?.advice?.contains("emptied on fleet/{v}/… and published on trucks/{v}/…") == true)
        #expect(told.last?.advice?.contains("tenant/fences/{id}") == true)
    }

    @Test("Fixes from the future are told as a clock that is wrong", .timeLimit(.minutes(6)))
    func clock() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let configuration = try scratch.write("broker: {url: \"\(broker.url)\"}\nstore: a.sqlite\n", to: "clock.yaml")
        let doctor = try ChildProcess(
            Repository.program, Self.arguments(configuration, listen: "6 s"), scratch, name: "doctor")
        let clients = broker.clients()
        while doctor.isRunning {
            let time = Int(Date().timeIntervalSince1970) + 600
            try await clients.publish("fleet/T42/location", #"{"lat":42.28,"lon":-83.74,"time":\#(time)}"#)
        }
        let status = try await doctor.end(within: .seconds(30)).status
        let findings = try Self.findings(doctor.output)
        #expect(status == 1)
        #expect(findings.contains { $0.subject == "vehicles' clocks" && $0.status == "failed" }, "\(findings)")
    }

    @Test("A wrong configuration ends with 2, as with every command")
    func usage() async throws {
        let scratch = try Scratch()
        let run = try await run(
            Repository.program, ["doctor", "--config", try scratch.write("broker: 7\n", to: "wrong.yaml")], scratch)
        #expect(run.status == 2)
        #expect(run.errors.contains("wrong.yaml:1"))
    }
}
