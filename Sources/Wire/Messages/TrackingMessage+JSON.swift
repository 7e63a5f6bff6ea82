import Geo
package import Messages

extension JSONWriter {
    /// As the AsyncAPI document describes it.
    package mutating func members(of tracking: TrackingMessage, _ vehicle: VehicleID, publishedAt: Timestamp) {
        member("id", tracking.id)
        member("sequence", 1)
        member("type", "tracking")
        member("vehicle", vehicle.text)
        member("time", tracking.time)
        member("published_at", publishedAt)
        member("version", tracking.version)
        name("quiet")
        if let quiet = tracking.quiet {
            object { writer in
                writer.position(quiet.center)
                writer.member("radius", quiet.radius, decimals: 1)
            }
        } else {
            null()
        }
        member("report_interval", tracking.reportInterval, decimals: 1)
        member("valid_until", tracking.validUntil)
    }
}
