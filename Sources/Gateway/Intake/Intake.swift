package import Broker
import Clearances
import Fleet
package import Messages
import Roads
package import Wire

/// A message from the broker, or a part of one, that was not used.
package struct RejectedInput: Sendable {
    package var reason: InputError
    package var topic: String
    /// What the topic carries, such as `location`.
    package var source: String
    /// Nil where nobody can tell.
    package var vehicle: VehicleID?
    /// What exactly, where the reason does not say all.
    package var problem: ReadingProblem?
    /// Whether other parts of its message are used.
    package var isPart: Bool

    init(
        _ reason: InputError, _ topic: String, source: String, vehicle: VehicleID? = nil,
        _ problem: ReadingProblem? = nil, isPart: Bool = false
    ) {
        (self.reason, self.topic, self.source, self.vehicle, self.problem) = (reason, topic, source, vehicle, problem)
        self.isPart = isPart
    }
}

/// Turns what arrived into inputs for the engine, and notes which retained payloads are to be kept.
///
/// A resumed session brings no retained message again, and a broker may lose what it retains, so that the retained inputs
/// of vehicles and dispatch are kept in the store as they came. Only an empty payload removes one.
package struct Intake {
    /// What one pass of the pipeline took in.
    package struct Batch {
        package var inputs: [Input] = []
        /// Reports of kept vehicles that wait for what the broker retains about them.
        var held: [Input] = []
        /// Vehicles whose reports were stored as held by earlier turns, and are among `inputs` or refused now.
        var released: [VehicleID] = []
        /// Payloads to keep, nil where a topic was emptied, none where the gateway empties it; those of a vehicle only as long as
        /// it may be kept.
        var retained: [(topic: String, payload: [UInt8]?, vehicle: VehicleID?)] = []
        /// Entries that were not used.
        package var registrations: [Registration] = []
        /// To requests to forget a vehicle that were not used.
        var answers: [ForgetAnswer] = []
        package var rejections: [RejectedInput] = []
        /// What was found out about the broker, where that is new.
        var delivery: RetainedDelivery?
        /// How far what the broker retains is compared with what is kept, where that has changed.
        var review: RetainedInputs.Review?
        /// Vehicles about which all that the gateway retains is published again.
        var publishedAgain: [VehicleID] = []
        /// Whether retained inputs have come that are kept already.
        var hasKeptInputs = false
        /// Messages that say nothing about where a vehicle is.
        package var others: [OtherMessage] = []

        package init() {}

        /// An entry of dispatch that was not used.
        ///
        /// - Parameter isCounted: every shard has it, and one counts it.
        fileprivate mutating func refuse(_ registration: Registration, _ topic: String, isCounted: Bool) {
            registrations.append(registration)
            guard isCounted else { return }
            let isFence = registration.kind == .fence
            var problem: ReadingProblem?
            if case .failed(let reason) = registration.outcome { problem = ReadingProblem(reason) }
            rejections.append(
                RejectedInput(
                    isFence ? .unreadableFence : .unreadableClearance, topic, source: registration.kind.rawValue,
                    problem))
        }
    }

    private let topics: InboundTopics
    private let decoder: WireDecoder
    private let place: ShardPlace

    package init(_ configuration: GatewayConfiguration) {
        topics = InboundTopics(configuration.topics, pattern: configuration.pattern, inputs: configuration.inputs)
        decoder = WireDecoder(pattern: configuration.pattern, inputs: configuration.inputs)
        place = configuration.place
    }

    /// What the store kept, taken up at the start; it was in force before and is in force again.
    func restore(_ topic: String, _ payload: [UInt8]) -> [Input] {
        // The gateway itself has emptied the topic, since another one has what is in force.
        guard !payload.isEmpty else { return [] }
        var batch = Batch()
        decode(topic, payload, retained: true, at: Timestamp(milliseconds: 0), &batch)
        return batch.inputs
    }

    /// Whether a message says where its vehicle is and nothing else, so that a newer one can stand for it: not a buffered
    /// upload, and not one of another layout, which may tell more.
    func isFix(_ message: ReceivedMessage) -> Bool {
        guard !message.retained, message.payload.first == UInt8(ascii: "{"),
            case .vehicle(_, .location) = topics.parse(message.topic)
        else { return false }
        return true
    }

    /// What a message changes that concerns more than one vehicle, or takes back; nil: nothing.
    func entryKind(_ message: ReceivedMessage) -> Registration.Kind? { topics.entryKind(message.topic) }

    /// The vehicle that a fix of a certain topic is of.
    func reporter(_ topic: String) -> VehicleID? {
        if case .vehicle(let address, _) = topics.parse(topic) { address.vehicle } else { nil }
    }

    /// - Parameters:
    ///   - now: when it arrived.
    ///   - batch: where what it says is added.
    package func take(_ message: ReceivedMessage, at now: Timestamp, _ batch: inout Batch) {
        let (topic, payload) = (message.topic, message.payload)
        guard
            case .keep(let vehicle) = decode(
                topic, payload, retained: message.retained, of: message.vehicle, at: now, &batch)
        else {
            return
        }
        batch.retained.append((topic, payload.isEmpty ? nil : payload, vehicle))
    }

    /// What was kept of the vehicle is let go of here; what it said before in this batch, too.
    private func forget(
        _ id: String, _ payload: [UInt8], _ topic: String, retained: Bool, _ batch: inout Batch
    ) {
        // Who takes back a request that was retained by mistake asks for nothing.
        guard !payload.isEmpty else { return }
        do throws(InputError) {
            // It would come again with each new session, and forget who is back since.
            guard !retained else { throw .retainedRequest }
            let request = try ForgetRequest(vehicle: id, payload: payload)
            batch.retained.removeAll { $0.vehicle == request.vehicle }
            batch.inputs.append(.forget(request))
        } catch {
            batch.rejections.append(RejectedInput(error, topic, source: "forget", vehicle: VehicleID(id)))
            batch.answers.append(ForgetAnswer(vehicle: id, request: nil, .failed(reason: error.rawValue)))
        }
    }

    private enum Verdict {
        /// The payload is one to keep; of a vehicle, or of dispatch.
        case keep(VehicleID?)
        case pass
    }

    @discardableResult
    private func decode(
        _ topic: String, _ payload: [UInt8], retained: Bool, of vehicle: String? = nil, at now: Timestamp,
        _ batch: inout Batch
    ) -> Verdict {
        let inbound = topics.parse(topic)
        switch inbound {
        case .forget(let id): forget(id, payload, topic, retained: retained, &batch)
        case .clearance(let id): return clearance(id, payload, topic, at: now, &batch)
        case .fence(let id): return fence(id, payload, topic, at: now, &batch)
        case .misnamed(let answer): if !payload.isEmpty { refuse(answer, topic, &batch) }
        case .result: break
        case .vehicle, .input, .unknown:
            return reports(inbound, payload, topic, retained: retained, of: vehicle, at: now, &batch)
        }
        return .pass
    }

    private func reports(
        _ inbound: InboundTopic, _ payload: [UInt8], _ topic: String, retained: Bool, of vehicle: String?,
        at now: Timestamp, _ batch: inout Batch
    ) -> Verdict {
        let decoded = decoder.decode(inbound, payload: payload, retained: retained, receivedAt: now)
        for message in decoded where isOwn(message, of: vehicle) { take(message, inbound, topic, at: now, &batch) }
        guard case .vehicle(let address, let topicSuffix) = inbound, TopicSuffix.retainedInputs.contains(topicSuffix),
            let message = decoded.first, message.reports.contains(where: { $0.retainedSuffix != nil })
        else { return .pass }
        return .keep(address.vehicle)
    }

    private func refuse(_ registration: Registration, _ topic: String, _ batch: inout Batch) {
        batch.refuse(registration, topic, isCounted: place.speaksForFleet)
    }

    /// What names no vehicle is counted by one shard.
    private func isOwn(_ message: DecodedMessage, of vehicle: String?) -> Bool {
        guard let address = message.address else { return place.hasUnaddressed }
        return place.owns(address.vehicle) && vehicle.map { $0 == address.vehicle.text } ?? true
    }

    private func take(
        _ message: DecodedMessage, _ inbound: InboundTopic, _ topic: String, at now: Timestamp, _ batch: inout Batch
    ) {
        if !message.rejected.isEmpty {
            let source = inbound.source ?? "message"
            let isUsed = message.reports.contains { if case .refused = $0 { false } else { true } }
            batch.rejections += message.rejected.map {
                RejectedInput(
                    $0.reason, topic, source: source, vehicle: message.address?.vehicle, $0.problem, isPart: isUsed)
            }
        }
        if let other = message.other { batch.others.append(other) }
        guard let address = message.address else { return }
        batch.inputs += message.reports.map { .report($0, from: address, receivedAt: now) }
    }

    private func fence(
        _ id: String, _ payload: [UInt8], _ topic: String, at now: Timestamp, _ batch: inout Batch
    ) -> Verdict {
        do throws(GeoJSONError) {
            let fence = payload.isEmpty ? nil : try Fence(geoJSON: payload, id: id)
            let unknown = Fence.unknownMembers(inGeoJSON: payload)
            batch.inputs.append(.fences([FenceChange(id: id, fence: fence, unknown: unknown)], at: now))
            return .keep(nil)
        } catch {
            refuse(Registration(.fence, id: id, .failed(reason: "\(error)")), topic, &batch)
            return .pass
        }
    }

    private func clearance(
        _ id: String, _ payload: [UInt8], _ topic: String, at now: Timestamp, _ batch: inout Batch
    ) -> Verdict {
        do throws(GeoJSONError) {
            let clearance = payload.isEmpty ? nil : try PointClearance(geoJSON: payload, id: id)
            if let end = clearance?.expiry, end <= now {
                let text = "expected a time that is still to come, got \(RFC3339.text(end))"
                throw GeoJSONError("properties.valid_until", text)
            }
            let unknown = PointClearance.unknownMembers(inGeoJSON: payload)
            batch.inputs.append(
                .clearances([ClearanceChange(id: id, clearance: clearance, unknown: unknown)], at: now))
            return .keep(nil)
        } catch {
            refuse(Registration(.clearance, id: id, .failed(reason: "\(error)")), topic, &batch)
            return .pass
        }
    }
}

extension Report {
    /// On which topic a vehicle or dispatch retains it; nil: on none.
    var retainedSuffix: TopicSuffix? {
        switch self {
        case .consent: .consent
        case .profile: .profile
        case .route: .route
        case .presence: .presence
        case .location, .acknowledgement, .refused: nil
        }
    }

    var isLocation: Bool { if case .location = self { true } else { false } }
    var hasFixes: Bool { if case .location(let fixes) = self { !fixes.isEmpty } else { false } }
}
