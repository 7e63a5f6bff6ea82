import Messages

extension JSONWriter {
    /// As the AsyncAPI document describes it.
    mutating func members(of event: FenceEventMessage, _ vehicle: VehicleID, publishedAt: Timestamp) {
        member("id", event.id)
        member("sequence", 1)
        member("type", "fence")
        member("event", event.event.rawValue)
        member("state", event.state.rawValue)
        member("vehicle", vehicle.text)
        member("time", event.time)
        member("published_at", publishedAt)
        member("fence") { writer in
            writer.member("id", event.fence)
            writer.member("name", event.fenceName)
        }
        position(event.position)
        member("crossed_at", event.crossedAt)
        member("interpolated", event.isInterpolated)
        member("through", event.isThrough)
        if event.isDwellRetracted { member("dwell_retracted", true) }
    }
}
