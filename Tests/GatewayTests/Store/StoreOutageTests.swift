import Broker
import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import GRDB
import Logging
import Messages
import MQTT
import ServiceLifecycle
import Testing

@testable import Gateway
@testable import Store

/// What becomes of messages while the store cannot be written.
struct StoreOutageTests {
    private static let logger = Logger(label: "outage") { _ in SwiftLogNoOpLogHandler() }

    @Test("A lock that another program holds for longer than the busy timeout costs time, and no message")
    func locked() throws {
        var limits = StoreLimits()
        limits.busyTimeoutSeconds = 0.05
        let (whole, cut) = (try PipelineRun(), try PipelineRun(limits: limits))
        var lock: OutsideLock?
        cut.whileStoreFails = { [unowned cut] in
            if cut.shared.metrics.storeFailures.value == 3 { lock?.release() }
        }
        for (index, step) in Script.steps.enumerated() {
            try whole.take(step.messages, at: step.time)
            if index == 12 { lock = try OutsideLock(cut.storePath) }
            try cut.take(step.messages, at: step.time)
        }
        #expect(cut.shared.metrics.storeFailures.value == 3)
        #expect(whole.broker.published.count > 20)
        #expect(cut.broker.published.map(\.payload) == whole.broker.published.map(\.payload))
    }

