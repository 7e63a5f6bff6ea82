import Geo
package import Messages
package import MQTT

/// What OwnTracks apps are told beside the fleet's own messages, on the `cmd` topic below theirs (booklet, "JSON").
extension WireEncoder {
    /// Nil for a vehicle without such a device, and for what the apps cannot take up.
    ///
    /// Regions go out as waypoints to both apps; alerts that call for action as a notification, which iOS shows and Android
    /// passes over.
    package func command(_ envelope: Envelope, publishedAt: Timestamp) -> Publication? {
        guard let topic = commandTopic(envelope.address) else { return nil }
        let payload: [UInt8]
        switch envelope.message {
        case .alert(let alert) where alert.stage.callsForAction: payload = Self.notification(alert.text)
        case .regions(let regions): payload = Self.waypoints(regions)
        case .alert, .routeCheck, .event, .visit, .state, .tracking, .request: return nil
        }
        return Publication(
            topic: topic, json: payload, expirySeconds: envelope.message.expirySeconds(publishedAt: publishedAt),
            userProperties: [.init("type", "cmd")])
    }

    /// Where the device of a vehicle listens.
    package func commandTopic(_ address: VehicleAddress) -> String? {
        address.device.map { "\($0)/\(FleetInput.ownTracksCommandLeaf)" }
    }

    private static func notification(_ text: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("_type", "cmd")
            writer.member("action", "action")
            writer.member("notification", text)
        }
    }

    /// The whole set, since a device that missed one command must not miss what it said for ever; and before it what is to
    /// go, since iOS watches no more than twenty.
    private static func waypoints(_ regions: RegionsMessage) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("_type", "cmd")
            writer.member("action", "setWaypoints")
            writer.member("waypoints") { writer in
                writer.member("_type", "waypoints")
                writer.name("waypoints")
                writer.array(regions.removed.map { ($0, nil) } + regions.regions.map { ($0.id, $0) }) { writer, entry in
                    writer.object { $0.waypoint(OwnTracksRegion(id: entry.0), entry.1) }
                }
            }
        }
    }
}

extension AlertMessage.Stage {
    fileprivate var callsForAction: Bool {
        switch self {
        case .ahead, .detour, .stop: true
        case .cleared, .passed: false
        }
    }
}

extension JSONWriter {
    /// Off the globe, which is how both apps are told to remove a waypoint.
    private static let nowhere = -1_000_000

    /// - Parameter region: nil: it is to be removed.
    fileprivate mutating func waypoint(_ name: OwnTracksRegion, _ region: Region?) {
        member("_type", "waypoint")
        member("rid", name.id)
        member("desc", name.name)
        // Whole numbers, as Android reads nothing else.
        member("tst", name.timestamp)
        if let circle = region?.circle {
            member("lat", circle.center.latitude, decimals: 7)
            member("lon", circle.center.longitude, decimals: 7)
            member("rad", Int(circle.radius.rounded(.up)))
        } else {
            member("lat", Self.nowhere)
            member("lon", Self.nowhere)
            member("rad", 0)
        }
    }
}
