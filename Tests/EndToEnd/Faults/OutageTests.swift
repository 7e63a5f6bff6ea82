import Foundation
import Testing

/// The broker or the store stands still, and goes on.
struct OutageTests {
    @Test(
        "A broker that stands still is found out within 10 s, and is used again within 10 s of its return",
        .timeLimit(.minutes(3)))
    func frozenBroker() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil)
        try await gateway.start()
        let pid = try #require(broker.pid)
        for seconds in [12, 25] {
            kill(pid, SIGSTOP)
            defer { kill(pid, SIGCONT) }
            let stopped = ContinuousClock.now
            try await eventually(within: .seconds(10), "it is ready without a broker") {
                try await gateway.get("/readyz").status == 503
            }
            #expect(try await gateway.get("/healthz").status == 200)
            try await Task.sleep(until: stopped + .seconds(seconds))
            kill(pid, SIGCONT)
            try await gateway.becomeReady(within: .seconds(10))
        }
        #expect(try await gateway.stop().status == 0)
    }

    @Test(
        "While another program locks the store the gateway stays up and says why it is not ready; nothing is lost",
        .timeLimit(.minutes(3)))
    func lockedStore() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil)
        let listener = try await broker.listener(["fleet/+/state"])
        try await gateway.start()
        let lock = try ChildProcess(
            Repository.tool("python3"),
            [
                "-c",
                """
                import sqlite3, sys
                store = sqlite3.connect(sys.argv[1], isolation_level=None)
                store.execute("BEGIN IMMEDIATE")
                print("locked", flush=True)
                sys.stdin.readline()
                store.execute("ROLLBACK")
                """, scratch.path("gateway.sqlite"),
            ], scratch, name: "lock", takesInput: true)
        try await eventually(within: .seconds(10), "no lock: \(lock.errors)") { lock.output.contains("locked") }
        try await broker.publish("fleet/T42/location", #"{"lat": 42.28, "lon": -83.75}"#)
        try await eventually(within: .seconds(30), "it is ready without a store") {
            let answer = try await gateway.get("/readyz")
            return answer.status == 503 && answer.body.contains("another program has locked it")
        }
        #expect(try await gateway.get("/healthz").status == 200)
        #expect(try await gateway.metric("headroom_store_failures_total")[""] ?? 0 > 0)
        #expect(listener.heard("fleet/T42/state").isEmpty)
        try lock.write(line: "")
        _ = try await lock.end(within: .seconds(15))
        try await eventually(within: .seconds(10), "nothing is said about T42") {
            !listener.heard("fleet/T42/state").isEmpty
        }
        try await gateway.becomeReady(within: .seconds(10))
        #expect(try await gateway.stop().status == 0)
    }
}
