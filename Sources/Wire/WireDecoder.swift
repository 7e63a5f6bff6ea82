package import Messages

/// What a message from the broker turned out to be about one vehicle: reports for the engine, and what could not be used of
/// it.
///
/// Holds at least one of the reports, the other message and the rejections.
package struct DecodedMessage: Hashable, Sendable {
    /// Nil where the topic is nobody's, or a payload that should name the vehicle does not.
    package var address: VehicleAddress?
    package var reports: [Report]
    /// What it is where it is understood and no report.
    package var other: OtherMessage?
    package var rejected: [RejectedPart]

    package init(
        address: VehicleAddress?, reports: [Report] = [], other: OtherMessage? = nil, rejected: [RejectedPart] = []
    ) {
        self.address = address
        self.reports = reports
        self.other = other
        self.rejected = rejected
    }

    package var rejections: [InputError] { rejected.map(\.reason) }
}

/// Turns topics and payloads into reports. Keeps a parser and its buffers: one thread at a time.
package final class WireDecoder {
    /// The leaves it understands, in the order in which to subscribe to them.
    package static let topicSuffixes: [TopicSuffix] = [.consent, .profile, .route, .presence, .ack, .location]

    private let topics: InboundTopics
    private let parser = JSONParser()

    /// - Parameter inputs: further topics, none of which overlap. Each names every level that the pattern names.
    package init(pattern: TopicPattern = .standard, inputs: [FleetInput] = []) {
        topics = InboundTopics(nil, pattern: pattern, inputs: inputs)
    }

    /// Never fails: what is wrong with the message is in its rejections. In an array of fixes a bad one is rejected
    /// and the others are kept.
    ///
    /// - Parameters:
    ///   - retained: whether the broker had kept the message, so that its arrival says nothing about its time.
    ///   - receivedAt: the time of a fix that has none.
    /// - Returns: one for each vehicle that the message is about; at least one.
    package func decode(topic: String, payload: [UInt8], retained: Bool, receivedAt: Timestamp) -> [DecodedMessage] {
        decode(topics.parse(topic), payload: payload, retained: retained, receivedAt: receivedAt)
    }

    /// As above, of a topic that was read already. One of the gateway's own is no vehicle's: `unknownTopic`.
    package func decode(
        _ topic: InboundTopic, payload: [UInt8], retained: Bool, receivedAt: Timestamp
    ) -> [DecodedMessage] {
        switch topic {
        case .vehicle(let address, let topicSuffix):
            let context = PayloadContext(vehicle: address.vehicle, isRetained: retained, receivedAt: receivedAt)
            return decode(payload, topicSuffix, of: address, context)
        case .input(let match):
            return decode(payload, match, retained: retained, receivedAt: receivedAt)
        case .unknown(let rejection):
            return [DecodedMessage(address: nil, rejected: [RejectedPart(rejection)])]
        case .forget, .fence, .clearance, .result, .misnamed:
            return [DecodedMessage(address: nil, rejected: [RejectedPart(.unknownTopic)])]
        }
    }

    /// What a payload says that came without a topic, as from a recording.
    ///
    /// - Parameter vehicle: whose it is, whatever the payload says.
    package func decode(
        _ payload: [UInt8], layout: InputLayout, of vehicle: VehicleID, retained: Bool = false, receivedAt: Timestamp
    ) -> DecodedMessage {
        let context = PayloadContext(vehicle: vehicle, isRetained: retained, receivedAt: receivedAt)
        let address = VehicleAddress(vehicle: vehicle)
        return decode(payload, layout, named: address, context) { _ in address }[0]
    }

    // MARK: The fleet's own topics

    private func decode(
        _ payload: [UInt8], _ topicSuffix: TopicSuffix, of address: VehicleAddress, _ context: PayloadContext
    ) -> [DecodedMessage] {
        if topicSuffix == .location { return locations(payload, of: address, context) }
        var decoded = DecodedMessage(address: address)
        do throws(InputError) {
            guard payload.count <= WireLimits.payloadBytes else { throw .tooLarge }
            decoded.reports = [try report(topicSuffix, payload)]
        } catch {
            let part = parser.rejected(error, payload)
            decoded.rejected = [part]
            decoded.reports = RefusedReport(topicSuffix, part).map { [.refused($0)] } ?? []
        }
        return [decoded]
    }

    private func locations(
        _ payload: [UInt8], of address: VehicleAddress, _ context: PayloadContext
    ) -> [DecodedMessage] {
        do throws(InputError) {
            guard payload.count <= WireLimits.payloadBytes else { throw .tooLarge }
            return try parser.read(payload) { root throws(InputError) in
                guard root.isObject, !context.isRetained else {
                    return try PayloadReading(headroom: root, context).decoded(named: address, context) { _ in address }
                }
                // Nearly all that ever comes: the reading of other payloads would cost it a quarter of its time.
                return [DecodedMessage(address: address, reports: [.location([try Fix(headroom: root, context)])])]
            }
        } catch {
            return [DecodedMessage(address: address, rejected: [parser.rejected(error, payload)])]
        }
    }

    private func report(_ topicSuffix: TopicSuffix, _ payload: [UInt8]) throws(InputError) -> Report {
        switch topicSuffix {
        case .consent where payload.isEmpty:
            .consent(nil)
        case .consent:
            .consent(try parser.read(payload) { root throws(InputError) in try Consent(json: root) })
        case .profile where payload.isEmpty:
            .profile(nil)
        case .profile:
            .profile(try parser.read(payload) { root throws(InputError) in try HeightProfile(json: root) })
        case .route where payload.isEmpty:
            .route(nil)
        case .route:
            .route(try parser.read(payload) { root throws(InputError) in try Route(json: root) })
        case .presence where payload.isEmpty:
            .presence(nil)
        case .presence:
            .presence(try Presence(payload: payload, parser: parser))
        case .ack:
            .acknowledgement(try parser.read(payload) { root throws(InputError) in try Acknowledgement(json: root) })
        default:
            throw .unknownTopic
        }
    }

    // MARK: Inputs

    private func decode(
        _ payload: [UInt8], _ match: InputMatch, retained: Bool, receivedAt: Timestamp
    ) -> [DecodedMessage] {
        let address: (VehicleID) -> VehicleAddress = {
            VehicleAddress(vehicle: $0, levels: match.levels.levels, device: match.device)
        }
        var context = PayloadContext(vehicle: nil, isRetained: retained, receivedAt: receivedAt)
        if let template = match.input.template { (context.template, context.levels) = (template, match.levels.named) }
        do throws(InputError) {
            context.vehicle = try context.topicVehicle()
        } catch {
            return [DecodedMessage(address: nil, rejected: [RejectedPart(error)])]
        }
        return decode(payload, match.input.layout, named: context.vehicle.map(address), context, address)
    }

    /// - Parameters:
    ///   - named: whom the topic names.
    ///   - address: of a vehicle that the payload names.
    private func decode(
        _ payload: [UInt8], _ layout: InputLayout, named: VehicleAddress?, _ context: PayloadContext,
        _ address: (VehicleID) -> VehicleAddress
    ) -> [DecodedMessage] {
        do throws(InputError) {
            guard payload.count <= WireLimits.payloadBytes else { throw .tooLarge }
            let reading = try parser.read(payload) { root throws(InputError) in
                try PayloadReading(root, layout, context)
            }
            return reading.decoded(named: named, context, address)
        } catch {
            return [DecodedMessage(address: named, rejected: [parser.rejected(error, payload)])]
        }
    }
}

