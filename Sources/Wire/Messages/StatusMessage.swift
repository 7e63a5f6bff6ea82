public import MQTT

/// Whether the gateway is there: published retained at the start and at a clean stop, and left with the broker as the
/// will.
public struct StatusMessage: Hashable, Sendable {
    public enum Status: String, Sendable {
        case online, offline
    }

    /// The version of the contract; changes when a member is renamed or changes its unit.
    public static let contract = 1

    public var status: Status
    /// The version of the program.
    public var version: String

    public init(_ status: Status, version: String) {
        self.status = status
        self.version = version
    }

    public func encoded(on topics: GatewayTopics) -> Publication {
        let payload = JSONWriter.object { writer in
            writer.member("status", status.rawValue)
            writer.member("contract", Self.contract)
            writer.member("version", version)
        }
        return Publication(
            topic: topics.status, json: payload, retain: true, userProperties: [.init("type", "status")])
    }
}
