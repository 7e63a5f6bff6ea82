import Geo
import Messages

/// What fences say.
extension GeoJSONProperties {
    /// Every member that means something to a fence.
    static let ofFence = [
        "id", "name", "radius", "width", "groups", "vehicles", "dwell", "hysteresis", "hours", "valid_from",
        "valid_until",
    ]

    /// Metres, or a text with a unit.
    func length(_ name: StaticString) throws(GeoJSONError) -> Metres? {
        guard let member = self[name] else { return nil }
        if let metres = member.double ?? member.string.flatMap({ LengthText.metres($0) }) { return metres }
        throw error(name, expected: Self.expectedLength, got: member)
    }

    /// As above, of a member that must be there.
    func extent(_ name: StaticString) throws(GeoJSONError) -> Metres {
        if let extent = try length(name) { return extent }
        throw error(name, expected: Self.expectedLength, got: nil)
    }

    private static let expectedLength = "a length such as 200 or \"200 m\""

    /// 0 where nothing is said.
    func hysteresis() throws(GeoJSONError) -> Metres {
        let hysteresis = try length("hysteresis") ?? 0
        guard hysteresis >= 0 else {
            throw error("hysteresis", expected: "a length of 0 m or more", got: self["hysteresis"])
        }
        return hysteresis
    }

    /// Seconds, or a text with a unit; over 0.
    func duration(_ name: StaticString) throws(GeoJSONError) -> Seconds? {
        guard let member = self[name] else { return nil }
        guard let seconds = member.double ?? member.string.flatMap({ DurationText.seconds($0) }) else {
            throw error(name, expected: "a duration such as 300 or \"5 min\"", got: member)
        }
        guard seconds > 0, seconds <= WireLimits.validitySeconds else {
            throw error(name, expected: "a duration over 0 and up to 3650 d", got: member)
        }
        return seconds
    }

    func time(_ name: StaticString) throws(GeoJSONError) -> Timestamp? {
        guard let member = self[name] else { return nil }
        if let time = try? member.time(at: "\(name)") { return time }
        throw error(name, expected: JSONValue.expectedTime, got: member)
    }

    func fenceName() throws(GeoJSONError) -> String? {
        guard let member = self["name"] else { return nil }
        if let name = member.string, name.count <= WireLimits.fenceNameCharacters { return name }
        throw error("name", expected: "a text of at most \(WireLimits.fenceNameCharacters) characters", got: member)
    }

    func groups() throws(GeoJSONError) -> [String] {
        try list("groups", of: "a text of 1 to \(WireLimits.nameCharacters) characters") { member in
            guard let group = member.string, (1...WireLimits.nameCharacters).contains(group.count) else { return nil }
            return group
        }
    }

    func vehicles() throws(GeoJSONError) -> [VehicleID] {
        try list("vehicles", of: "a vehicle's id of 1 to 64 characters without / + #") {
            $0.string.flatMap { VehicleID($0) }
        }
    }

    func hours() throws(GeoJSONError) -> WeeklyHours? {
        guard let hours = self["hours"] else { return nil }
        guard let zone = hours["zone"]?.string, let week = hours["week"]?.string else {
            throw error(
                "hours",
                expected: "texts such as {\"zone\": \"America/Detroit\", \"week\": \"Mo-Fr 06:00-18:00\"}", got: hours)
        }
        do throws(WeeklyHoursError) {
            return try WeeklyHours(zone: zone, week: week)
        } catch .unknownZone(let zone) {
            throw GeoJSONError(
                "properties.hours.zone", expected: "an IANA time zone such as America/Detroit",
                got: JSONValue.shown(zone))
        } catch {
            throw GeoJSONError("properties.hours.week", "\(error)")
        }
    }

    private func list<Element>(
        _ name: StaticString, of expected: String, _ read: (JSONValue) -> Element?
    ) throws(GeoJSONError) -> [Element] {
        guard let member = self[name] else { return [] }
        guard let members = member.elements else { throw error(name, expected: "a list of texts", got: member) }
        var list: [Element] = []
        for member in members {
            guard list.count < WireLimits.fenceListedNames else {
                throw GeoJSONError(
                    "properties.\(name)", expected: "at most \(WireLimits.fenceListedNames) entries", got: "more")
            }
            guard let element = read(member) else {
                throw GeoJSONError("properties.\(name)[\(list.count)]", expected: expected, got: member.shown)
            }
            list.append(element)
        }
        return list
    }
}