extension PayloadReading {
    fileprivate init(_ root: JSONValue, _ layout: InputLayout, _ context: PayloadContext) throws(InputError) {
        switch layout {
        case .headroom: try self.init(headroom: root, context)
        case .ownTracks: try self.init(ownTracks: root, context)
        case .traccar: try self.init(traccar: root, context)
        case .mapped(let mapped): try self.init(mapped: root, by: mapped, context)
        }
    }

    fileprivate func decoded(
        named: VehicleAddress?, _ context: PayloadContext, _ address: (VehicleID) -> VehicleAddress
    ) -> [DecodedMessage] {
        var decoded = parts.map { $0.decoded(address, context) }
        if let presence {
            if decoded.isEmpty { decoded = [DecodedMessage(address: named)] }
            decoded[0].reports.append(.presence(presence))
        }
        return decoded.isEmpty ? [DecodedMessage(address: named, other: other)] : decoded
    }
}

extension PayloadReading.Part {
    fileprivate func decoded(_ address: (VehicleID) -> VehicleAddress, _ context: PayloadContext) -> DecodedMessage {
        var decoded = DecodedMessage(address: vehicle.map(address), rejected: rejections)
        var fresh = fixes
        if context.isRetained {
            // What the broker kept may be where the vehicle was yesterday.
            fresh.removeAll { context.receivedAt.since($0.time) > WireLimits.retainedAgeSeconds }
            decoded.rejected += repeatElement(RejectedPart(.tooOld), count: fixes.count - fresh.count)
        }
        if !fresh.isEmpty { decoded.reports = [.location(fresh)] }
        return decoded
    }
}
