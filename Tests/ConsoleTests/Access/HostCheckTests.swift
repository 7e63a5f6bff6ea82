import HTTPTypes
import Testing

@testable import Console

@Suite("Host check")
struct HostCheckTests {
    @Test(
        "listening on loopback, loopback's names are answered and no other",
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("LocalHost:1", true), ("localhost.", true),
            ("127.0.0.1", true), ("127.0.0.1:8080", true), ("[::1]", true), ("[::1]:8080", true),
            ("evil.example", false), ("localhost.evil.example", false), ("127.0.0.1.evil.example", false),
            ("evil.example:8080", false), ("192.168.1.5", false), ("[fe80::1]", false), ("0.0.0.0", false),
            ("", false), (":8080", false), ("::1", false), ("[::1", false), ("[::1]x", false),
            ("localhost:80:80", false), ("localhost:x", false), ("user@localhost", false),
        ])
    func loopback(authority: String, allowed: Bool) {
        #expect(AllowedHosts(ConsoleSettings()).allow(authority) == allowed)
    }

    @Test(
        "the host listened on and the further names are answered too",
        arguments: [
            ("Gateway.example.com:8080", true), ("maps.example.com", true), ("localhost", true),
            ("other.example.com", false), ("10.0.0.7", false),
        ])
    func configured(authority: String, allowed: Bool) {
        let settings = ConsoleSettings(
            listen: NetworkAddress(host: "gateway.example.com", port: 8080), names: ["Maps.example.com"])
        #expect(AllowedHosts(settings).allow(authority) == allowed)
    }

    @Test(
        "listening everywhere, any address is answered, and still no foreign name",
        arguments: ["0.0.0.0", "::"],
        [("10.0.0.7:8080", true), ("[2001:db8::7]:8080", true), ("evil.example", false), ("10.0.0.7.evil", false)])
    func everywhere(host: String, expected: (authority: String, allowed: Bool)) {
        let settings = ConsoleSettings(listen: NetworkAddress(host: host, port: 8080))
        #expect(AllowedHosts(settings).allow(expected.authority) == expected.allowed)
    }

    @Test(
        "over the wire a foreign name is a 421, whatever the path",
        arguments: ["/healthz", "/metrics", "/nowhere"])
    func wire(path: String) async throws {
        let statuses = try await withRunning(ConsoleFixture().console) { port in
            let foreign = try await wireStatus(path, host: "evil.example:\(port)", port: port)
            let own = try await wireStatus("/healthz", host: "127.0.0.1:\(port)", port: port)
            return [foreign, own]
        }
        #expect(statuses == [.misdirectedRequest, .ok])
    }

    @Test("a request without a Host is a 400")
    func missing() async throws {
        let status = try await withRunning(ConsoleFixture().console) { port in
            try await wireStatus("/healthz", host: nil, port: port)
        }
        #expect(status == .badRequest)
    }
}
