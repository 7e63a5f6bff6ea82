import Foundation
import Testing

/// The console over TLS, with certificates of `deploy/mosquitto/make-certificates`.
struct CertificateEndToEndTests {
    private let scratch: Scratch
    private let broker: BrokerProcess
    private let gateway: GatewayProcess

    init() async throws {
        scratch = try Scratch()
        broker = try await BrokerProcess.started(scratch)
        gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: nil,
            console: "tls: {cert_file: console.pem, key_file: console.key}")
    }

    private func makeCertificate() async throws {
        let made = try await run(
            GuardedBroker.folder.appending(path: "make-certificates").path(),
            ["--directory", scratch.directory.path(), "--console", "localhost"], scratch)
        try #require(made.status == 0, "make-certificates: \(made.errors)")
    }

    private func ask(_ origin: String, _ options: [String] = []) async throws -> Int32? {
        try await run(
            Repository.tool("curl"), ["-s", "-S", "--max-time", "5"] + options + ["\(origin)/healthz"], scratch
        ).status
    }

    private var secure: String { "https://localhost:\(gateway.consolePort)" }

    /// The serial number of the certificate that the console shows now.
    private func serial() async throws -> String {
        let address = "127.0.0.1:\(gateway.consolePort)"
        let shown = try await run(
            "/bin/sh",
            ["-c", "openssl s_client -connect \(address) </dev/null 2>/dev/null | openssl x509 -noout -serial"], scratch
        )
        return shown.output
    }

    @Test(
        "With a certificate the console speaks https alone; SIGHUP takes a new one, and keeps it where the next is bad",
        .timeLimit(.minutes(6)))
    func life() async throws {
        try await makeCertificate()
        try gateway.launch()
        try await eventually(within: .seconds(20), "no https: \(gateway.errors.suffix(800))") {
            try #require(gateway.isRunning, "\(gateway.errors)")
            return try await ask(secure, ["--cacert", scratch.path("ca.pem")]) == 0
        }
        #expect(gateway.errors.contains("https://127.0.0.1:\(gateway.consolePort)"), "\(gateway.errors)")
        #expect(try await ask("http://localhost:\(gateway.consolePort)") != 0)
        #expect(try await ask(secure) != 0, "trusted without its authority")
        let link = try await run(
            Repository.program, ["cab", "link", "T42", "--config", gateway.configuration], scratch)
        #expect(link.output.contains("https://127.0.0.1:\(gateway.consolePort)/cab#"), "\(link)")

        let first = try await serial()
        try await makeCertificate()
        #expect(try await serial() == first)
        gateway.send(SIGHUP)
        try await eventually(within: .seconds(20), "no new certificate") { try await serial() != first }
        let second = try await serial()
        #expect(second.hasPrefix("serial="))
        _ = try scratch.write("nonsense\n", to: "console.pem")
        gateway.send(SIGHUP)
        try await eventually(within: .seconds(20), "nothing said of the bad certificate") {
            gateway.errors.contains("the certificate in force stays: console.tls.cert_file")
        }
        #expect(try await serial() == second)
    }

    @Test("A pair that cannot be used ends the start with exit 2, the file and the reason", .timeLimit(.minutes(6)))
    func bad() async throws {
        try await makeCertificate()
        let key = try String(contentsOfFile: scratch.path("console.key"), encoding: .utf8)
        try await makeCertificate()
        let good = try String(contentsOfFile: scratch.path("console.key"), encoding: .utf8)
        for (text, reason) in [(key, "belongs to another certificate"), ("nonsense", "cannot be read as one")] {
            _ = try scratch.write(text, to: "console.key")
            let ended = try await run(Repository.program, ["serve", "--config", gateway.configuration], scratch)
            #expect(ended.status == 2 && ended.errors.contains("console.tls.key_file"), "\(ended)")
            #expect(ended.errors.contains(reason) && ended.errors.contains("console.key"), "\(ended)")
        }
        _ = try scratch.write(good, to: "console.key")
        _ = try scratch.write("nonsense", to: "console.pem")
        let ended = try await run(Repository.program, ["serve", "--config", gateway.configuration], scratch)
        #expect(ended.status == 2 && ended.errors.contains("console.tls.cert_file"), "\(ended)")
    }
}
