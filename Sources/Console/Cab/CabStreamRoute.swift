import Gateway
import Hummingbird
import Messages
import ServiceLifecycle
import Store
import Wire

/// `GET /api/v1/cab/stream`: what a paired phone is told of its vehicle, whenever that has changed.
///
/// A message about the vehicle is there as soon as it is committed; what else has changed once a second. The stream ends where
/// the phone's token does.
struct CabStreamRoute {
    let view: LiveView
    let fleetLanguage: Language
    let messages: LiveMessages
    let access: CabAccess
    let metrics: ConsoleMetrics

    /// Between two looks at what has changed and whether the token still holds.
    private static let interval = Duration.seconds(1)

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("cab/stream") { request, context in
            _ = try RequestQuery(request, [])
            let token = try context.pairedCab
            return try stream.response(to: request, context) { try await tell(token, to: &$0) }
        }
    }

    private var stream: EventStreamResponse {
        EventStreamResponse(streams: metrics.cabStreams, metrics: metrics)
    }

    private func tell(_ token: CabToken, to writer: inout any ResponseBodyWriter) async throws {
        let summary = CabSummary(vehicle: token.vehicle, view: view, fleetLanguage: fleetLanguage)
        var number = messages.newest
        var told: [UInt8] = []
        var lookedAt: ContinuousClock.Instant?
        for await _ in messages.wakes(every: Self.interval).cancelOnGracefulShutdown() {
            guard access.holds(token, at: .now) else { return }
            let own = news(of: token.vehicle, after: &number)
            if own.isEmpty, let lookedAt, .now - lookedAt < Self.interval * 0.9 { continue }
            lookedAt = .now
            // What was committed with the message is told with it.
            let now = try await summary.json(noOlderThan: own.isEmpty ? LiveView.ageMax : .zero)
            let changed = now == told ? [] : [ServerSentEvent("cab", now)]
            told = now
            // A sign of life in each second: who hears none for some has lost the connection.
            let events = own + changed
            try await stream.write(events.isEmpty ? [ServerSentEvent("pulse", Array("{}".utf8))] : events, to: &writer)
        }
    }

    /// What was said to the vehicle since, as published.
    private func news(of vehicle: VehicleID, after number: inout UInt64) -> [ServerSentEvent] {
        guard let waiting = messages.after(number) else {
            number = messages.newest
            return []
        }
        number = waiting.last?.number ?? number
        // Of a vehicle of which nothing may be kept any more the payload is empty.
        return waiting.filter { $0.vehicle == vehicle && !$0.payload.isEmpty && Self.kinds.contains($0.kind) }.map {
            ServerSentEvent($0.kind.rawValue, $0.payload)
        }
    }

    private static let kinds: Set<LiveMessage.Kind> = [.alert, .request, .routeCheck]
}
