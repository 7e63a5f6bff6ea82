import Broker
import Fleet
import RoadImport
import Roads
import Wire

/// Turns what arrived into inputs for the engine, and notes which retained payloads are to be kept.
///
/// A resumed session brings no retained message again, so that routes and the entries of dispatch are kept in the store as
/// they came; after a lost session the broker sends all it still has, and what is not among it is gone.
struct Intake {
    /// What one pass of the pipeline took in.
    struct Batch {
        var inputs: [Input] = []
        /// By topic, as `StoreBatch` takes them.
        var retained: [String: [UInt8]?] = [:]
        /// Entries that were not used.
        var registrations: [Registration] = []
        var rejections: [(reason: Rejection, topic: String)] = []
    }

    private let topics: GatewayTopics
    private let decoder: WireDecoder
    /// Topics with a kept payload.
    private var kept: Set<String> = []
    /// Kept topics that a new session has not brought yet; nil where no session was lost.
    private var awaited: Set<String>?

    init(_ configuration: GatewayConfiguration) {
        topics = configuration.topics
        decoder = WireDecoder(pattern: configuration.pattern)
    }

    /// What the store kept, taken up at the start; it was in force before and is in force again.
    mutating func restore(_ topic: String, _ payload: [UInt8]) -> [Input] {
        kept.insert(topic)
        var batch = Batch()
        decode(topic, payload, retained: true, at: Timestamp(milliseconds: 0), &batch)
        return batch.inputs
    }

    /// The broker has forgotten the session and begins to send what it has retained.
    mutating func sessionIsNew() { awaited = kept }

    /// The broker has sent all that it has retained: what is still awaited is there no longer.
    mutating func retainedAreComplete(at now: Timestamp, _ batch: inout Batch) {
        for topic in (awaited ?? []).sorted() { take(topic, [], retained: false, at: now, &batch) }
        awaited = nil
    }

    mutating func take(_ message: ReceivedMessage, at now: Timestamp, _ batch: inout Batch) {
        take(message.topic, message.payload, retained: message.retained, at: now, &batch)
    }

    private mutating func take(
        _ topic: String, _ payload: [UInt8], retained: Bool, at now: Timestamp, _ batch: inout Batch
    ) {
        awaited?.remove(topic)
        guard decode(topic, payload, retained: retained, at: now, &batch) else { return }
        if payload.isEmpty { kept.remove(topic) } else { kept.insert(topic) }
        batch.retained[topic] = .some(payload.isEmpty ? nil : payload)
    }

    /// - Returns: whether the payload is one to keep.
    @discardableResult
    private func decode(
        _ topic: String, _ payload: [UInt8], retained: Bool, at now: Timestamp, _ batch: inout Batch
    ) -> Bool {
        if let id = topics.clearanceID(topic) { return clearance(id, payload, topic, at: now, &batch) }
        let decoded = decoder.decode(topic: topic, payload: payload, retained: retained, receivedAt: now)
        batch.rejections += decoded.rejections.map { ($0, topic) }
        guard let address = decoded.address else { return false }
        batch.inputs += decoded.reports.map { .report($0, from: address, receivedAt: now) }
        return decoded.reports.contains { if case .route = $0 { true } else { false } }
    }

    private func clearance(
        _ id: String, _ payload: [UInt8], _ topic: String, at now: Timestamp, _ batch: inout Batch
    ) -> Bool {
        do throws(ClearanceFeatureProblem) {
            let clearance = payload.isEmpty ? nil : try PointClearance(geoJSON: payload, id: id)
            batch.inputs.append(.clearances([ClearanceChange(id: id, clearance: clearance)], at: now))
            return true
        } catch {
            batch.rejections.append((.unreadableClearance, topic))
            batch.registrations.append(Registration(.clearance, id: id, .failed(reason: "\(error)")))
            return false
        }
    }
}