    @Test(
        """
        While the disk is full nothing is acknowledged and it is not ready, with the reason; then the same turn is committed, \
        and the engine has decided each once
        """)
    func full() throws {
        let (whole, cut) = (try PipelineRun(), try PipelineRun())
        var problems: Set<[String]> = []
        var failures = 0
        cut.whileStoreFails = { [unowned cut] in
            failures += 1
            problems.insert(cut.shared.readiness.problems.filter { $0.contains("store") })
            if failures == 3 { #expect(throws: Never.self) { try Self.empty(cut.store) } }
        }
        for (index, step) in Script.steps.enumerated() {
            // What is written at a step may find room in pages that are there. One of these messages is larger than a page.
            let messages = step.messages + (index == 12 ? [Self.large] : [])
            try whole.take(messages, at: step.time)
            if failures == 0 { try Self.fill(cut.store) }
            try cut.take(messages, at: step.time)
        }
        #expect(problems == [["the store is not writable: its disk is full"]])
        #expect(cut.shared.metrics.storeFailures.value == 3)
        #expect(cut.broker.published.map(\.payload) == whole.broker.published.map(\.payload))
        #expect(cut.shared.metrics.fixes.value == whole.shared.metrics.fixes.value)
        #expect(!cut.shared.readiness.problems.contains { $0.contains("store") })
    }

    private static let large = Script.fence(
        "large", east: 50_000, #","note":"\#(String(repeating: "x", count: 10_000))""#)

    /// Lets the file grow no further, and leaves no room in it.
    private static func fill(_ store: Store) throws {
        try store.inFile { database in
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS filling (bytes BLOB)")
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        #expect(throws: StoreError.diskFull(path: store.path)) {
            while true { try store.inFile { try $0.execute(sql: "INSERT INTO filling VALUES (zeroblob(3000))") } }
        }
    }

    private static func empty(_ store: Store) throws {
        try store.inFile { database in
            try database.execute(sql: "PRAGMA max_page_count = 1000000; DELETE FROM filling")
        }
    }

    @Test("A vehicle whose state cannot be read begins anew, is counted and named in the log; the others go on")
    func unreadableState() throws {
        let lines = LogLines()
        let run = try PipelineRun(logger: lines.logger(.error))
        for step in Script.steps.prefix(20) { try run.take(step.messages, at: step.time) }
        try run.store.inFile { try $0.execute(sql: "UPDATE vehicle SET state = x'00' WHERE id = 'T42'") }
        try run.take([], at: Script.steps[20].time, crash: .taken)
        #expect(run.shared.metrics.vehiclesUnreadable.value == 1)
        #expect(lines.all.count == 1)
        #expect(lines.all.allSatisfy { $0.hasPrefix("The state of vehicle T42 cannot be read and starts anew: ") })
    }

    @Test(
        """
        Once nine tenths of the outbox are taken one message is taken in at a time, no time passes, and it is not ready; when the \
        broker accepts what waits, everything is taken in
        """)
    func outboxFull() throws {
        var limits = StoreLimits()
        limits.outboxEntries = 14
        let (whole, cut) = (try PipelineRun(), try PipelineRun(limits: limits))
        for (index, step) in Script.steps.enumerated() {
            cut.connection.isWindowFull = index >= 2
            try whole.go(step.messages, at: step.time, passes: 6)
            let (count, received) = (cut.outboxCount, cut.shared.metrics.messagesReceived.value)
            try cut.go(step.messages, at: step.time, passes: count < 9 ? 6 : count < 12 ? 1 : 0)
            #expect(count < 9 || cut.shared.metrics.messagesReceived.value <= received + 1)
        }
        #expect((9...14).contains(cut.outboxCount))
        #expect(!cut.broker.isDone)
        #expect(cut.shared.readiness.problems.contains { $0.contains("the outbox is nearly full") })
        cut.connection.isWindowFull = false
        try cut.go([], at: Script.steps[Script.steps.count - 1].time, passes: 100)
        #expect(cut.outboxCount == 0)
        #expect(cut.broker.isDone)
        #expect(cut.shared.metrics.fixes.value == whole.shared.metrics.fixes.value)
        #expect(!cut.shared.readiness.problems.contains { $0.contains("outbox") })
    }

    /// A gateway as a service, on a store in a folder of its own, without a broker.
    private func withGateway(
        _ body: (Gateway, ServiceGroup, GatewayConfiguration, SharedState) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "outage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = try GatewayConfiguration.north(store: folder.appending(path: "headroom.sqlite").path)
        configuration.broker.port = 1
        _ = try Store(path: configuration.store)
        let shared = SharedState(version: "1")
        let gateway = Gateway(
            configuration, files: GatewayFiles(network: nil, clearances: [], fences: []), shared: shared,
            logger: Self.logger)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.init(service: gateway)], logger: Self.logger))
        try await body(gateway, services, configuration, shared)
    }

    private func waitUntilStarted(_ shared: SharedState) async throws {
        while shared.readiness.problems.contains(where: { $0.contains("road files") }) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test("A store that is locked when the gateway starts is waited for, with the reason; then the gateway starts")
    func lockedAtStart() async throws {
        try await withGateway { _, services, configuration, shared in
            let lock = try OutsideLock(configuration.store)
            async let run: Void = services.run()
            while shared.metrics.storeFailures.value == 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(shared.readiness.problems.contains("the store is not writable: another program has locked it"))
            lock.release()
            try await waitUntilStarted(shared)
            #expect(!shared.readiness.problems.contains { $0.contains("store") })
            await services.triggerGracefulShutdown()
            try await run
        }
    }

    @Test("A stop while the gateway waits for its store to start ends it without an error")
    func stoppedAtStart() async throws {
        try await withGateway { _, services, configuration, shared in
            let lock = try OutsideLock(configuration.store)
            async let run: Void = services.run()
            while shared.metrics.storeFailures.value == 0 { try await Task.sleep(for: .milliseconds(10)) }
            await services.triggerGracefulShutdown()
            try await run
            lock.release()
        }
    }

    @Test("A file that is no store ends the start")
    func otherFile() async throws {
        try await withGateway { _, services, configuration, _ in
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: configuration.store + end) }
            try String(repeating: "no store ", count: 1_000)
                .write(toFile: configuration.store, atomically: true, encoding: .utf8)
            await #expect(throws: StoreError.self) { try await services.run() }
        }
    }

    @Test("A stop while the store is locked ends the gateway, without an error and before the lock ends")
    func stopped() async throws {
        try await withGateway(stop)
    }

    private func stop(
        _ gateway: Gateway, _ services: ServiceGroup, _ configuration: GatewayConfiguration, _ shared: SharedState
    ) async throws {
        async let run: Void = services.run()
        try await waitUntilStarted(shared)
        let lock = try OutsideLock(configuration.store)
        gateway.replace(GatewayFiles(network: nil, clearances: [], fences: [Yard.fence("depot")]))
        while shared.metrics.storeFailures.value == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(shared.readiness.problems.contains("the store is not writable: another program has locked it"))
        await services.triggerGracefulShutdown()
        try await run
        lock.release()
    }
}

/// A write lock that another connection holds on a store's file until it is released.
final class OutsideLock: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// Returns once it is held.
    init(_ path: String) throws {
        var configuration = Configuration()
        // The gateway may be writing at this moment.
        configuration.busyMode = .timeout(60)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let held = DispatchSemaphore(value: 0)
        let (done, released) = (done, released)
        Thread {
            defer { done.signal() }
            do {
                try queue.inDatabase { database in
                    try database.inTransaction(.immediate) {
                        held.signal()
                        released.wait()
                        return .rollback
                    }
                }
            } catch {
                Issue.record("the store cannot be locked: \(error)")
                held.signal()
            }
        }.start()
        held.wait()
    }

    func release() {
        released.signal()
        done.wait()
    }
}
