import Foundation
import Testing

/// How the gateway starts, and why it does not.
struct StartEndToEndTests {
    @Test(
        "Without a broker the gateway says so and waits, and is ready once the broker is there", .timeLimit(.minutes(6))
    )
    func brokerAbsent() async throws {
        let scratch = try Scratch()
        let broker = try BrokerProcess(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        try gateway.launch()
        try await eventually(within: .seconds(10), "it does not say that it waits: \(gateway.errors)") {
            gateway.errors.contains("No connection to the broker; trying again in")
        }
        #expect(gateway.errors.contains("127.0.0.1:\(broker.port)"))
        #expect(try await gateway.get("/healthz").status == 200)
        let waiting = try await gateway.get("/readyz")
        #expect(waiting.status == 503)
        #expect(waiting.body.contains("broker"))
        try await broker.start()
        try await gateway.becomeReady(within: .seconds(35))
        #expect(try await gateway.stop().status == 0)
    }

    @Test(
        "While the broker is stopped the gateway is not ready; once it runs again, the gateway is",
        .timeLimit(.minutes(6)))
    func brokerRestarts() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        try await gateway.start()
        try await broker.stop()
        try await eventually(within: .seconds(10), "still ready without a broker") {
            try await gateway.get("/readyz").status == 503
        }
        try await broker.start()
        try await gateway.becomeReady(within: .seconds(35))
    }

