import Gateway
import HTTPTypes
import Hummingbird
import Messages
import ServiceLifecycle

/// `GET /api/v1/stream`: what happens, as it happens, as server-sent events.
///
/// A reader who is slow is told less often, and of messages he goes on in the ring that all share.
struct StreamRoutes {
    let shared: SharedState
    let run: String
    /// In which people read who do not say so.
    let units: UnitSystem
    let metrics: ConsoleMetrics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("stream") { request, context in try await open(request, context) }
    }

    private func open(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        let query = try RequestQuery(request, ["bbox", "zoom", "units", "last_event_id"])
        let view = StreamView(
            bounds: try query.bounds(), zoom: try query.integer("zoom", in: 0...24) ?? 10,
            units: try query.choice("units") ?? units)
        let last = request.headers[Self.lastEventID] ?? query.text("last_event_id")
        // What is no cursor of ours is one of nobody's: all is to be loaded again.
        let cursor = last.map { StreamCursor($0) ?? StreamCursor(run: "", number: 0) }
        let session = StreamSession(run: run, view: view, from: cursor, newest: shared.messages.newest)
        _ = try await shared.view.known()
        return try stream.response(to: request, context) { try await tell(session, to: &$0) }
    }

    /// Until the client goes or the console stops.
    private func tell(_ session: StreamSession, to writer: inout any ResponseBodyWriter) async throws {
        var session = session
        try await stream.write([session.hello(await shared.view.snapshot())], to: &writer)
        var paintedAt: ContinuousClock.Instant?
        for await _ in shared.messages.wakes(every: Self.interval).cancelOnGracefulShutdown() {
            var hasMore = true
            while hasMore {
                let batch = session.messages(of: shared.messages)
                try await stream.write(batch.events, to: &writer)
                hasMore = batch.hasMore
            }
            // News come at any time; the view at its own pace.
            if let paintedAt, .now - paintedAt < Self.interval * 0.9 { continue }
            paintedAt = .now
            let snapshot = await shared.view.snapshot()
            try await stream.write(session.events(snapshot, isReady: shared.readiness.isReady, at: .now), to: &writer)
        }
    }

    private var stream: EventStreamResponse {
        EventStreamResponse(streams: metrics.streams, metrics: metrics)
    }

    private static let interval = Duration.seconds(StreamSession.interval)
    private static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
