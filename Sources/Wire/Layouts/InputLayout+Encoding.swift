import Geo
package import Messages

extension InputLayout {
    /// One fix as a device of this layout publishes it.
    ///
    /// What the layout has no member for is left out: a trigger and a region in `traccar` and `mapped`, and in `mapped` what
    /// has no pointer. What is read back lies within a centimetre, a millisecond and a tenth of a metre per second.
    ///
    /// - Parameter region: of which the fix has the key.
    package func encoded(_ fix: Fix, of vehicle: VehicleID, in region: String? = nil) -> [UInt8] {
        encoded(fix, of: vehicle, in: region, placing: [])
    }

    /// - Parameter texts: what stands at further places of the payload; those of the layout's own members are the layout's.
    func encoded(
        _ fix: Fix, of vehicle: VehicleID, in region: String? = nil, placing texts: [(place: JSONPointer, text: String)]
    ) -> [UInt8] {
        let id = texts.first { $0.place == vehiclePlace }?.text ?? vehicle.text
        return switch self {
        case .headroom: JSONWriter.object { $0.headroom(fix, id, region) }
        case .ownTracks: JSONWriter.object { $0.ownTracks(fix, region) }
        case .traccar: JSONWriter.object { $0.traccar(fix, id) }
        case .mapped(let layout): layout.encoded(fix, placing: texts)
        }
    }
}

extension JSONWriter {
    /// A millimetre.
    private static let degreeDecimals = 8

    fileprivate mutating func headroom(_ fix: Fix, _ id: String, _ region: String?) {
        member("vehicle", id)
        member("lat", fix.position.latitude, decimals: Self.degreeDecimals)
        member("lon", fix.position.longitude, decimals: Self.degreeDecimals)
        member("time", fix.time)
        known("accuracy", fix.accuracy, decimals: 2)
        known("speed", fix.speed, decimals: 3)
        known("course", fix.course, decimals: 2)
        known("altitude", fix.altitude, decimals: 2)
        member("trigger", fix.trigger.rawValue)
        if let region { member("region", region) }
    }

    /// The apps write whole seconds and kilometres an hour; here they have decimals, as other programs write them.
    fileprivate mutating func ownTracks(_ fix: Fix, _ region: String?) {
        let isTransition = fix.trigger != .interval
        member("_type", isTransition ? "transition" : "location")
        member("lat", fix.position.latitude, decimals: Self.degreeDecimals)
        member("lon", fix.position.longitude, decimals: Self.degreeDecimals)
        name("tst")
        epochSeconds(fix.time)
        known("acc", fix.accuracy, decimals: 2)
        known("vel", fix.speed.map { $0 * 3.6 }, decimals: 2)
        known("cog", fix.course, decimals: 2)
        known("alt", fix.altitude, decimals: 2)
        guard isTransition else { return }
        member("event", fix.trigger == .enter ? "enter" : "leave")
        guard let region = region.map({ OwnTracksRegion(id: $0) }) else { return }
        member("desc", region.name)
        member("rid", region.id)
        member("wtst", region.timestamp)
    }

    /// Traccar writes 0 where nothing is known.
    fileprivate mutating func traccar(_ fix: Fix, _ id: String) {
        member("position") { writer in
            writer.member("fixTime", fix.time)
            writer.member("deviceTime", fix.time)
            writer.member("valid", true)
            writer.member("outdated", false)
            writer.member("latitude", fix.position.latitude, decimals: Self.degreeDecimals)
            writer.member("longitude", fix.position.longitude, decimals: Self.degreeDecimals)
            writer.member("altitude", fix.altitude ?? 0, decimals: 2)
            writer.member("speed", (fix.speed ?? 0) / MappedLayout.Unit.knots.factor, decimals: 3)
            writer.member("course", fix.course ?? 0, decimals: 2)
            writer.member("accuracy", fix.accuracy ?? 0, decimals: 2)
            writer.member("attributes") { _ in }
        }
        member("device") { $0.member("uniqueId", id) }
    }

    /// Nothing where it is not known.
    private mutating func known(_ name: StaticString, _ value: Double?, decimals: Int) {
        if let value { member(name, value, decimals: decimals) }
    }

    /// Exact to the millisecond.
    mutating func epochSeconds(_ time: Timestamp) { fixed(Int(time.milliseconds), decimals: 3) }
}