    @Test(
        "SIGHUP while the gateway reads its files does not end it; they are read again once it stands",
        .timeLimit(.minutes(6)))
    func hangupAtStart() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let made = try await run(
            Repository.tool("openssl"),
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=localhost", "-keyout", scratch.path("key"), "-out", scratch.path("console.pem"),
            ], scratch)
        try #require(made.status == 0, "\(made.errors)")
        let key = scratch.text("key")
        // Who reads a named pipe waits for who writes.
        try #require(mkfifo(scratch.path("console.key"), 0o600) == 0)
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: try await demoRoads(scratch),
            console: "tls: {cert_file: console.pem, key_file: console.key}")
        try gateway.launch()
        var descriptor: Int32 = -1
        try await eventually(within: .seconds(10), "it does not read its key: \(gateway.errors)") {
            descriptor = open(scratch.path("console.key"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return descriptor >= 0
        }
        let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // As it is read again, it is a file.
        try #require(rename(scratch.path("key"), scratch.path("console.key")) == 0)
        gateway.send(SIGHUP)
        try await Task.sleep(for: .milliseconds(200))
        try pipe.write(contentsOf: Data(key.utf8))
        try pipe.close()
        for line in ["Connected to the broker", "SIGHUP: read again"] {
            try await eventually(within: .seconds(20), "not \"\(line)\": \(gateway.errors)") {
                gateway.errors.contains(line)
            }
        }
        #expect(try await gateway.stop().status == 0)
    }

    @Test(
        "Told to stop while its database says nothing, the gateway has ended within two seconds",
        .timeLimit(.minutes(6)))
    func silentDatabase() async throws {
        let scratch = try Scratch()
        let silent = try await BrokerProcess.started(scratch)
        silent.send(SIGSTOP)
        defer { silent.send(SIGCONT) }
        let gateway = try GatewayProcess(
            scratch, broker: silent.url, roads: nil,
            store: #"{url: "postgresql://127.0.0.1:\#(silent.port)/headroom"}"#)
        try gateway.launch()
        try await eventually(within: .seconds(10), "the console does not listen: \(gateway.errors)") {
            try await gateway.get("/healthz").status == 200
        }
        gateway.send(SIGTERM)
        let told = ContinuousClock.now
        #expect(try await gateway.end(within: .seconds(30)).status == 0)
        #expect(.now - told < .seconds(2), "\(ContinuousClock.now - told)")
    }

    @Test("A second gateway on the same store ends with 1 and says why; the first goes on", .timeLimit(.minutes(6)))
    func sameStore() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        let store = scratch.path("shared.sqlite")
        let first = try GatewayProcess(scratch, broker: broker.url, roads: roads, name: "first", store: store)
        try await first.start()
        let second = try GatewayProcess(scratch, broker: broker.url, roads: roads, name: "second", store: store)
        try second.launch()
        #expect(try await second.end(within: .seconds(10)).status == 1)
        #expect(second.errors.contains("shared.sqlite"))
        #expect(try await first.get("/readyz").status == 200)
    }

    @Test("A gateway whose session a second one of its id takes over ends with 1 and says so", .timeLimit(.minutes(6)))
    func sameClientID() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        let first = try GatewayProcess(scratch, broker: broker.url, roads: roads, name: "first", clientID: "twin")
        try await first.start()
        let second = try GatewayProcess(scratch, broker: broker.url, roads: roads, name: "second", clientID: "twin")
        try second.launch()
        #expect(try await first.end(within: .seconds(60)).status == 1)
        #expect(first.errors.contains("took this gateway's session over"))
        #expect(first.errors.contains("twin"))
        // Mosquitto does not say so, and does the same for a message that it does not take.
        #expect(first.errors.contains("limit for packets and its ACL"), "\(first.errors)")
        #expect(!first.errors.contains("HummingbirdCore] Server shutdown error"), "\(first.errors)")
        try await second.becomeReady(within: .seconds(35))
    }

    @Test("A console port that is taken ends the gateway with 1, and the message names it", .timeLimit(.minutes(6)))
    func portTaken() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: try await demoRoads(scratch), consolePort: broker.port)
        try gateway.launch()
        #expect(try await gateway.end(within: .seconds(10)).status == 1)
        #expect(gateway.errors.contains("\(broker.port)"))
    }

    @Test(
        "A road file that is not there ends the gateway with 2, and the message names the line", .timeLimit(.minutes(6))
    )
    func roadFileMissing() async throws {
        let scratch = try Scratch()
        let gateway = try GatewayProcess(scratch, broker: "mqtt://127.0.0.1:1", roads: "nowhere.roads")
        try gateway.launch()
        #expect(try await gateway.end(within: .seconds(10)).status == 2)
        #expect(gateway.errors.contains("gateway.yaml:2"))
        #expect(gateway.errors.contains("nowhere.roads"))
    }

    @Test("A key that does not exist ends the gateway with 2, and the message names the line", .timeLimit(.minutes(6)))
    func unknownKey() async throws {
        let scratch = try Scratch()
        let gateway = try GatewayProcess(
            scratch, broker: "mqtt://127.0.0.1:1", roads: nil, more: "alerts: {distanse: 1 mi}")
        try gateway.launch()
        #expect(try await gateway.end(within: .seconds(10)).status == 2)
        #expect(gateway.errors.contains("gateway.yaml:5"))
        #expect(gateway.errors.contains("distanse"))
    }

    @Test("Damage that is found after the start ends the gateway with 1 and one error message", .timeLimit(.minutes(6)))
    func roadFileDamagedWithin() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        var bytes = try Data(contentsOf: URL(filePath: roads))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: roads))
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: roads)
        try gateway.launch()
        #expect(try await gateway.end(within: .seconds(20)).status == 1)
        #expect(gateway.errors.contains("headroom: \(roads): this road file is damaged"), "\(gateway.errors)")
        // What the HTTP server said of itself when it was cancelled and not stopped.
        for noise in ["Server shutdown error", "Waiting on child channel"] {
            #expect(!gateway.errors.contains(noise), "\(gateway.errors)")
        }
    }

    @Test("A damaged road file is refused, and the message says what to do", .timeLimit(.minutes(6)))
    func roadFileDamaged() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        let whole = try Data(contentsOf: URL(filePath: roads))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: roads))
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: roads)
        try gateway.launch()
        #expect(try await gateway.end(within: .seconds(10)).status == 2)
        #expect(gateway.errors.contains("headroom roads build"))
    }
}
