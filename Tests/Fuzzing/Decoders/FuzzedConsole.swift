import Broker
import Console
import Fleet
import Foundation
import Gateway
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Store

/// The console of a gateway that has stopped, with what it showed last; requests go to its router, without a connection.
final class FuzzedConsole: @unchecked Sendable {
    // Sendable: request and answer are handed over by the stream and the semaphore.
    private var request: Request?
    private let requests: AsyncStream<Void>
    private let ask: AsyncStream<Void>.Continuation
    private let isAnswered = DispatchSemaphore(value: 0)
    /// Whoever waits for an answer may do so on one of the few threads that tasks have by default.
    private static let executor = QueueExecutor()

    init() throws {
        (requests, ask) = AsyncStream.makeStream()
        let logger = Logger(label: "console") { _ in SwiftLogNoOpLogHandler() }
        let (configuration, shared) = try Self.stopped(logger)
        let console = try Console(
            settings: ConsoleSettings(map: .init(library: "/nowhere")), configuration: configuration, shared: shared,
            logger: logger)
        let responder = console.application.responder
        Task.detached(executorPreference: Self.executor) { [self] in
            // One for all requests: HummingbirdTesting makes one for each, which stays in memory as long as nobody closes it.
            let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
            for await _ in requests {
                if let request {
                    let answer = try? await responder.respond(to: request, context: ConsoleContext(source: source))
                    try? await answer?.body.write(Discarding())
                }
                isAnswered.signal()
            }
        }
    }

    /// Returns once the request is answered, whatever the answer is.
    func answer(_ bytes: [UInt8]) {
        request = Self.request(bytes)
        ask.yield()
        isAnswered.wait()
    }

    /// Nil where no server would hand it on, and for streams, which do not end.
    private static func request(_ bytes: [UInt8]) -> Request? {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        let words = lines.removeFirst().split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 2, let method = HTTPRequest.Method(words[0]),
            words[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !words[1].contains("stream")
        else { return nil }
        var headers: HTTPFields = [:]
        while let line = lines.popFirst(), !line.isEmpty {
            let field = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
                .map { String(decoding: $0, as: UTF8.self) }
            guard field.count == 2, let name = HTTPField.Name(field[0]) else { return nil }
            headers[name] = field[1]
        }
        let body = ByteBuffer(bytes: lines.joined(separator: [UInt8(ascii: "\n")]))
        headers[.contentLength] = "\(body.readableBytes)"
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: words[1], headerFields: headers)
        return Request(head: head, body: RequestBody(buffer: body))
    }

    /// Answers are made in full, and read by nobody.
    private struct Discarding: ResponseBodyWriter {
        func write(_ buffer: ByteBuffer) {}
        func finish(_ trailingHeaders: HTTPFields?) {}
    }

    // MARK: The gateway

    private static func stopped(_ logger: Logger) throws -> (GatewayConfiguration, SharedState) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzzed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = try GatewayConfiguration.north(store: folder.appending(path: "headroom.sqlite").path)
        let broker = TestBroker(configuration.topics)
        let store = try Store(path: configuration.store, durability: configuration.durability)
        let shared = SharedState(version: "1")
        let pipeline = try Pipeline(
            configuration, parts: [(Engine(configuration.engine, network: nil), store)],
            connection: broker.connection(), shared: shared, storePause: { _ in false }, logger: logger)
        try pipeline.restore()
        for message in Script.steps.flatMap(\.messages) {
            broker.publish(message.topic, message.payload, retain: message.isRetained)
        }
        let isShown = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: executor) {
            _ = await shared.view.snapshot()
            isShown.signal()
        }
        repeat {
            try pipeline.pass(timeout: .zero)
        } while isShown.wait(timeout: .now() + .milliseconds(10)) == .timedOut
        pipeline.dismiss()
        try store.close()
        return (configuration, shared)
    }
}

/// Runs tasks on a thread beside those that tasks have by default.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "fuzzed-console")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
