package import Messages

extension JSONWriter {
    /// Open alerts stand in it as they do in their own messages.
    package mutating func members(of state: StateMessage, _ vehicle: VehicleID, publishedAt: Timestamp) {
        member("id", state.id)
        member("sequence", state.sequence)
        member("type", "state")
        member("vehicle", vehicle.text)
        member("time", state.time)
        member("published_at", publishedAt)
        member("fences", each: state.fences) { writer, stay in
            writer.object { writer in
                writer.member("id", stay.fence)
                writer.member("since", stay.since)
            }
        }
        member("fences_as_of", state.fencesAsOf)
        member("alerts", each: state.alerts) { writer, alert in
            writer.object { $0.members(of: alert, publishedAt: publishedAt) }
        }
        member("height") { writer in
            writer.height("value", state.height)
            writer.member("source", state.heightSource)
            writer.member("status", state.heightStatus.rawValue)
        }
        member("consent", state.consent.rawValue)
        member("presence", state.presence?.rawValue)
        member("last_fix", state.lastFix)
        if let position = state.position { self.position(position) }
        member("blind", each: state.blind) { $0.string($1.rawValue) }
        if let regions = state.regions {
            member("regions") { $0.members(of: regions) }
        }
    }

    private mutating func members(of regions: StateMessage.Regions) {
        member("version", regions.version)
        name("acknowledged")
        if let acknowledged = regions.acknowledged { integer(acknowledged) } else { null() }
        member("failed", each: regions.failed) { writer, failure in
            writer.object { writer in
                writer.member("id", failure.id)
                writer.member("reason", failure.reason)
            }
        }
    }
}
