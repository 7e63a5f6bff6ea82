import Fleet
import Foundation
import Gateway
import Geo
import Messages
import Wire

/// What one stream has told and tells next. Decides; who holds it sends.
struct StreamSession {
    /// Seconds between two views of what moves.
    static let interval: Seconds = 1
    /// Between two signs of life; a little less, so that every second view has one.
    private static let pulseEvery: Duration = .seconds(1.5)
    /// Bytes of messages that are handed over at once, so that who catches up after a long absence is not handed megabytes.
    static let batchBytes = 256 << 10

    private let run: String
    /// Where it begins; nil: where the client was.
    private let start: StreamCursor?
    /// The last message that was told, or passed over.
    private var number: UInt64
    private var vehicles: VehicleLayer
    private var alerts: AlertLayer
    private var untaken = UntakenLayer()
    private var handling = HandlingLayer()
    private var map: (fences: Int, clearances: Int)?
    private var pulseAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - cursor: where the client was; nil: it begins.
    ///   - newest: the number of the newest message there is.
    init(run: String, view: StreamView, from cursor: StreamCursor?, newest: UInt64) {
        self.run = run
        start = cursor == nil ? StreamCursor(run: run, number: newest) : nil
        number = cursor.flatMap { $0.run == run ? $0.number : nil } ?? (cursor == nil ? newest : .max)
        vehicles = VehicleLayer(view)
        alerts = AlertLayer(view.units)
    }

    /// The first event. Who begins is given an id with it, and so misses no message where the connection is lost before the
    /// first one; who comes back has one.
    mutating func hello(_ snapshot: LiveSnapshot) -> ServerSentEvent {
        map = (snapshot.map.fenceRevision, snapshot.map.clearanceRevision)
        return ServerSentEvent(
            "hello", id: start?.description,
            JSONWriter.object { writer in
                writer.member("time", snapshot.time)
                writer.member("run", run)
                writer.member("revision", Int(snapshot.revision))
                writer.member("interval", Int(Self.interval))
                writer.member("map") { $0.members(ofMap: snapshot.map) }
            })
    }

    /// Messages that came since those told, or `reset` where they are here no longer.
    ///
    /// - Returns: the events, and whether there is more already.
    mutating func messages(of messages: LiveMessages) -> (events: [ServerSentEvent], hasMore: Bool) {
        guard let waiting = messages.after(number) else {
            number = messages.newest
            let data = JSONWriter.object { $0.member("run", run) }
            return ([ServerSentEvent("reset", id: StreamCursor(run: run, number: number).description, data)], false)
        }
        var events: [ServerSentEvent] = []
        var bytes = 0
        for message in waiting {
            guard bytes < Self.batchBytes else { return (events, true) }
            number = message.number
            // Of a vehicle of which nothing may be kept any more.
            guard !message.payload.isEmpty else { continue }
            bytes += message.payload.count
            let id = StreamCursor(run: run, number: number).description
            events.append(ServerSentEvent(message.kind.rawValue, id: id, message.payload))
        }
        return (events, false)
    }

    /// What holds now, as far as it is not as it was told.
    mutating func events(
        _ snapshot: LiveSnapshot, isReady: Bool, at now: ContinuousClock.Instant
    ) -> [ServerSentEvent] {
        let layers = [
            mapEvent(snapshot.map), vehicles.event(snapshot), alerts.event(snapshot), untaken.event(snapshot),
            handling.event(snapshot),
        ]
        return (layers + [pulse(snapshot, isReady: isReady, at: now)]).compactMap(\.self)
    }

    private mutating func mapEvent(_ map: MapSnapshot) -> ServerSentEvent? {
        let current = (fences: map.fenceRevision, clearances: map.clearanceRevision)
        defer { self.map = current }
        guard let told = self.map, told != current else { return nil }
        return ServerSentEvent("map", JSONWriter.object { $0.members(ofMap: map) })
    }

    private mutating func pulse(
        _ snapshot: LiveSnapshot, isReady: Bool, at now: ContinuousClock.Instant
    ) -> ServerSentEvent? {
        if let pulseAt, now - pulseAt < Self.pulseEvery { return nil }
        pulseAt = now
        return ServerSentEvent(
            "pulse",
            JSONWriter.object { writer in
                writer.member("time", snapshot.time)
                writer.member("ready", isReady)
                writer.member("broker_connected", snapshot.isConnected)
                writer.member("vehicles", snapshot.vehicles.count)
            })
    }
}

extension JSONWriter {
    /// Another number, another map.
    fileprivate mutating func members(ofMap map: MapSnapshot) {
        member("fences", map.fenceRevision)
        member("clearances", map.clearanceRevision)
    }
}
