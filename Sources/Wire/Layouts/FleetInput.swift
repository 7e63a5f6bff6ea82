package import Messages

/// A subscription beside the fleet's own topics, whose payloads have a layout of their own.
package struct FleetInput: Hashable, Sendable {
    package var topic: InputTopic
    package var layout: InputLayout
    /// How the id of a vehicle is put together; nil: as the topic names it, else as the layout does.
    package var vehicle: VehicleTemplate?

    package init(topic: InputTopic, layout: InputLayout, vehicle: VehicleTemplate? = nil) {
        self.topic = topic
        self.layout = layout
        self.vehicle = vehicle
    }

    /// Nil where nothing says which vehicle it is.
    package var template: VehicleTemplate? {
        vehicle ?? (topic.namesVehicle ? .vehicleLevel : layout.vehiclePlace.map { VehicleTemplate($0) })
    }

    /// What the apps add to their topic, by what they publish there.
    static let ownTracksLeaves: Set<String> = [
        "event", "waypoint", "waypoints", "status", "info", "step", "beacon", "dump", "request",
    ]
    /// Where the apps listen.
    static let ownTracksCommandLeaf = "cmd"

    /// What to subscribe to.
    package var filters: [String] {
        guard layout == .ownTracks else { return [topic.filter] }
        return [topic.filter] + Self.ownTracksLeaves.sorted().map { "\(topic.filter)/\($0)" }
    }

    /// Whether a gateway publishes there: commands to the devices.
    package func isOutput(_ topic: String) -> Bool {
        guard layout == .ownTracks else { return false }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        return (try? self.topic.match(levels, names: []))?.rest.elementsEqual([Self.ownTracksCommandLeaf[...]]) ?? false
    }

    /// The filters, and where it publishes: no other may take that in.
    package var claims: [String] {
        layout == .ownTracks ? filters + ["\(topic.filter)/\(Self.ownTracksCommandLeaf)"] : filters
    }

    /// A fix as a device publishes it to this input; nil where no device of it can have this id.
    ///
    /// - Parameter other: stands for every level of the topic that is not part of the id and may be anything.
    package func published(
        _ fix: Fix, of vehicle: VehicleID, other: String
    ) -> (topic: String, payload: [UInt8])? {
        guard let values = template?.values(of: vehicle) else { return nil }
        let places = values.compactMap { part, value -> (JSONPointer, String)? in
            if case .place(let place) = part { (place, value) } else { nil }
        }
        let payload = layout.encoded(fix, of: vehicle, placing: places.sorted { "\($0.0)" < "\($1.0)" })
        return (topic.topic { values[.level($0)] ?? other }, payload)
    }
}

extension InputLayout {
    /// Where the layout itself has the id; nil where it has no place of its own for it.
    package var vehiclePlace: JSONPointer? {
        switch self {
        case .headroom: .headroomVehicle
        case .traccar: .traccarVehicle
        case .ownTracks, .mapped: nil
        }
    }
}

extension JSONPointer {
    static let headroomVehicle = JSONPointer(tokens: ["vehicle"])
    static let traccarVehicle = JSONPointer(tokens: ["device", "uniqueId"])
}
