import Geo
import Messages

extension PayloadReading {
    /// What the OwnTracks apps publish (booklet, "JSON"): told apart by `_type`.
    ///
    /// The apps say by their will that they are gone, and nothing when they are back: that is to be seen from a location
    /// that comes as it is sent. Throws `encrypted` where the app encrypts, and `unknownMessageType`.
    init(ownTracks object: JSONValue, _ context: PayloadContext) throws(InputError) {
        guard object.isObject else { throw object.notAnObject() }
        guard let type = try object.text("_type", atMost: WireLimits.nameCharacters) else {
            throw object.missing("_type", expected: "a type such as location")
        }
        switch type {
        case "location":
            add(try Fix(ownTracks: object, context), of: try context.vehicle(in: object))
            presence = context.isRetained ? nil : .online
        case "transition":
            var fix = try Fix(ownTracks: object, context)
            (fix.trigger, fix.region) = (try object.transitionTrigger(), try object.transitionRegion())
            add(fix, of: try context.vehicle(in: object))
            presence = context.isRetained ? nil : .online
        case "lwt": presence = .offline
        case "encrypted": throw .encrypted
        default:
            guard let kind = OtherMessage(rawValue: type), OtherMessage.ownTracks.contains(kind) else {
                throw (object["_type"] ?? object).refused(
                    .unknownMessageType, at: "_type", expected: "a type such as location")
            }
            other = kind
        }
    }
}

extension OtherMessage {
    fileprivate static let ownTracks: Set<OtherMessage> = [
        .beacon, .card, .cmd, .configuration, .dump, .request, .status, .steps, .waypoint, .waypoints,
    ]
}

extension Fix {
    /// Numbers may be texts, as the apps and trackers of earlier years wrote them. An accuracy, speed or course below 0 is
    /// not known, and neither is an accuracy of 0.
    fileprivate init(ownTracks object: JSONValue, _ context: PayloadContext) throws(InputError) {
        self.init(
            position: Coordinate(
                latitude: try object.requiredNumeral("lat", in: -90...90),
                longitude: try object.requiredNumeral("lon", in: -180...180)),
            time: try context.time(try object.epochSeconds("tst")),
            accuracy: try object.numeral("acc").flatMap { $0 > 0 ? $0 : nil },
            speed: try object.numeral("vel").flatMap { $0 >= 0 ? $0 / 3.6 : nil },
            course: try object.numeral("cog", in: -360...360).flatMap { $0 >= 0 ? ($0 == 360 ? 0 : $0) : nil },
            altitude: try object.numeral("alt"))
    }
}

extension JSONValue {
    fileprivate func transitionTrigger() throws(InputError) -> Fix.Trigger {
        switch try text("event", atMost: WireLimits.nameCharacters) {
        case "enter": return .enter
        case "leave": return .exit
        case nil: throw missing("event", expected: "enter or leave")
        default: throw (self["event"] ?? self).refused(.outOfRange, at: "event", expected: "enter or leave")
        }
    }

    /// The name is what the device was given and gives back; the id may be one of the app's own making.
    fileprivate func transitionRegion() throws(InputError) -> RegionKey? {
        if let name = try text("desc", atMost: WireLimits.idCharacters), !name.isEmpty {
            return RegionKey(OwnTracksRegion(name: name).id)
        }
        return try text("rid", atMost: WireLimits.idCharacters).map { RegionKey($0) }
    }
}
