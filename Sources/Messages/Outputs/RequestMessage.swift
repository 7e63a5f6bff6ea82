/// Asks the driver for something.
public struct RequestMessage: Hashable, Sendable, Codable {
    public enum Kind: String, CaseIterable, Sendable, Codable {
        case heightRequired = "height-required"
        case heightStale = "height-stale"
        case consentRequired = "consent-required"
    }

    public var id: String
    public var kind: Kind
    public var time: Timestamp
    public var text: String

    public init(id: String, kind: Kind, time: Timestamp, text: String) {
        self.id = id
        self.kind = kind
        self.time = time
        self.text = text
    }
}
