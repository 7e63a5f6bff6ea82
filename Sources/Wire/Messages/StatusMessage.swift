package import MQTT

/// Whether the gateway is there: published retained at the start and at a clean stop, and left with the broker as the
/// will.
package struct StatusMessage: Hashable, Sendable {
    package enum Status: String, Sendable {
        case online, offline
    }

    /// The version of the contract; changes when a member is renamed or changes its unit.
    package static let contract = 1

    package var status: Status
    /// The version of the program.
    package var version: String

    package init(_ status: Status, version: String) {
        self.status = status
        self.version = version
    }

    package func encoded(on topics: GatewayTopics) -> Publication {
        let payload = JSONWriter.object { writer in
            writer.member("status", status.rawValue)
            writer.member("contract", Self.contract)
            writer.member("version", version)
        }
        return Publication(
            topic: topics.status, json: payload, retain: true, userProperties: [.init("type", "status")])
    }
}
