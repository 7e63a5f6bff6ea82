package import Geo
package import Messages

extension JSONWriter {
    /// As the AsyncAPI document describes it.
    package mutating func members(of alert: AlertMessage, publishedAt: Timestamp) {
        member("id", alert.id)
        member("sequence", alert.sequence)
        member("type", "low-clearance")
        member("stage", alert.stage.rawValue)
        member("attention", alert.attention.rawValue)
        member("probability", alert.probability, decimals: 3)
        member("vehicle", alert.vehicle.text)
        member("time", alert.time)
        member("published_at", publishedAt)
        member("expires_at", alert.expiresAt)
        member("clearance") { $0.members(of: alert.clearance) }
        height("vehicle_height", alert.vehicleHeight)
        name("margin")
        margin(alert.margin)
        member("height_source", alert.heightSource)
        member("distance", alert.distance, decimals: 1)
        member("eta", alert.eta, decimals: 1)
        member("side_road", alert.sideRoad)
        name("detour")
        if let detour = alert.detour { object { $0.members(of: detour) } } else { null() }
        member("chain", each: alert.chain) { $0.string($1) }
        cap(alert)
        member("text", alert.text)
    }

    private mutating func cap(_ alert: AlertMessage) {
        member("urgency", alert.urgency.rawValue)
        member("severity", alert.severity.rawValue)
        member("certainty", alert.certainty.rawValue)
        if let reason = alert.reason { member("reason", reason.rawValue) }
    }

    /// The members of an alert's `clearance`.
    package mutating func members(of clearance: AlertMessage.Clearance) {
        member("id", clearance.id)
        member("name", clearance.name)
        height("height", clearance.height)
        member("posted", clearance.posted)
        member("source", clearance.source)
        member("verdict", clearance.verdict.rawValue)
        position(clearance.position)
    }

    private mutating func members(of detour: AlertMessage.Detour) {
        position(detour.position)
        member("distance", detour.distance, decimals: 1)
        member("turn_onto", detour.turnOnto)
        member("length", detour.length, decimals: 1)
        member("extra", detour.extra, decimals: 1)
        member("line") { $0.members(ofLine: detour.line) }
    }

    /// A GeoJSON LineString.
    package mutating func members(ofLine points: [Coordinate]) {
        member("type", "LineString")
        member("coordinates", each: points) { writer, point in
            writer.array([point.longitude, point.latitude]) { $0.degrees($1) }
        }
    }

    /// Rounded up to a millimetre: the default, 3 in, goes out as 0.077.
    package mutating func margin(_ margin: Metres) {
        // A margin beyond any vehicle is none that came through settings or a profile.
        guard (0...WireLimits.heightMetres).contains(margin) else { return number(margin, decimals: 3) }
        fixed(margin.roundedUp(perMetre: 1000), decimals: 3)
    }

    /// `lat` and `lon`.
    package mutating func position(_ position: Coordinate) {
        name("lat")
        degrees(position.latitude)
        name("lon")
        degrees(position.longitude)
    }

    /// Seven decimals are a centimetre.
    package mutating func degrees(_ degrees: Degrees) {
        number(degrees, decimals: 7)
    }
}

extension JSONWriter {
    /// Metres, from whole centimetres.
    package mutating func height(_ name: StaticString, _ height: Centimetres?) {
        self.name(name)
        if let height { fixed(height, decimals: 2) } else { null() }
    }
}
