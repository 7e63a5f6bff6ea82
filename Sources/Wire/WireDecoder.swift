public import Fleet

/// What a message from the broker turned out to be: reports for the engine, and what could not be used of it.
///
/// A message yields at least one of the two.
public struct DecodedMessage: Hashable, Sendable {
    /// Nil where the topic is nobody's.
    public var address: VehicleAddress?
    public var reports: [Report]
    public var rejections: [Rejection]

    public init(address: VehicleAddress?, reports: [Report] = [], rejections: [Rejection] = []) {
        self.address = address
        self.reports = reports
        self.rejections = rejections
    }
}

/// Turns topics and payloads into reports. Keeps a parser and its buffers: one thread at a time.
public final class WireDecoder {
    /// The leaves it understands, in the order in which to subscribe to them.
    public static let leaves: [Leaf] = [.consent, .profile, .route, .presence, .ack, .location]

    private let pattern: TopicPattern
    private let parser = JSONParser()

    public init(pattern: TopicPattern = .standard) {
        self.pattern = pattern
    }

    /// Never fails: what is wrong with the message is in its rejections. In an array of fixes a bad one is rejected
    /// and the others are kept.
    ///
    /// - Parameters:
    ///   - retained: whether the broker had kept the message, so that its arrival says nothing about its time.
    ///   - receivedAt: the time of a fix that has none.
    public func decode(topic: String, payload: [UInt8], retained: Bool, receivedAt: Timestamp) -> DecodedMessage {
        var decoded = DecodedMessage(address: nil)
        do throws(Rejection) {
            let (address, leaf) = try pattern.parse(topic)
            decoded.address = address
            guard payload.count <= WireLimits.payloadBytes else { throw .tooLarge }
            if leaf == .location {
                let read = try locations(payload, retained: retained, receivedAt: receivedAt)
                decoded.reports = read.fixes.isEmpty ? [] : [.location(read.fixes)]
                decoded.rejections = read.rejections
            } else {
                decoded.reports = [try report(leaf, payload)]
            }
        } catch {
            decoded.rejections.append(error)
        }
        return decoded
    }

    private func locations(
        _ payload: [UInt8], retained: Bool, receivedAt: Timestamp
    ) throws(Rejection) -> HeadroomFixes {
        var read = try parser.read(payload) { root throws(Rejection) in
            try HeadroomFixes(root, retained: retained, receivedAt: receivedAt)
        }
        guard retained else { return read }
        // What the broker kept may be where the vehicle was yesterday.
        let old = read.fixes.filter { receivedAt.since($0.time) > WireLimits.retainedAgeSeconds }
        read.fixes.removeAll { old.contains($0) }
        read.rejections += old.map { _ in .tooOld }
        return read
    }

    private func report(_ leaf: Leaf, _ payload: [UInt8]) throws(Rejection) -> Report {
        switch leaf {
        case .consent where payload.isEmpty:
            .consent(nil)
        case .consent:
            .consent(try parser.read(payload) { root throws(Rejection) in try Consent(json: root) })
        case .profile where payload.isEmpty:
            .profile(nil)
        case .profile:
            .profile(try parser.read(payload) { root throws(Rejection) in try HeightProfile(json: root) })
        case .route where payload.isEmpty:
            .route(nil)
        case .route:
            .route(try parser.read(payload) { root throws(Rejection) in try Route(json: root) })
        case .presence where payload.isEmpty:
            .presence(nil)
        case .presence:
            .presence(try Presence(payload: payload, parser: parser))
        case .ack:
            .acknowledgement(try parser.read(payload) { root throws(Rejection) in try Acknowledgement(json: root) })
        default:
            throw .unknownTopic
        }
    }
}
