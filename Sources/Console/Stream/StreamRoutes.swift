import AsyncAlgorithms
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import NIOCore
import ServiceLifecycle

/// `GET /api/v1/stream`: what happens, as it happens, as server-sent events.
///
/// Nothing waits in a queue of its own: a reader who is slow is told less often, and of messages he goes on in the ring that
/// all share; one who does not read at all is let go by `SlowConsumerTimeout`.
struct StreamRoutes {
    let shared: SharedState
    let run: String
    /// In which people read who do not say so.
    let units: UnitSystem
    let metrics: ConsoleMetrics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("stream") { request, _ in try open(request) }
    }

    private func open(_ request: Request) throws -> Response {
        let query = try RequestQuery(request, ["bbox", "zoom", "units", "last_event_id"])
        let view = StreamView(
            bounds: try query.bounds(), zoom: try query.integer("zoom", in: 0...24) ?? 10,
            units: try query.choice("units") ?? units)
        let last = request.headers[Self.lastEventID] ?? query.text("last_event_id")
        // What is no cursor of ours is one of nobody's: all is to be loaded again.
        let cursor = last.map { StreamCursor($0) ?? StreamCursor(run: "", number: 0) }
        guard let permit = StreamPermit(metrics) else {
            throw HTTPError(
                .serviceUnavailable, headers: [.retryAfter: "10"],
                message: "\(ConsoleLimits.streams) streams are open already; close one.")
        }
        let session = StreamSession(run: run, view: view, from: cursor, newest: shared.messages.newest)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", Self.buffering: "no"],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(permit) {} }
                // Who goes gives his seat back at once, not when writing to him has failed.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await tell(session, to: &writer)
                }
                try await writer.finish(nil)
            })
    }

    /// Until the client goes or the console stops.
    private func tell(_ session: StreamSession, to writer: inout any ResponseBodyWriter) async throws {
        var session = session
        try await write([session.hello(await shared.view.snapshot())], to: &writer)
        var paintedAt: ContinuousClock.Instant?
        for await _ in wakes.cancelOnGracefulShutdown() {
            var hasMore = true
            while hasMore {
                let batch = session.messages(of: shared.messages)
                try await write(batch.events, to: &writer)
                hasMore = batch.hasMore
            }
            // News come at any time; the view at its own pace.
            if let paintedAt, .now - paintedAt < Self.interval * 0.9 { continue }
            paintedAt = .now
            let snapshot = await shared.view.snapshot()
            try await write(session.events(snapshot, isReady: shared.readiness.isReady, at: .now), to: &writer)
        }
    }

    /// At once, then whenever something was said, and once a second in any case.
    private var wakes: some AsyncSequence<Void, Never> & Sendable {
        let ticks = AsyncTimerSequence(interval: Self.interval, clock: .continuous).map { _ in () }
        return chain([()].async, merge(ticks, shared.messages.news()))
    }

    private func write(_ events: [ServerSentEvent], to writer: inout any ResponseBodyWriter) async throws {
        guard !events.isEmpty else { return }
        var buffer = ByteBuffer()
        for event in events { event.write(into: &buffer) }
        metrics.sentBytes.add(buffer.readableBytes)
        try await writer.write(buffer)
    }

    private static let interval = Duration.seconds(StreamSession.interval)
    private static let lastEventID = HTTPField.Name("Last-Event-ID")!
    /// Asks a proxy of the nginx family not to hold events back.
    private static let buffering = HTTPField.Name("X-Accel-Buffering")!
}

/// One of the streams that may be open at once; free again with its last reference, also where a response was made and
/// never sent.
private final class StreamPermit: Sendable {
    private let metrics: ConsoleMetrics

    /// Nil where all are taken.
    init?(_ metrics: ConsoleMetrics) {
        guard metrics.takeStream() else { return nil }
        self.metrics = metrics
    }

    deinit { metrics.leaveStream() }
}
