import Geo
import Messages

extension HeightProfile {
    /// As the AsyncAPI document describes it.
    init(json object: JSONValue) throws(InputError) {
        guard object.isObject else { throw object.notAnObject() }
        try object.refuseRepeatedNames()
        self.init(
            height: try object.highestPart(), margin: try object.margin(),
            source: try object.text("source", atMost: WireLimits.nameCharacters) ?? "unknown",
            measuredAt: try object.time("measured_at"), validFor: try object.validity(),
            units: try object.choice("units"), language: try object.choice("language"), groups: try object.groups())
    }
}

extension JSONValue {
    /// The larger of `height` and the highest of `parts`; nil where neither is given.
    fileprivate func highestPart() throws(InputError) -> Centimetres? {
        var heights: [Centimetres] = []
        if let height = self["height"] {
            // A part may be 0, as an empty load is; the whole may not.
            heights.append(try height.height(at: "height"))
            guard heights[0] > 0 else {
                throw height.refused(.implausibleHeight, at: "height", expected: Self.heightWords)
            }
        }
        if let parts = self["parts"] {
            guard let members = parts.members else { throw parts.notAnObject(at: "parts") }
            for (name, part) in members where !part.isNull {
                heights.append(try part.height(at: "parts.\(name.prefix(WireLimits.nameCharacters))"))
            }
        }
        guard let highest = heights.max() else { return nil }
        guard highest > 0 else { throw refused(.implausibleHeight, at: "parts", expected: Self.heightWords) }
        return highest
    }

    /// Rounded up to a centimetre: 13'6" is 412, and 4.11 stays 411.
    private func height(at place: String) throws(InputError) -> Centimetres {
        do throws(InputError) {
            if let metres = double {
                guard (0...WireLimits.heightMetres).contains(metres) else { throw .implausibleHeight }
                return metres.roundedUp(perMetre: 100)
            }
            guard let text = string else { throw .wrongType }
            guard let tenths = LengthText.tenthMillimetres(text, rounding: .up) else { throw .unreadableHeight }
            guard tenths >= 0, Metres(tenths) / 10_000 <= WireLimits.heightMetres else { throw .implausibleHeight }
            return (tenths + 99) / 100
        } catch {
            throw refused(error, at: place, expected: Self.heightWords)
        }
    }

    private static let heightWords = "a height over 0 and up to 6 m, such as 4.11 or \"13'6\\\"\""

    fileprivate func margin() throws(InputError) -> Metres? {
        guard let margin = try length("margin") else { return nil }
        guard (0...WireLimits.marginMetres).contains(margin) else {
            throw (self["margin"] ?? self).refused(.outOfRange, at: "margin", expected: "a margin of 0 to 1 m")
        }
        return margin
    }

    fileprivate func validity() throws(InputError) -> Seconds? {
        guard let validity = try duration("valid_for") else { return nil }
        guard (0...WireLimits.validitySeconds).contains(validity), validity > 0 else {
            throw (self["valid_for"] ?? self).refused(.outOfRange, at: "valid_for", expected: "a duration up to 3650 d")
        }
        return validity
    }

    fileprivate func groups() throws(InputError) -> [String] {
        guard let member = self["groups"] else { return [] }
        guard let elements = member.elements else {
            throw member.refused(.wrongType, at: "groups", expected: "a list of texts")
        }
        var groups: [String] = []
        for element in elements {
            guard groups.count < WireLimits.listedNames else { throw .tooLarge }
            groups.append(try element.text(atMost: WireLimits.nameCharacters, at: "groups"))
        }
        return groups
    }
}
