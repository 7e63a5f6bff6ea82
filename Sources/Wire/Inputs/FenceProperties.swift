import Geo
import Messages

/// The members of a fence's `properties`, by name and type; what is null or absent is nil.
struct FenceProperties {
    /// Every member that means something.
    static let known = [
        "id", "name", "radius", "width", "groups", "vehicles", "dwell", "hysteresis", "hours", "valid_from",
        "valid_until",
    ]

    /// Nil: there are none.
    private let object: JSONValue?

    init(of feature: JSONValue) throws(FenceProblem) {
        object = feature["properties"]
        if let object, !object.isObject {
            throw FenceProblem("properties", "\(object.shown) is no object; what is said of the fence stands in one")
        }
    }

    subscript(_ name: StaticString) -> JSONValue? { object?[name] }

    /// Metres, or a text with a unit.
    func length(_ name: StaticString) throws(FenceProblem) -> Metres? {
        guard let member = self[name] else { return nil }
        guard let metres = try? object?.length(name) else {
            throw problem(name, member, "is no length; a number of metres would be, or a text such as \"200 m\"")
        }
        return metres
    }

    /// 0 where nothing is said.
    func hysteresis() throws(FenceProblem) -> Metres {
        let hysteresis = try length("hysteresis") ?? 0
        guard hysteresis >= 0 else {
            throw FenceProblem("properties.hysteresis", "\(hysteresis) m is below 0; 0 or more would be right")
        }
        return hysteresis
    }

    /// Seconds, or a text with a unit; over 0.
    func duration(_ name: StaticString) throws(FenceProblem) -> Seconds? {
        guard let member = self[name] else { return nil }
        guard let seconds = try? object?.duration(name) else {
            throw problem(name, member, "is no duration; a number of seconds would be, or a text such as \"5 min\"")
        }
        guard seconds > 0, seconds <= WireLimits.validitySeconds else {
            throw problem(name, member, "is too short or too long; it must be over 0 and no more than 3650 d")
        }
        return seconds
    }

    func time(_ name: StaticString) throws(FenceProblem) -> Timestamp? {
        guard let member = self[name] else { return nil }
        guard let time = try? object?.time(name) else {
            throw problem(
                name, member, "is no time; RFC 3339 would be, such as \"2026-11-21T06:00:00Z\", or epoch seconds")
        }
        return time
    }

    func name() throws(FenceProblem) -> String? {
        guard let member = self["name"] else { return nil }
        guard let name = member.string, name.count <= WireLimits.fenceNameCharacters else {
            let limit = WireLimits.fenceNameCharacters
            throw problem("name", member, "is no name; a text of at most \(limit) characters would be")
        }
        return name
    }

    func groups() throws(FenceProblem) -> [String] {
        try list("groups") { member in
            guard let group = member.string, (1...WireLimits.nameCharacters).contains(group.count) else { return nil }
            return group
        } orElse: {
            "\($0) is no group; a text of 1 to \(WireLimits.nameCharacters) characters would be"
        }
    }

    func vehicles() throws(FenceProblem) -> [VehicleID] {
        try list("vehicles") {
            $0.string.flatMap { VehicleID($0) }
        } orElse: {
            "\($0) is no vehicle; a text of 1 to 64 characters without / + # would be"
        }
    }

    func hours() throws(FenceProblem) -> WeeklyHours? {
        guard let hours = self["hours"] else { return nil }
        guard let zone = hours["zone"]?.string, let week = hours["week"]?.string else {
            throw FenceProblem(
                "properties.hours",
                "its zone or week is no text; {\"zone\": \"America/Detroit\", \"week\": \"Mo-Fr 06:00-18:00\"} would be right"
            )
        }
        do throws(WeeklyHoursProblem) {
            return try WeeklyHours(zone: zone, week: week)
        } catch .unknownZone(let zone) {
            throw FenceProblem("properties.hours.zone", "\(WeeklyHoursProblem.unknownZone(zone))")
        } catch {
            throw FenceProblem("properties.hours.week", "\(error)")
        }
    }

    private func list<Element>(
        _ name: StaticString, _ read: (JSONValue) -> Element?, orElse sentence: (String) -> String
    ) throws(FenceProblem) -> [Element] {
        guard let member = self[name] else { return [] }
        guard let members = member.elements else { throw problem(name, member, "is no list; a list of texts would be") }
        var list: [Element] = []
        for member in members {
            guard list.count < WireLimits.fenceListedNames else {
                throw FenceProblem(
                    "properties.\(name)",
                    "it has more than \(WireLimits.fenceListedNames) entries; a group that holds them all would be right"
                )
            }
            guard let element = read(member) else {
                throw FenceProblem("properties.\(name)[\(list.count)]", sentence(member.shown))
            }
            list.append(element)
        }
        return list
    }

    private func problem(_ name: StaticString, _ member: JSONValue, _ sentence: String) -> FenceProblem {
        FenceProblem("properties.\(name)", "\(member.shown) \(sentence)")
    }
}
