import Geo
import Roads

/// Vehicles as versions before `KeptFormat.first` kept them, as JSON: what those did not know is as with a vehicle that is
/// new.
///
/// The compiler's own decoding calls these for members of these types.
extension KeyedDecodingContainer {
    func decode(_ type: Guidance.Type, forKey key: Key) throws -> Guidance {
        try decodeIfPresent(type, forKey: key) ?? Guidance()
    }

    func decode(_ type: OrderedFixes.Type, forKey key: Key) throws -> OrderedFixes {
        try decodeIfPresent(type, forKey: key) ?? OrderedFixes()
    }

    func decode(_ type: FenceStanding.Type, forKey key: Key) throws -> FenceStanding {
        try decodeIfPresent(type, forKey: key) ?? FenceStanding()
    }

    func decode(_ type: QuietStanding.Type, forKey key: Key) throws -> QuietStanding {
        try decodeIfPresent(type, forKey: key) ?? QuietStanding()
    }

    func decode(_ type: RegionStanding.Type, forKey key: Key) throws -> RegionStanding {
        try decodeIfPresent(type, forKey: key) ?? RegionStanding()
    }

    func decode(_ type: VisitTracker.Type, forKey key: Key) throws -> VisitTracker {
        try decodeIfPresent(type, forKey: key) ?? VisitTracker()
    }

    /// Nobody could refuse when states were published without it.
    func decode(_ type: Consent.Status.Type, forKey key: Key) throws -> Consent.Status {
        try decodeIfPresent(type, forKey: key) ?? .always
    }

    func decode(_ type: [QuietedAlert].Type, forKey key: Key) throws -> [QuietedAlert] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    func decode(_ type: [FenceStay].Type, forKey key: Key) throws -> [FenceStay] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

extension OpenAlert {
    private enum CodingKeys: String, CodingKey {
        case subject, last, idleSince, idleAt, wentUnder, acknowledged, toldAt
        /// Until subjects there was the entry alone, and whether the height was known.
        case entry, kind
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let subject = try container.decodeIfPresent(Subject.self, forKey: .subject) {
            self.subject = subject
        } else {
            let entry = try container.decode(EdgeKey.self, forKey: .entry)
            let isUnknown = try container.decodeIfPresent(String.self, forKey: .kind) == "unknown"
            subject = isUnknown ? .unknownEntry(entry) : .entry(entry)
        }
        last = try container.decode(AlertMessage.self, forKey: .last)
        idleSince = try container.decodeIfPresent(Timestamp.self, forKey: .idleSince)
        idleAt = try container.decodeIfPresent(Standstill.self, forKey: .idleAt)
        wentUnder = try container.decode(Bool.self, forKey: .wentUnder)
        acknowledged = try container.decodeIfPresent(Int.self, forKey: .acknowledged)
        toldAt = try container.decodeIfPresent(Coordinate.self, forKey: .toldAt)
    }
}
