import AsyncAlgorithms
import Gateway
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer that goes on as server-sent events until the client goes, the console stops or `tell` returns.
///
/// Nothing waits in a queue of its own; a client that does not read at all is let go by `SlowConsumerTimeout`.
struct EventStreamResponse {
    let streams: OpenStreams
    let metrics: ConsoleMetrics

    /// - Throws: 503 where as many streams are open as may be, by all or by the client's address.
    func response(
        to request: Request, _ context: ConsoleContext,
        tell: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) throws(HTTPError) -> Response {
        let permit = try permit(of: context.remoteAddress?.peer)
        return Response(
            status: .ok, headers: [.contentType: Self.contentType, Self.buffering: "no"],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(permit) {} }
                // Who goes gives his seat back at once, not when writing to him has failed.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await tell(&writer)
                }
                try await writer.finish(nil)
            })
    }

    private func permit(of peer: [UInt8]?) throws(HTTPError) -> OpenStreams.Permit {
        do throws(OpenStreams.LimitError) {
            return try streams.permit(of: peer)
        } catch {
            let message =
                switch error {
                case .all(let max): "\(max) streams are open already; close one."
                case .ofPeer(let max): "\(max) streams of this address are open already; close one."
                }
            throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "10"], message: message)
        }
    }

    func write(_ events: [ServerSentEvent], to writer: inout any ResponseBodyWriter) async throws {
        guard !events.isEmpty else { return }
        var buffer = ByteBuffer()
        for event in events { event.write(into: &buffer) }
        metrics.sentBytes.add(buffer.readableBytes)
        try await writer.write(buffer)
    }

    static let contentType = "text/event-stream"
    /// Asks a proxy of the nginx family not to hold events back.
    private static let buffering = HTTPField.Name("X-Accel-Buffering")!
}

extension LiveMessages {
    /// At once, then whenever something was said, and after each interval in any case.
    func wakes(every interval: Duration) -> some AsyncSequence<Void, Never> & Sendable {
        let ticks = AsyncTimerSequence(interval: interval, clock: .continuous).map { _ in () }
        return chain([()].async, merge(ticks, news()))
    }
}
