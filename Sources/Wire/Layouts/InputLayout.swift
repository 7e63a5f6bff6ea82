/// How the payloads of a subscription are written.
package enum InputLayout: Hashable, Sendable {
    /// The gateway's own layout of fixes. Where the topic names no vehicle, the member `vehicle` of each fix does.
    case headroom
    /// What the OwnTracks apps publish, location or not.
    case ownTracks
    /// Traccar's JSON forwarding. Where the topic names no vehicle, the device's unique id does.
    case traccar
    /// Any other JSON.
    case mapped(MappedLayout)
}

/// A message that is understood, and says nothing about where a vehicle is. The raw value is the label in
/// `headroom_other_messages_total`.
package enum OtherMessage: String, CaseIterable, Sendable {
    // OwnTracks, by its `_type`.
    case beacon, card, cmd, configuration, dump, request, status, steps, waypoint, waypoints
    /// Traccar: something it noticed itself.
    case event
    /// Traccar: the device is there and has no new position.
    case lastKnownPosition = "last-known-position"
}
