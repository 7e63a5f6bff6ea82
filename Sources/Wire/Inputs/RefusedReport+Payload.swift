import Fleet

extension RefusedReport {
    /// What a vehicle is to be told of a payload that is not used; nil for topics where nothing unsafe follows from it: there
    /// it is counted, and what was said before holds.
    init?(_ leaf: Leaf, _ payload: [UInt8], _ reason: Rejection, _ parser: JSONParser) {
        switch leaf {
        case .consent: self.init(.consent, problem: Self.ofConsent(payload, parser))
        case .profile: self.init(.profile, problem: Self.ofProfile(payload, reason, parser))
        default: return nil
        }
    }

    private static func ofConsent(_ payload: [UInt8], _ parser: JSONParser) -> String {
        let expected = "expected an object such as {\"status\": \"always\"}"
        let problem = try? parser.read(payload) { root in
            guard root.isObject else { return "\(expected), got \(root.shown)" }
            if let status = root["status"]?.string, Consent.Status(spelled: status) != nil {
                return "in_use: expected true or false, got \(root["in_use"]?.shown ?? "nothing")"
            }
            return "status: expected always, when-in-use, not-determined, denied or restricted, got "
                + (root["status"]?.shown ?? "nothing")
        }
        return problem ?? "\(expected), got \(excerpt(payload))"
    }

    private static func ofProfile(_ payload: [UInt8], _ reason: Rejection, _ parser: JSONParser) -> String {
        let got: String?
        switch reason {
        case .malformedJSON, .invalidUTF8: got = excerpt(payload)
        case .implausibleHeight, .unreadableHeight:
            got = try? parser.read(payload) { root in root["parts"] == nil ? root["height"]?.shown : nil }
        default: got = nil
        }
        return reason.ofProfile + (got.map { ", got \($0)" } ?? "")
    }

    private static func excerpt(_ payload: [UInt8]) -> String {
        JSONValue.shown(String(decoding: payload.prefix(256), as: UTF8.self))
    }
}

extension Rejection {
    /// What is wrong with a profile, and what would be right.
    fileprivate var ofProfile: String {
        switch self {
        case .malformedJSON: "this is not JSON; an object with a height would be right"
        case .invalidUTF8: "this is not UTF-8; JSON is written in it"
        case .wrongType: "a member is of another type; the profile is an object, height a number of metres or a text"
        case .implausibleHeight: "no road vehicle has this height; metres over 0 and up to 6 would be right"
        case .unreadableHeight: "the height is no length; metres would be, or a text such as \"13'6\\\"\" or \"4.11 m\""
        case .unreadableLength: "the margin is no length; metres would be, or a text such as \"3 in\""
        case .unreadableDuration: "valid_for is no duration; seconds would be, or a text such as \"24 h\""
        case .unreadableTime: "measured_at is no time; RFC 3339 would be, such as \"2026-11-21T06:00:00Z\""
        case .outOfRange: "a member is out of range: a margin of at most 1 m, texts of at most 64 characters"
        case .tooLarge: "there are too many groups, or the profile is too large"
        default: rawValue
        }
    }
}
