import Foundation
import Testing

/// Somebody opens connections to the console and never sends a request to its end.
struct SlowConnectionTests {
    /// As many as the console takes from all addresses together.
    private static let count = 512

    @Test(
        "So many slow connections of one address keep nobody else waiting, nor those who ask the listener for health checks",
        .timeLimit(.minutes(3)))
    func healthChecks() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let healthPort = try LoopbackPort.free()
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: nil, console: "health: \"127.0.0.1:\(healthPort)\"")
        try await gateway.start()
        let slow = try (0..<Self.count).map { _ in try LoopbackPort.connected(gateway.consolePort) }
        defer { slow.forEach { close($0) } }
        let start = Array("GET /healthz HTTP/1.1\r\nHo".utf8)
        // Those that the console has closed already are written to in vain.
        for socket in slow { send(socket, start, start.count, Int32(MSG_NOSIGNAL)) }
        for (port, address) in [(gateway.consolePort, "127.0.0.2"), (healthPort, "127.0.0.1")] {
            let url = "http://127.0.0.1:\(port)/healthz"
            let curl = try await run(
                Repository.tool("curl"),
                ["-s", "--interface", address, "--max-time", "5", "-o", "/dev/null", "-w", "%{http_code}", url], scratch
            )
            #expect(curl.output == "200", "\(url) from \(address)")
        }
        #expect(try await gateway.stop().status == 0)
    }
}
